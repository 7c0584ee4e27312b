#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# same_reports.sh - two runs with the same seed say the same: every word of the report and
# every field of the JSON object, for a finding of each kind, whatever the strategy and the
# number of workers.  Only times are left out.  And what goes wrong in one place is one
# finding.
#
# Workers that share a space (dpor -j) find things in an order that means nothing, and a
# schedule that shows a finding is one of many (docs/limits.md): of them only kinds, places
# and totals are compared.
. "$(dirname "$0")/common.shlib"
need gcc
unset HEDDLE_OPTIONS

# Lines are broken where the words end, so a longer time moves them.
without_times() {
    tr -s ' \n' ' ' | sed -E 's/ in [0-9.]+ m?s \([0-9,]+ per second\)//g
        s/"seconds": [0-9.]+, "executions_per_second": [0-9]+//g'
}

# report_of OUT ARGUMENT...: what the user sees of one run, and what a script sees
report_of() {
    report_out=$1
    shift
    rm -rf "$json" "$work/found"
    heddle "$@"
    {
        echo "exit code $rc"
        without_times <"$work/said"
        [ ! -f "$json" ] || without_times <"$json"
    } >"$report_out"
}

# kinds: that were found, each once
kinds() {
    grep -o '"kind": "[^"]*"' "$json" | sed 's/.*: //; s/"//g' | sort -u | tr '\n' ' '
}

# twice KIND NAME ARGUMENT...: the finding is there, and two runs say the same
twice() {
    twice_kind=$1
    twice_name=$2
    shift 2
    report_of "$work/once" "$@"
    case " $(kinds)" in
    *" $twice_kind "*) found=$((found + 1)) ;;
    *) ;; # a sample need not meet it; `each_kind` wants it of the complete search
    esac
    report_of "$work/again" "$@"
    if cmp -s "$work/once" "$work/again"; then
        pass
    else
        # word by word: a report without its line breaks is one long line
        tr ' ' '\n' <"$work/once" >"$work/once.words"
        tr ' ' '\n' <"$work/again" >"$work/again.words"
        fail "$twice_name" "two runs differ: $(diff -U 20 "$work/once.words" "$work/again.words" | tr '\n' ' ' | head -c 4000)"
    fi
}

# of_space: what workers that share a space agree on.  A leak is a difference between executions
# of one worker, so two workers may each count one (docs/detectors.md).
of_space() {
    of_space_buggy=$(field buggy)
    [ "$kind" != leak ] || of_space_buggy=-
    echo "$(field verdict) $(field complete) $(field executions) $of_space_buggy $(kinds)"
}

# each_kind KIND PROGRAM [ARGUMENT...]: with every way of searching
each_kind() {
    kind=$1
    shift
    found=0
    set -- --json "$json" -o "$work/found" --progress none "$@"
    for strategy in random pct; do
        for jobs in 1 2; do
            twice "$kind" "$kind, $strategy -j$jobs" run --strategy $strategy --executions 300 --seed 3 \
                --keep-going -j$jobs "$@"
        done
        twice "$kind" "$kind, $strategy, first finding" run --strategy $strategy --executions 300 --seed 3 "$@"
    done
    twice "$kind" "$kind, dpor" run --strategy dpor --keep-going --executions 3000 "$@"
    want=$(of_space)
    holds "$kind: was found ($found runs)" test $found -ge 1
    twice "$kind" "$kind, dpor, first finding" run --strategy dpor "$@"
    for round in 1 2; do
        report_of "$work/once" run --strategy dpor --keep-going --executions 3000 -j2 "$@"
        same "$kind, dpor -j2, round $round" "$want" "$(of_space)"
    done
}

# program NAME: of the litmus programs
program() {
    "$HEDDLE" cc -g -O1 -o "$work/${1##*/}" "$here/../litmus/$1.c" >"$work/said" 2>&1 && return 0
    fail "$1" "cannot be built"
    return 1
}

# findings: how many there are
findings() {
    grep -o '"id": *"' "$json" | wc -l
}

# one_finding KIND COUNT MODE: one_place goes wrong in one place, whatever the number of bytes
one_finding() {
    heddle verify --strategy dfs --races off --keep-going --json "$json" -o "$work/found" \
        --progress none ./one_place "$3"
    same "one_place $3: kinds" "$1 " "$(kinds)"
    same "one_place $3: findings" "$2" "$(findings)"
}

build fails fails.c -g -O1 || finish
build one_place one_place.c -g -O1 || finish
for name in heap/leak_bug heap/uaf_bug heap/off_by_one_bug heap/double_free_bug heap/bad_free_bug \
    study/carter01 basic/polling_forever points/lost_update_bug points/check_then_use points/bluetooth \
    races/counter races/places; do
    program $name || finish
done
one_finding use-after-free 1 freed
one_finding crash 1 null
one_finding crash 2 two
each_kind assertion ./fails assert
each_kind abort ./fails abort
each_kind crash ./fails segv
each_kind exit-code ./fails exit
each_kind deadlock ./carter01
each_kind livelock ./polling_forever
each_kind use-after-free ./uaf_bug
each_kind heap-overflow ./off_by_one_bug
each_kind double-free ./double_free_bug
each_kind bad-free ./bad_free_bug stack
each_kind leak ./leak_bug
each_kind lock-misuse ./fails unlock
each_kind check-failed ./fails check
each_kind data-race ./counter two-locks
each_kind data-race ./places heap
each_kind data-race --points races ./lost_update_bug
each_kind crash --points races ./check_then_use
each_kind assertion --points all ./bluetooth
finish
