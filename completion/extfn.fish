# Completion of extfn in fish. SPDX-License-Identifier: MIT

complete -c extfn -f
complete -c extfn -n __extfn_needs_command -s h -l help -d 'show what there is'
complete -c extfn -n __extfn_needs_command -l version -d 'show the version'

# ---- written by tools/make-completion.py ----
set -g __extfn_commands eval call apply report replay list check test new rpc doctor bench
set -g __extfn_valued --column --interpreter --language --memo --memory --output --packages --record --return --timeout --types --workers --workers-memory -l -o -r -t
complete -c extfn -n __extfn_needs_command -a eval -d 'evaluate a body'
complete -c extfn -n '__extfn_is eval' -s l -l language -x -a '(__extfn_languages)' -d 'python, r, julia, pure or wasm'
complete -c extfn -n '__extfn_is eval' -s t -l types -x -a '(__extfn_types)' -d 'types of the arguments: number,text (default: guessed)'
complete -c extfn -n '__extfn_is eval' -s r -l return -x -a '(__extfn_types)' -d 'type of the result (default: number)'
complete -c extfn -n '__extfn_is eval' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is eval' -l cost -d 'tell what it cost: time, memory, bytes, workers'
complete -c extfn -n '__extfn_is eval' -l record -x -a '(__fish_complete_directories)' -d 'write a file into DIR for each failing call, at most 100'
complete -c extfn -n '__extfn_is eval' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is eval' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is eval' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is eval' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is eval' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is eval' -s h -l help -d 'show this help'
complete -c extfn -n __extfn_needs_command -a call -d 'call one function of a library'
complete -c extfn -n '__extfn_is call' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is call' -l cost -d 'tell what it cost: time, memory, bytes, workers'
complete -c extfn -n '__extfn_is call' -l record -x -a '(__fish_complete_directories)' -d 'write a file into DIR for each failing call, at most 100'
complete -c extfn -n '__extfn_is call' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is call' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is call' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is call' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is call' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is call' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at call 1' -F
complete -c extfn -n '__extfn_at call 2' -a '(__extfn_functions)'
complete -c extfn -n __extfn_needs_command -a apply -d 'one function over a table'
complete -c extfn -n '__extfn_is apply' -s o -l output -r -F -d 'write to FILE (`-`: stdout), which appears whole or not at all'
complete -c extfn -n '__extfn_is apply' -l column -x -d 'name of the result'\''s column (default: the function'\''s)'
complete -c extfn -n '__extfn_is apply' -l keep-going -d 'exit with 0 although rows failed'
complete -c extfn -n '__extfn_is apply' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is apply' -l cost -d 'tell what it cost: time, memory, bytes, workers'
complete -c extfn -n '__extfn_is apply' -l record -x -a '(__fish_complete_directories)' -d 'write a file into DIR for each failing call, at most 100'
complete -c extfn -n '__extfn_is apply' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is apply' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is apply' -l memo -x -d 'keep values of pure functions for the same arguments: 64M'
complete -c extfn -n '__extfn_is apply' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is apply' -l workers-memory -x -d 'memory of all together (default: half the machine'\''s)'
complete -c extfn -n '__extfn_is apply' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is apply' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is apply' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at apply 1' -F
complete -c extfn -n '__extfn_at apply 2' -a '(__extfn_functions)'
complete -c extfn -n '__extfn_at apply 3 or-later' -F
complete -c extfn -n __extfn_needs_command -a report -d 'a page about all functions over a table'
complete -c extfn -n '__extfn_is report' -s o -l output -r -F -d 'write to FILE (`-`: stdout), which appears whole or not at all'
complete -c extfn -n '__extfn_is report' -l keep-going -d 'exit with 0 although rows failed'
complete -c extfn -n '__extfn_is report' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is report' -l cost -d 'tell what it cost: time, memory, bytes, workers'
complete -c extfn -n '__extfn_is report' -l record -x -a '(__fish_complete_directories)' -d 'write a file into DIR for each failing call, at most 100'
complete -c extfn -n '__extfn_is report' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is report' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is report' -l memo -x -d 'keep values of pure functions for the same arguments: 64M'
complete -c extfn -n '__extfn_is report' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is report' -l workers-memory -x -d 'memory of all together (default: half the machine'\''s)'
complete -c extfn -n '__extfn_is report' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is report' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is report' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at report 1' -F
complete -c extfn -n '__extfn_at report 2' -F
complete -c extfn -n __extfn_needs_command -a replay -d 'make recorded calls again'
complete -c extfn -n '__extfn_is replay' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is replay' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is replay' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is replay' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is replay' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is replay' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is replay' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at replay 1 or-later' -F
complete -c extfn -n __extfn_needs_command -a list -d 'the functions of a library'
complete -c extfn -n '__extfn_is list' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is list' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at list 1' -F
complete -c extfn -n __extfn_needs_command -a check -d 'read and compile every function of a library'
complete -c extfn -n '__extfn_is check' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is check' -s v -l verbose -d 'tell how each function is evaluated'
complete -c extfn -n '__extfn_is check' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is check' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is check' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is check' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is check' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is check' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at check 1' -F
complete -c extfn -n __extfn_needs_command -a test -d 'run the examples that stand in function files'
complete -c extfn -n '__extfn_is test' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is test' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is test' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is test' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is test' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is test' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is test' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at test 1' -F
complete -c extfn -n '__extfn_at test 2 or-later' -a '(__extfn_functions)'
complete -c extfn -n __extfn_needs_command -a new -d 'write a first function file'
complete -c extfn -n '__extfn_is new' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is new' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at new 1' -a '(__extfn_languages)'
complete -c extfn -n '__extfn_at new 3' -a '(__fish_complete_directories)'
complete -c extfn -n __extfn_needs_command -a rpc -d 'answer JSON requests, one a line'
complete -c extfn -n '__extfn_is rpc' -l record -x -a '(__fish_complete_directories)' -d 'write a file into DIR for each failing call, at most 100'
complete -c extfn -n '__extfn_is rpc' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is rpc' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is rpc' -l memo -x -d 'keep values of pure functions for the same arguments: 64M'
complete -c extfn -n '__extfn_is rpc' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is rpc' -l workers-memory -x -d 'memory of all together (default: half the machine'\''s)'
complete -c extfn -n '__extfn_is rpc' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is rpc' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is rpc' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at rpc 1' -F
complete -c extfn -n __extfn_needs_command -a doctor -d 'what this machine can run, and how safely'
complete -c extfn -n '__extfn_is doctor' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is doctor' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is doctor' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is doctor' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is doctor' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is doctor' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is doctor' -s h -l help -d 'show this help'
complete -c extfn -n __extfn_needs_command -a bench -d 'how fast the languages are here'
complete -c extfn -n '__extfn_is bench' -l json -d 'write JSON'
complete -c extfn -n '__extfn_is bench' -l timeout -x -d 'time limit of one row: 2, 0.5, 500ms (default: 5)'
complete -c extfn -n '__extfn_is bench' -l memory -x -d 'memory of a worker: 512M, 2G (default: 1G)'
complete -c extfn -n '__extfn_is bench' -l workers -x -d 'most processes at once (default: one a processor)'
complete -c extfn -n '__extfn_is bench' -l packages -r -F -a '(__extfn_languages)=' -d 'packages that bodies may use; may be repeated'
complete -c extfn -n '__extfn_is bench' -l interpreter -r -F -a '(__extfn_languages)=' -d 'the interpreter of a language'
complete -c extfn -n '__extfn_is bench' -s h -l help -d 'show this help'
complete -c extfn -n '__extfn_at bench 1 or-later' -a '(__extfn_languages)'
# ---- end ----

function __extfn_languages
    printf '%s\n' python r julia pure wasm
end

function __extfn_types
    printf '%s\n' number boolean text datetime enum
end

# The command and its operands before the cursor, without options and their values.
function __extfn_operands
    set -l words (commandline -opc)
    set -e words[1]
    set -l is_value no
    for word in $words
        if test $is_value = yes
            set is_value no
        else if contains -- $word $__extfn_valued
            set is_value yes
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

function __extfn_needs_command
    test (count (__extfn_operands)) -eq 0
end

function __extfn_is # COMMAND
    set -l operands (__extfn_operands)
    test "$operands[1]" = $argv[1]
end

# Whether the operand of this place is next, counted from 1.
function __extfn_at # COMMAND PLACE [or-later]
    set -l operands (__extfn_operands)
    test "$operands[1]" = $argv[1]; or return 1
    set -l place (count $operands)
    test $place -eq $argv[2]; and return 0
    test (count $argv) -gt 2; and test $place -gt $argv[2]
end

function __extfn_functions
    set -l operands (__extfn_operands)
    extfn list $operands[2] 2>/dev/null | string replace -r '^\S+\s+([^(]*)\(.*' '$1'
end
