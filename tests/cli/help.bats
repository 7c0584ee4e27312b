#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Verbs, help, lists and version.
load helper

VERBS="cc c++ run verify replay minimize recheck suppress estimate status list doctor version"

@test "no verb: the overview on standard error, exit 1" {
    run heddle
    exits 1
    has "usage: heddle VERB"
    [ -z "$(heddle 2>/dev/null)" ]
}

@test "help in all its spellings exits 0 and names every verb" {
    for spelling in help --help -h; do
        run heddle $spelling
        exits 0
        for verb in $VERBS; do has "  $verb "; done
        [[ "$output" != *"  options "* ]]
    done
}

@test "every verb has --help with usage and exit status" {
    for verb in $VERBS; do
        run heddle $verb --help
        exits 0
        has "usage: heddle $verb"
        has "exit status:"
        [ "$(heddle help $verb)" = "$output" ]
    done
}

@test "help of run names every agreed option" {
    run heddle run --help
    for option in --strategy --bound --points --seed --executions --budget --max-steps \
        --timeouts --loop-bound --exit-grace -j --keep-going --isolation -o --json --progress \
        --color -q -v; do
        has "$option"
    done
}

@test "long help texts are complete" {
    run heddle run --help
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"those without N share --fault-bound --fault-bound N "* ]]
}

@test "help of -j excludes nothing that works" {
    run heddle verify --help
    [[ ${output//$'\n'/ } == *"workers that search at the same time"* ]]
    absent "Not with" <<<"$output"
}

@test "unknown verbs are refused with a suggestion" {
    run heddle rnu
    exits 1
    has "did you mean 'run'?"
    run heddle frobnicate
    exits 1
    [[ "$output" != *"did you mean"* ]]
    run heddle help verfy
    exits 1
    has "did you mean 'verify'?"
}

@test "list prints strategies, detectors and events" {
    run heddle list strategies
    exits 0
    has "random"
    has "(default of run)"
    has "(default of verify)"
    run heddle list detectors
    exits 0
    has "deadlock"
    run heddle list events
    exits 0
    has "MUTEX_LOCK"
    has "mutex lock"
}

@test "list refuses other names" {
    run heddle list stratgies
    exits 1
    has "did you mean 'strategies'?"
    run heddle list
    exits 1
    run heddle list events detectors
    exits 1
    has "unexpected argument 'detectors'"
}

@test "version, also as JSON" {
    run heddle version
    exits 0
    [[ "$output" =~ ^heddle\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
    [ "$(heddle --version)" = "$output" ]
    run heddle version --json
    exits 0
    [[ "$output" =~ ^\{\"name\":\"heddle\",\"version\":\"[0-9.]+\",\"wire\":[0-9]+\}$ ]]
}

@test "HEDDLE_OPTIONS does not disturb verbs without a search" {
    HEDDLE_OPTIONS="json=f:nonsense=1" run heddle version
    exits 0
}

@test "output that cannot be written is an error" {
    [ -w /dev/full ] || skip "no /dev/full"
    run bash -c '"$1" list events >/dev/full' bash "$HEDDLE"
    exits 1
    has "cannot write"
}

@test "manual pages and completions come from the same table" {
    run heddle options --man run
    exits 0
    has ".TH HEDDLE-RUN 1"
    has '\-\-loop\-bound'
    run heddle options --man heddle
    exits 0
    has 'heddle\-verify (1)'
    heddle options --bash >completion.bash
    bash -n completion.bash
    grep -q -- --loop-bound completion.bash
    heddle options --zsh | grep -q -- --loop-bound
    heddle options --fish | grep -q -- "-l loop-bound"
    run heddle options
    exits 1
    run heddle options --man nothing
    exits 1
}

@test "bash completes verbs, options and values" {
    heddle options --bash >completion.bash
    source ./completion.bash
    complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _heddle || true; }
    complete_line heddle ver
    [ "${COMPREPLY[*]}" = "verify version" ]
    complete_line heddle run --loop
    [ "${COMPREPLY[*]}" = "--loop-bound" ]
    complete_line heddle run --isolation f
    [ "${COMPREPLY[*]}" = "fork" ]
    # '=' is a word of its own by default
    complete_line heddle run --strategy = dpor-o
    [ "${COMPREPLY[*]}" = "dpor-optimal" ]
    complete_line heddle run --isolation =
    [ "${COMPREPLY[*]}" = "auto inproc fork" ]
    # and part of the word where COMP_WORDBREAKS lacks it
    complete_line heddle run --strategy=dpor-o
    [ "${COMPREPLY[*]}" = "--strategy=dpor-optimal" ]
    complete_line heddle run --isolation=nothing
    [ "${#COMPREPLY[@]}" = 0 ]
}

@test "options are shown in groups, and examples use options that exist" {
    run heddle run --help
    exits 0
    has "options, search:"
    has "options, findings:"
    has "examples:"
    run heddle options --man run
    has ".SS Search"
    has ".SH EXAMPLES"
    run heddle version --help
    has "options:"
    for verb in $VERBS; do
        heddle $verb --help >help.txt
        sed -n '/^examples:/,/^exit status:/p' help.txt | grep -o -- '--[a-z-]*[a-z]' | sort -u >used.txt
        while read -r option; do
            sed '/^examples:/,$d' help.txt | grep -q -- "$option" ||
                [ "$option" = --rounds ] || { echo "$verb: $option"; false; }
        done <used.txt
    done
}

@test "manual pages are clean for mandoc" {
    command -v mandoc >/dev/null || skip "mandoc is not installed"
    for page in heddle $VERBS; do
        heddle options --man $page >page.1
        run mandoc -Tlint -Wwarning page.1
        # an empty date is meant: pages are generated, and builds must repeat
        [ -z "$(grep -v 'missing date' <<<"$output")" ]
    done
}

@test "manual pages are clean for groff" {
    command -v groff >/dev/null || skip "groff is not installed"
    for page in heddle $VERBS; do
        heddle options --man $page >page.1
        run groff -man -ww -z -Tutf8 page.1
        exits 0
        [ -z "$output" ]
    done
}

@test "zsh and fish understand their completions" {
    heddle options --zsh >_heddle
    heddle options --fish >heddle.fish
    command -v zsh >/dev/null || command -v fish >/dev/null || skip "neither zsh nor fish is installed"
    if command -v zsh >/dev/null; then zsh -n _heddle; fi
    if command -v fish >/dev/null; then
        run fish -N -c 'source heddle.fish; complete -C "heddle run --loop"'
        exits 0
        has "--loop-bound"
        run fish -N -c 'source heddle.fish; complete -C "heddle run --isolation f"'
        has "fork"
    fi
}
