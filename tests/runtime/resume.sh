#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# resume.sh - a search that was killed again and again comes to the same verdict and the same counts as one that was
# not; one whose program, options or surroundings differ is not continued.
. "$(dirname "$0")/common.shlib"
need gcc setsid python3

kills=2 # at least so many for each search
[ -z "${HEDDLE_DEEP:-}" ] || kills=100
seed=${HEDDLE_SEED:-20}
killed_in_all=0

# below N: the next random number
below() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    random_below=$((seed / 65536 % $1))
}

# The states that are kept
states() {
    "$(dirname "$0")/../support/states" "$work/found" "$@"
}

# What must not depend on interruptions.  Which schedule shows a finding first depends on the workers, with -j.
outcome() {
    echo "$rc $(for f in verdict complete executions redundant passes trace_hash buggy new_at_bound threads_max \
        steps_max enabled_max discarded racing_sites interrupted; do printf '%s=%s ' $f "$(field $f)"; done)" \
        "$(each kind | sort | tr '\n' ' ')"
}

# begin ARGUMENT...: in the background, in a process group of its own ($tool)
begin() {
    rm -f "$json"
    (cd "$work" && exec setsid "$HEDDLE" "${verb:-verify}" --progress none --color never --json "$json" -o "$work/found" \
        --checkpoint 10ms "$@") >"$work/said" 2>&1 &
    tool=$!
}

# end_or_kill MS: waits so long.  Fails if it had to kill.
end_or_kill() {
    sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
    if gone "$tool"; then
        wait "$tool"
        rc=$?
        return 0
    fi
    kill -KILL "-$tool"
    wait "$tool" 2>/dev/null
    rc=$?
    [ $rc != 137 ] # it may have ended just now
}

# through NAME ARGUMENT...: is killed at random moments until it has ended in between.  Longer and longer, so that a
# slow machine gets through as well.
through() {
    through_name=$1
    shift
    times=0
    rm -rf "$work/found"
    while :; do
        begin --resume "$@"
        below "$span"
        end_or_kill $((30 + random_below + 20 * times)) && break
        times=$((times + 1))
    done
    killed=$((killed + times))
    same "$through_name, killed $times times" "$want" "$(outcome)"
    same "$through_name: nothing is left to continue" "" "$(states)"
}

# survives NAME ARGUMENT...
survives() {
    survives_name=$1
    shift
    rm -rf "$work/found"
    span=$(date +%s%3N)
    search verify --checkpoint off "$@"
    span=$(($(date +%s%3N) - span)) # only chooses the moments: nothing is judged by it
    want=$(outcome)
    killed=0
    rounds=0
    while [ $killed -lt $kills ] && [ $rounds -lt $((10 * kills)) ]; do
        through "$survives_name" "$@"
        rounds=$((rounds + 1))
    done
    killed_in_all=$((killed_in_all + killed))
}

killed_searches() {
    build locks interrupted.c -O1 -DTHREADS=2 -DROUNDS=4 || return
    build more interrupted.c -O1 -DTHREADS=3 -DROUNDS=4 || return
    build loses interrupted.c -O1 -DTHREADS=3 -DROUNDS=2 -DLOSES || return
    build races interrupted.c -O1 -g -DTHREADS=2 -DROUNDS=4 -DRACES || return
    survives "dfs" --strategy dfs ./locks
    survives "dfs -j2" -j2 --strategy dfs ./locks
    survives "dfs, a process each" --strategy dfs --isolation fork --executions 400 ./locks
    survives "dfs+cache" --strategy dfs+cache ./more
    survives "ipb" --strategy ipb --bound 3 ./more
    survives "ipb -j2" -j2 --strategy ipb --bound 3 ./more
    survives "idb" --strategy idb --bound 4 ./more
    survives "dpor" --strategy dpor --keep-going --minimize off ./loses
    survives "dpor -j2" -j2 --strategy dpor --keep-going --minimize off ./loses
    survives "dpor-classic" --strategy dpor-classic --keep-going --minimize off ./loses
    survives "dpor-optimal" --strategy dpor-optimal --keep-going --minimize off ./loses
    survives "bpor-lazy" --strategy bpor-lazy --bound 2 --keep-going --minimize off ./loses
    # passes, each with more points
    HEDDLE_OPTIONS='' survives "dpor at races" --points races --minimize off ./races
    HEDDLE_OPTIONS='' survives "dpor at races -j2" -j2 --points races --minimize off ./races
    HEDDLE_OPTIONS='' survives "dpor-lazy" --strategy dpor-lazy --points every --minimize off ./races
    echo "$killed_in_all kills"
}

# A sample is continued with the next index.
killed_sample() {
    rm -rf "$work/found"
    search run --strategy random --executions 10000 --keep-going --minimize off ./loses
    same "a limit of executions ends a search" "" "$(states)"
    verb=run
    interrupt --strategy random --executions 100000000 --keep-going --minimize off ./loses
    verb=verify
    says "it can be continued" "with --resume continues the search"
    done_before=$(field executions)
    search run --resume --strategy random --executions $((done_before + 5000)) --keep-going --minimize off ./loses
    says "it tells where it continues" "continues after $done_before executions"
    same "a sample continues" "$((done_before + 5000)) 1" "$(field executions) $(field resumed)"
    sampled=$(field trace_hash)
    search run --checkpoint off --strategy random --executions $((done_before + 5000)) --keep-going --minimize off ./loses
    same "a sample has the same executions" "$sampled" "$(field trace_hash)"
}

