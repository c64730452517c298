# `cargo xtask` is completed as `conformance` is; all else of cargo as before.
if [[ $(complete -p cargo 2>/dev/null) != *__conformance_cargo* ]]; then
    __conformance_cargo_before=$(complete -p cargo 2>/dev/null)
fi

# Completes a command of cargo as whatever did so before, which may have to be loaded first.
__conformance_cargo_else() {
    local loader
    if [[ -z $__conformance_cargo_before ]]; then
        for loader in _comp_load _completion_loader __load_completion; do
            if declare -F "$loader" >/dev/null; then
                "$loader" cargo &>/dev/null
                break
            fi
        done
        if [[ $(complete -p cargo 2>/dev/null) != *__conformance_cargo* ]]; then
            __conformance_cargo_before=$(complete -p cargo 2>/dev/null)
        fi
        complete -F __conformance_cargo -o bashdefault -o default cargo
    fi
    if [[ $__conformance_cargo_before =~ \ -F\ ([^ ]+) ]]; then
        "${BASH_REMATCH[1]}" "$@"
    fi
}

__conformance_cargo() {
    local at=1
    # A toolchain may stand first: `cargo +nightly xtask`.
    [[ ${COMP_WORDS[1]} == +* ]] && at=2
    if [[ ${COMP_WORDS[at]} == xtask && $COMP_CWORD -gt $at ]]; then
        local COMP_WORDS=(conformance "${COMP_WORDS[@]:at+1}") COMP_CWORD=$((COMP_CWORD - at))
        _conformance conformance "$2" "${COMP_WORDS[COMP_CWORD-1]}"
    else
        __conformance_cargo_else "$@"
    fi
}

complete -F __conformance_cargo -o bashdefault -o default cargo
