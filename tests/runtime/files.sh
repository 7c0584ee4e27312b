#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# files.sh - a user's files are what they were, however a search ends, and no execution begins with
# those that another has changed.
. "$(dirname "$0")/common.shlib"
need gcc pgrep stat

logs=/tmp/heddle-$(id -u)
deep=${HEDDLE_DEEP:-}

# All that a file has, but for the time of directories.
state() {
    (cd "$work" && find here data.txt made 2>/dev/null | sort | while read -r f; do
        if [ -d "$f" ]; then stat -c '%n %f %u %g' "$f"; else stat -c '%n %f %u %g %s %Y %h' "$f" && cat "$f"; fi
    done)
}

lay_out() {
    rm -rf "$work/here" "$work/there" "$work/made"
    mkdir "$work/here"
    echo a >"$work/here/a"
    chmod 644 "$work/here/a"
    echo precious >"$work/data.txt"
    touch -d @1000000000 "$work/here/a" "$work/data.txt"
    before=$(state)
}

# kept NAME: nothing has changed, and no log is left of the tool whose number is $tool
kept() {
    same "$1: files" "$before" "$(state)"
    same "$1: nothing is left" 0 "$(find "$logs" -name "undo-*-${tool:-none}-*" 2>/dev/null | wc -l)"
}

each_change() {
    build changes changes.c -O1 "-DSHM_NAME=\"/heddle-changes-$$\"" || return
    for way in $(seq 0 23); do
        lay_out
        random 4 1 ./changes "$way"
        holds "change $way: no finding ($rc)" [ "$rc" = 0 -o "$rc" = 4 ]
        same "change $way: files" "$before" "$(state)"
    done
}

# started ARGUMENT...: a search in the background, whose first execution is on its way
started() {
    rm -f "$json"
    lay_out
    (cd "$work" && exec "$HEDDLE" run --strategy random --seed 1 --progress none --json "$json" -o "$work/found" "$@") \
        >"$work/said" 2>&1 &
    tool=$!
    eventually grep -q spoilt "$work/data.txt"
}

zygotes() {
    pgrep -P "$tool"
}

ended() {
    wait "$tool"
    rc=$?
    kept "$1"
}

ends() {
    build rewrites rewrites.c -O1 || return
    for jobs in 1 2; do
        lay_out
        tool=none
        search verify --strategy dpor -j $jobs ./rewrites
        holds "-j$jobs: no finding" [ "$rc" -ne 2 ]
        executions="${executions:+$executions }$(field executions)"
        kept "-j$jobs, to its end"
        for signal in INT TERM QUIT HUP; do
            started -j $jobs ./rewrites slow
            kill -$signal "$tool"
            ended "-j$jobs, SIG$signal"
        done
        started -j $jobs ./rewrites slow
        kill -TERM "$tool"
        kill -TERM "$tool"
        ended "-j$jobs, told twice"
        started -j $jobs ./rewrites slow
        kill -KILL "$tool"
        wait "$tool" 2>/dev/null
        eventually grep -q precious "$work/data.txt"
        sleep 0.2
        same "-j$jobs, the tool is killed" "$before" "$(state)"
    done
    same "as many executions with two workers" "${executions% *}" "${executions#* }"
}

# Twice: the second would begin with what the first has left.
out_of_budget() {
    lay_out
    for i in 1 2; do
        search run --strategy random --budget 300ms ./rewrites slow
        holds "budget: no finding" [ "$rc" -ne 2 ]
        same "budget: files" "$before" "$(state)"
    done
}

# The second look at a race runs the program beside the search.
second_look() {
    build racing_files racing_files.c -O1 || return
    for jobs in 1 2; do
        lay_out
        search run --strategy random --races on --keep-going --executions 40 -j $jobs ./racing_files
        same "second look, -j$jobs: the race alone" "2 data-race" "$rc $(grep -o '"kind": *"[^"]*"' "$json" |
            sed 's/.*"\(.*\)"/\1/' | sort -u | tr '\n' ' ' | sed 's/ $//')"
        same "second look, -j$jobs: files" "$before" "$(state)"
    done
}

# Kill the tool and its zygotes while a file is changed: no process is left that could put it back.
kill_all() {
    for moment in 1 2 3 4 5 6 7 8 9 10; do
        started ./rewrites slow
        victims=$(zygotes)
        kill -STOP "$tool"
        kill -KILL $victims "$tool"
        wait "$tool" 2>/dev/null
        [ "$(state)" = "$before" ] || return # else it was between two executions
    done
}

# The next Heddle puts the files back and says so.  That may be one of another test, which runs at
# the same time: then try again.
all_killed() {
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        kill_all
        random 2 1 ./rewrites
        holds "all killed: no finding" [ "$rc" -ne 2 ]
        kept "all killed"
        ! grep -q "restored the files" "$work/said" || break
    done
    says "all killed: it is said" "restored the files"
}

# A random worker or zygote, at random moments, N times in all: what is counted does not change.
kills() {
    left=$1
    seed=1
    killed=0
    while [ "$left" -gt 0 ]; do
        jobs=$((1 + seed % 2))
        lay_out
        rm -f "$json"
        (cd "$work" && exec "$HEDDLE" run --strategy random --seed 1 --executions 150 -j $jobs --progress none \
            --json "$json" -o "$work/found" ./rewrites) >"$work/said" 2>&1 &
        tool=$!
        for i in 1 2 3 4; do
            seed=$(((seed * 1103515245 + 12345) % 2147483648))
            sleep "0.$(printf %03d $((seed / 65536 % 150)))"
            all=$(zygotes)
            [ $((seed / 4096 % 3)) = 0 ] || all=$(for z in $all; do pgrep -P "$z"; done)
            victim=$(echo "$all" | head -n $((1 + seed / 1024 % jobs)) | tail -1)
            [ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null && killed=$((killed + 1)) && left=$((left - 1))
        done
        wait "$tool"
        rc=$?
        same "killed, -j$jobs: totals" "$want" "$rc $(field verdict) $(field executions)"
        kept "killed, -j$jobs"
        [ "$failed" -lt 10 ] || return
    done
    echo "killed: $killed"
}

each_change
ends
out_of_budget
second_look
all_killed
lay_out
tool=none
random 150 1 ./rewrites
want="$rc $(field verdict) $(field executions)"
same "a search that is worth to be disturbed" "4 budget 150" "$want"
if [ -n "$deep" ]; then kills 1000; else kills 30; fi
finish
