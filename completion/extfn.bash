# Completion of extfn in bash. SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2207

# ---- written by tools/make-completion.py ----
_extfn_commands='eval call apply report replay list check test new rpc doctor bench'
_extfn_options() { # COMMAND: OPTION:KIND of each, no kind for a flag
    case $1 in
        eval) echo '-l:language --language:language -t:type --types:type -r:type --return:type --json: --cost: --record:folder --timeout:none --memory:none --workers:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
        call) echo '--json: --cost: --record:folder --timeout:none --memory:none --workers:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
        apply) echo '-o:file --output:file --column:none --keep-going: --json: --cost: --record:folder --timeout:none --memory:none --memo:none --workers:none --workers-memory:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
        report) echo '-o:file --output:file --keep-going: --json: --cost: --record:folder --timeout:none --memory:none --memo:none --workers:none --workers-memory:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
        replay) echo '--json: --timeout:none --memory:none --workers:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
        list) echo '--json: -h: --help:' ;;
        check) echo '--json: -v: --verbose: --timeout:none --memory:none --workers:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
        test) echo '--json: --timeout:none --memory:none --workers:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
        new) echo '--json: -h: --help:' ;;
        rpc) echo '--record:folder --timeout:none --memory:none --memo:none --workers:none --workers-memory:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
        doctor) echo '--json: --timeout:none --memory:none --workers:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
        bench) echo '--json: --timeout:none --memory:none --workers:none --packages:language=folder --interpreter:language=file -h: --help:' ;;
    esac
}
_extfn_operands() { # COMMAND: a kind for each, `...` repeats the last
    case $1 in
        eval) echo 'none none ...' ;;
        call) echo 'library function none ...' ;;
        apply) echo 'library function table ...' ;;
        report) echo 'library table' ;;
        replay) echo 'file ...' ;;
        list) echo 'library' ;;
        check) echo 'library' ;;
        test) echo 'library function ...' ;;
        new) echo 'language none folder' ;;
        rpc) echo 'library' ;;
        doctor) echo '' ;;
        bench) echo 'language ...' ;;
    esac
}
# ---- end ----

# The words before the cursor with what bash has parted at `=` put together again: into `words`.
_extfn_join() {
    local i is_glued=
    words=()
    for ((i = 1; i <= COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == = && ${#words[@]} -gt 0 ]]; then
            words[-1]+='='
            is_glued=1
        elif [[ $is_glued ]]; then
            words[-1]+=${COMP_WORDS[i]}
            is_glued=
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
}

# The kind of value that the option takes; fails where there is no such option.
_extfn_kind() { # COMMAND OPTION
    local entry
    for entry in $(_extfn_options "$1"); do
        if [[ ${entry%%:*} == "$2" ]]; then
            printf '%s' "${entry#*:}"
            return
        fi
    done
    return 1
}

_extfn_offer() { # KIND WORD
    case $1 in
        language) COMPREPLY=($(compgen -W 'python r julia pure wasm' -- "$2")) ;;
        type) COMPREPLY=($(compgen -W 'number boolean text datetime enum' -- "$2")) ;;
        function)
            COMPREPLY=($(compgen -W "$(extfn list "$library" 2>/dev/null |
                sed 's/^[A-Za-z]*  *\([^(]*\)(.*/\1/')" -- "$2"))
            ;;
        language=*)
            if [[ $2 == *=* ]]; then
                _extfn_offer "${1#*=}" "${2#*=}"
            else
                compopt -o nospace
                COMPREPLY=($(compgen -S = -W 'python r julia pure wasm' -- "$2"))
            fi
            ;;
        folder)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -d -- "$2")
            ;;
        file | library | table)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$2")
            ;;
    esac
}

# What stands at the place of the operand `count`, from 0.
_extfn_offer_operand() { # COMMAND WORD
    local kinds=($(_extfn_operands "$1")) kind
    kind=${kinds[count]-}
    if [[ ${#kinds[@]} -gt 1 && ${kinds[-1]} == ... && count -ge ${#kinds[@]}-1 ]]; then
        kind=${kinds[-2]}
    fi
    _extfn_offer "$kind" "$2"
}

_extfn() {
    local words word command kind='' library='' i count=0
    COMPREPLY=()
    _extfn_join
    word=${words[-1]-} command=${words[0]-}
    if [[ ${#words[@]} -le 1 ]]; then
        COMPREPLY=($(compgen -W "$_extfn_commands --help --version" -- "$word"))
        return
    fi
    for ((i = 1; i < ${#words[@]} - 1; i++)); do
        case ${words[i]} in
            --) kind='' ;;
            -*)
                kind=$(_extfn_kind "$command" "${words[i]}") || kind=''
                [[ $kind ]] && ((i + 1 < ${#words[@]} - 1)) && { i=$((i + 1)) kind=''; }
                ;;
            *)
                ((count == 0)) && library=${words[i]}
                count=$((count + 1))
                ;;
        esac
    done
    if [[ $kind ]]; then
        _extfn_offer "$kind" "$word"
    elif [[ $word == --*=* ]] && kind=$(_extfn_kind "$command" "${word%%=*}"); then
        _extfn_offer "$kind" "${word#*=}"
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(_extfn_options "$command" | sed 's/:[^ ]*//g')" -- "$word"))
    else
        _extfn_offer_operand "$command" "$word"
    fi
}

complete -F _extfn extfn
