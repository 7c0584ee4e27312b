#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# smash.sh - a program that overwrites the memory which it shares with Heddle: the tool does not
# crash, says what has happened, writes its JSON, and its exit code agrees with that.
. "$(dirname "$0")/common.shlib"
need gcc timeout

# agrees SEED: exit code and verdict of the result
agrees() {
    case "$rc $(field verdict)" in
    "0 clean" | "2 bug" | "3 error" | "4 budget" | "5 diverged") pass ;;
    *) fail "seed $1" "exit code $rc, verdict '$(field verdict)'" ;;
    esac
}

seeds=25
[ -z "${HEDDLE_DEEP:-}" ] || seeds=500
build smashes smashes.c -O1 || finish
search run --strategy random --executions 20 ./smashes 0
same "all of it overwritten" "2 bug" "$rc $(field verdict)"
says "what has happened" "overwritten Heddle's own memory"
for seed in $(seq 1 $seeds); do
    rm -f "$json"
    (cd "$work" && exec timeout -k 5 60 "$HEDDLE" run --strategy random --executions 20 --minimize off --budget 5s \
        --progress none --json "$json" -o "$work/found" ./smashes "$seed") >"$work/said" 2>&1
    rc=$?
    agrees "$seed"
done
finish
