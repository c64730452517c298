# `cargo xtask` is completed as `conformance` is. Cargo's own completions call this function for the command `xtask`.
_cargo-xtask() {
    words[1]=conformance
    _conformance
}

# Where nothing else completes cargo, this does.
_conformance_cargo() {
    if (( CURRENT > 2 )) && [[ $words[2] == xtask ]]; then
        shift words
        (( CURRENT-- ))
        _cargo-xtask
    else
        _default
    fi
}
if (( $+functions[compdef] )) && ! (( $+_comps[cargo] )); then
    compdef _conformance_cargo cargo
fi
