# `cargo xtask` is completed as `conformance` is; all else of cargo as before.
function __conformance_xtask_words
    set -l words (commandline -opc)
    if string match -q '+*' -- $words[2]
        set -e words[2]
    end
    test (count $words) -ge 2; and test $words[2] = xtask; or return 1
    string join -- \n $words[3..]
    return 0
end

function __conformance_xtask_complete
    set -l line conformance
    set -l words (__conformance_xtask_words)
    if set -q words[1]
        set -a line (string escape -- $words)
    end
    set -a line (commandline -ct)
    complete -C (string join ' ' -- $line)
end

complete -c cargo -n '__conformance_xtask_words >/dev/null' -f -a '(__conformance_xtask_complete)'