# The first state makes the store.
is_saved() {
    [ -s "$work/found/store.sqlite" ]
}

# interrupt ARGUMENT...: leaves a search that was interrupted
interrupt() {
    rm -rf "$work/found"
    begin "$@"
    eventually is_saved
    kill -TERM "$tool"
    wait "$tool"
    rc=$?
}

# refused NAME PATTERN: the last search was not continued, and its state is still there
refused() {
    same "$1: refused" 1 "$rc"
    says "$1: why" "$2"
    says "$1: remedy" "without --resume"
    same "$1: nothing is lost" "$saved" "$(states)"
}

other_circumstances() {
    build big interrupted.c -O1 -DTHREADS=4 -DROUNDS=4 || return
    interrupt --strategy dfs ./big
    same "interrupted" "4 true" "$rc $(field interrupted)"
    saved=$(states)
    search verify --resume --strategy dfs --budget 1ms --seed 3 ./big
    refused "another option" "option --seed was '1' and is '3' now"
    search verify --resume --strategy dfs --budget 1ms -j2 ./big
    refused "more workers" "number of workers (-j) was '1' and is '2' now"
    export SOMETHING=new
    search verify --resume --strategy dfs --budget 1ms ./big
    refused "another environment" "environment variable SOMETHING was not there before"
    unset SOMETHING
    (ulimit -s 4096; cd "$work" && exec "$HEDDLE" verify --resume --strategy dfs -o "$work/found" --budget 1ms ./big) \
        >"$work/said" 2>&1
    rc=$?
    refused "another layout" "limit of the stack (ulimit -s) was"
    cp "$work/big" "$work/kept"
    build big interrupted.c -O1 -DTHREADS=4 -DROUNDS=5
    search verify --resume --strategy dfs --budget 1ms ./big
    refused "another program" "the file .*/big has changed"
    cp "$work/kept" "$work/big"
    saved=$(states damage)
    search verify --resume --strategy dfs --budget 1ms ./big
    refused "a damaged state" "it is damaged"
    search verify --strategy dfs --executions 10 --checkpoint 1h ./big
    says "it is mentioned" "can be continued with --resume"
    same "it is not replaced by a search that saves nothing" "$saved" "$(states)"
    echo "no database at all, but as long as the head of one is" >"$work/found/store.sqlite"
    search verify --resume --strategy dfs --budget 1ms ./big
    same "a damaged store: refused" 1 "$rc"
    says "a damaged store: why" "file is not a database"
    search verify --strategy dfs --executions 30000 --checkpoint 10ms ./big
    same "a damaged store: the search goes on" 4 "$rc"
    says "a damaged store: told" "not a database; the search goes on"
    rm -rf "$work/found"
    search verify --resume --strategy dfs --executions 10 ./big
    says "nothing to continue" "there is no interrupted search"
    same "it begins" "4 10 0" "$rc $(field executions) $(field resumed)"
    search run --resume --executions 10 ./big
    says "no stage to continue" "there is no interrupted search"
    rm "$work/kept"
}

# What belongs to a login session may differ; so may limits and outputs.
harmless_differences() {
    interrupt --strategy dfs ./big
    before=$(field executions)
    TERM=other SHLVL=77 SSH_TTY=/dev/pts/77 search verify --resume --strategy dfs --budget 300ms ./big
    same "another terminal" "4 1" "$rc $(field resumed)"
    holds "it continues" [ "$(field executions)" -gt "$before" ]
    search verify --resume --strategy dfs --budget 300ms --minimize off ./big
    same "after the end of its time" "4 2" "$rc $(field resumed)"
}

# Test and number of executions, from the table of all tests
counts_of_tests() {
    awk '$2 == "clean" { print $1, $3 }' "$work/said"
}

# A test that was complete is searched again, one that was interrupted is continued.
killed_tests() {
    build tests interrupted_tests.c -O1 || return
    rm -rf "$work/found"
    heddle verify --each --strategy dfs --checkpoint off --progress none ./tests
    want="$rc $(counts_of_tests)"
    same "three tests" 3 "$(counts_of_tests | wc -l)"
    begin --each --strategy dfs ./tests
    eventually is_saved
    kill -KILL "-$tool"
    wait "$tool" 2>/dev/null
    heddle verify --each --resume --strategy dfs -o "$work/found" --progress none ./tests
    same "--each, killed" "$want" "$rc $(counts_of_tests)"
    same "--each: nothing is left to continue" "" "$(states)"
}

no_room() {
    rm -rf "$work/.heddle"
    touch "$work/.heddle"
    heddle verify --checkpoint 10ms --progress none --json "$json" --strategy dfs ./locks
    same "a directory that cannot be" "0 clean" "$rc $(field verdict)"
    says "a directory that cannot be: told" "the search goes on"
    same "told once" 1 "$(grep -c "the search goes on" "$work/said")"
    rm -f "$work/.heddle"
    unshare --map-root-user --mount true 2>/dev/null || return 0
    mkdir "$work/full"
    (cd "$work" && unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size=64k none full && exec "$@"' sh \
        "$HEDDLE" verify --checkpoint 10ms --progress none --json "$json" -o full --strategy dfs ./locks) \
        >"$work/said" 2>&1
    rc=$?
    same "a full disk" "0 clean" "$rc $(field verdict)"
    says "a full disk: told" "No space left on device; the search goes on"
}

killed_searches
killed_sample
other_circumstances
harmless_differences
killed_tests
no_room
finish
