# bash completion for tycho: commands, the options that `tycho COMMAND --help` names, files
_tycho()
{
    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} names
    if [ "$COMP_CWORD" = 1 ]; then
        names=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z]\+\) .*/\1/p')
        COMPREPLY=($(compgen -W "$names --help --version" -- "$word"))
    elif [ "${word:0:1}" = - ]; then
        names=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u)
        COMPREPLY=($(compgen -W "$names --help" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -o bashdefault -F _tycho tycho
