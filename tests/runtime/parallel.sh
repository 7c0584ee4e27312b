#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# parallel.sh - several workers (-j) do the work of one: the same executions, the same
# findings, whichever process is killed in between, and nothing is left behind.
#
# Traces are compared by the sum of their hashes: equal sums over the same number of
# executions mean the same executions, in whatever order.
. "$(dirname "$0")/common.shlib"
need gcc pgrep taskset
# what is compared is the search; how small a finding gets is a matter of time, too
export HEDDLE_OPTIONS=$HEDDLE_OPTIONS:minimize=off

# What must not depend on the number of workers, of a search that samples.
sampled() {
    echo "$(field verdict) $(field executions) $(field buggy) $(field first_bug_execution)" \
        "$(field trace_hash) $(field threads_max) $(field steps_max)" \
        "$(grep -o '"id": "[^"]*"\|"execution": [0-9]*' "$json" | tr '\n' ' ')"
}

zygotes() {
    pgrep -P "$1"
}

workers() {
    for zygote in $(zygotes "$1"); do pgrep -P "$zygote"; done
}

all_gone() {
    all_name=$1
    shift
    for process in "$@"; do
        holds "$all_name: process $process is gone" eventually gone "$process"
    done
}

# same_for_all NAME COMMAND...: `sampled` of -j1 to -j4
same_for_all() {
    all_name=$1
    shift
    search "$@" -j1 $all_program
    want="$rc $(sampled)"
    for jobs in 2 3 4; do
        search "$@" -j$jobs $all_program
        same "$all_name: -j$jobs" "$want" "$rc $(sampled)"
        same "$all_name: -j$jobs is what was asked for" "$jobs" "$(field jobs)"
    done
}

samples() {
    all_program="./counter order"
    same_for_all "random, all findings" run --strategy random --executions 20011 --seed 3 --keep-going
    same "random: some fail" true "$([ "$(field buggy)" -gt 100 ] && echo true)"
    all_program=./counter
    same_for_all "random, clean" run --strategy random --executions 5000 --seed 7
    all_program="./counter order"
    same_for_all "pos" run --strategy pos --executions 3000 --seed 3 --keep-going
    same_for_all "random, a process each" run --strategy random --executions 150 --seed 3 \
        --keep-going --isolation fork
    all_program="./fails segv"
    same_for_all "random, crashes" run --strategy random --executions 60 --seed 3 --keep-going
    # waiting loops
    "$HEDDLE" cc -O1 -o "$work/await" "$here/../litmus/live/await.c"
    all_program="./await cas 3"
    for strategy in random stale pos; do
        same_for_all "$strategy, waiting loops" run --strategy $strategy --executions 700 --seed 3 --keep-going
    done
    search run --strategy random --executions 640 --seed 3 --keep-going -j1 ./counter order
    want="$rc $(sampled)"
    search run --strategy random --executions 640 --seed 3 --keep-going -j64 ./counter order
    same "random: as many workers as there may be" "$want" "$rc $(sampled)"
    search run --strategy random --executions 3 -j4 ./counter
    same "no more workers than executions" "3 3" "$(field executions) $(field jobs)"
}

# The search stops at the first finding, which is the first by number and not by time.
stops() {
    search run --strategy random --seed 11 -j1 ./counter order
    want="$rc $(field first_bug_execution) $(grep -o '"id": "[^"]*"' "$json")"
    done_alone=$(field executions)
    for jobs in 2 3 5; do
        search run --strategy random --seed 11 -j$jobs ./counter order
        same "stop: -j$jobs" "$want" \
            "$rc $(field first_bug_execution) $(grep -o '"id": "[^"]*"' "$json")"
        holds "stop: -j$jobs: nothing before it was left out" \
            test "$(field executions)" -ge "$done_alone"
    done
    heddle replay -o "$work/found"
    same "stop: replay" 2 "$rc"
}

# pct, which is also in mix, adapts to what a worker has seen: the executions depend on the
# number of workers, but for each number they repeat themselves.
adapts() {
    for strategy in pct mix; do
        for jobs in 1 3; do
            search run --strategy $strategy --executions 3000 --keep-going -j$jobs ./counter order
            want="$rc $(sampled)"
            search run --strategy $strategy --executions 3000 --keep-going -j$jobs ./counter order
            same "$strategy: -j$jobs repeats itself" "$want" "$rc $(sampled)"
        done
    done
}

points_micro_wants() {
    search verify --strategy dpor-optimal --keep-going --races on --points races ./points_micro
    echo "$rc $(with_sites)"
}

# disturb TOOL: kill workers and the processes that start them, in turn
disturb() {
    for pause in 05 03 09 04 11 02 07 06 03; do
        sleep "0.$pause"
        case $pause in
        03 | 11 | 06) victims=$(zygotes "$1") ;;
        *) victims=$(workers "$1") ;;
        esac
        # shellcheck disable=SC2086 # a list
        victim=$(echo $victims | tr ' ' '\n' | sed -n "$((${pause#0} % 3 + 1))p")
        [ -z "$victim" ] || kill -KILL "$victim" 2>/dev/null
    done
}

# disturbed NAME WHAT WANT COMMAND...: while processes are killed
disturbed() {
    disturbed_name=$1
    disturbed_what=$2
    disturbed_want=$3
    shift 3
    rm -f "$json"
    # shellcheck disable=SC2086 # a program and its arguments
    (cd "$work" && exec "$HEDDLE" "$@" --progress none --json "$json" -o "$work/found" \
        $disturbed_program) >"$work/said" 2>&1 &
    tool=$!
    disturb $tool
    wait $tool
    same "$disturbed_name" "$disturbed_want" "$? $($disturbed_what)"
    lost=$((lost + $(field workers_lost)))
}

# What must not depend on the number of workers, of a search of everything.  (Which
# schedule shows a finding does.)
explored() {
    echo "$(field verdict) $(field executions) $(field buggy)" \
        "$(field last_bound) $(field new_at_bound) $(field bug_bound)" \
        "$(grep -o '"kind": "[^"]*", "message": "[^"]*"' "$json" | sort | tr '\n' ' ')"
}

# same_space WHAT STRATEGY PROGRAM [ARGUMENT...]: WHAT of -j1 to -j7
same_space() {
    space_what=$1
    space_strategy=$2
    shift 2
    search verify --strategy "$space_strategy" --keep-going -j1 "$@"
    want="$rc $($space_what)"
    for jobs in 2 3 7; do
        search verify --strategy "$space_strategy" --keep-going -j$jobs "$@"
        same "$space_strategy $*: -j$jobs" "$want" "$rc $($space_what)"
    done
    holds "$space_strategy $*: it ran" test -s "$json"
}

with_traces() {
    echo "$(explored) $(field complete) $(field trace_hash)"
}

# An optimal reduction has no redundant executions; for others their number varies.
optimal() {
    echo "$(explored) $(field redundant)"
}

# With a cache, cuts may hide all executions of the next cost, so the last bound is not compared.
counted() {
    echo "$(field verdict) $(field executions) $(field buggy)" \
        "$(grep -o '"kind": "[^"]*", "message": "[^"]*"' "$json" | sort | tr '\n' ' ')"
}

# What is compared where even the number of executions may differ.
found() {
    echo "$(field verdict) $(field complete) $(field last_bound)" \
        "$(grep -o '"kind": "[^"]*", "message": "[^"]*"' "$json" | sort | tr '\n' ' ')"
}

# verify with a bound, and each bound that it reaches.
bounds() {
    search verify --bound 2 -j1 ./micro
    want="$rc $(explored) $(field complete)"
    for jobs in 2 5; do
        search verify --bound 2 -j$jobs ./micro
        same "--bound 2: -j$jobs" "$want $jobs" "$rc $(explored) $(field complete) $(field jobs)"
    done
    search verify --bound iterate --races on -j3 ./sections 3 2
    same "--bound iterate: 6! / 2!^3" "0 90 true" "$rc $(field executions) $(field complete)"
}

# A search that begins anew does so for all workers, and claims what one would.  48 classes
# are enumerated in litmus/expected.tsv; the others' writes make n! of each.
surplus() {
    "$HEDDLE" cc -O1 -o "$work/barrier_surplus" "$here/../litmus/classes/barrier_surplus.c"
    for jobs in 1 2 3 7; do
        for strategy in dpor-optimal dpor dpor-classic dfs+cache; do
            search verify --strategy $strategy --races on --keep-going -j$jobs ./barrier_surplus late 3
            same "surplus: $strategy -j$jobs" "2 288 72 true" \
                "$rc $(field executions) $(field buggy) $(field complete)"
            holds "surplus: $strategy -j$jobs: it began anew" test "$(field discarded)" -gt 0
        done
    done
    lost=0
    disturbed_program="./barrier_surplus late 6"
    for round in 1 2 3; do
        disturbed "surplus, killed, round $round" begun_anew "2 34560 8640 true" \
            verify --strategy dpor --races on --keep-going -j3
        holds "surplus, killed, round $round: it began anew" test "$(field discarded)" -gt 0
    done
    holds "surplus: some were killed" test "$lost" -ge 3
}

# Lazy reductions: the number of classes that dpor-lazy explores depends on the speed of the workers, the set of
# final states does not.
lazy_states() {
    echo "$(field verdict) $(field complete) $(field fell_back) $(field states)"
}

lazy_counted() {
    echo "$(counted) $(field states)"
}

lazy() {
    before=$HEDDLE_OPTIONS
    export HEDDLE_OPTIONS=minimize=off:count=states
    "$HEDDLE" cc -O1 -o "$work/lazy" "$here/programs/lazy.c"
    for program in figure41 account "sections 3 2" "prodcons 2 2" own_sections; do
        "$HEDDLE" cc -O1 -o "$work/${program%% *}" "$here/../litmus/classes/${program%% *}.c"
        same_space lazy_states dpor-lazy ./$program
        same_space lazy_counted dfs+lazycache ./$program
    done
    same_space lazy_counted ipb+lazycache ./figure41
    same_space lazy_counted idb+lazycache ./figure41
# a mutex that some execution tries (trylock); a section in which some execution blocks
    for how in commute tries nests; do
        same_space lazy_states dpor-lazy ./lazy $how 3
        same_space lazy_counted dfs+lazycache ./lazy $how 2
    done
    search verify --strategy dpor-lazy -j3 ./lazy nests 3
    same "dpor-lazy: all fall back" "0 true" "$rc $(field fell_back)"
    holds "dpor-lazy: all began anew" test "$(field passes)" -gt 1
    search verify --strategy dpor-lazy -j3 ./lazy tries 3
    same "dpor-lazy: a mutex is ordinary" "0 false" "$rc $(field fell_back)"
    holds "dpor-lazy: all began anew for it" test "$(field passes)" -gt 1
    lost=0
    disturbed_program="./lazy nests 4"
    search verify --strategy dpor-lazy --keep-going $disturbed_program
    want="$rc $(lazy_states)"
    for round in 1 2; do
        disturbed "dpor-lazy, killed, round $round" lazy_states "$want" verify --strategy dpor-lazy --keep-going -j3
    done
    disturbed_program="./lazy tries 3"
    search verify --strategy dfs+lazycache --keep-going $disturbed_program
    want="$rc $(lazy_counted)"
    for round in 1 2; do
        disturbed "dfs+lazycache, killed, round $round" lazy_counted "$want" \
            verify --strategy dfs+lazycache --keep-going -j3
    done
    holds "lazy: some were killed" test "$lost" -ge 2
    export HEDDLE_OPTIONS=$before
}

ends() {
    echo "$(field verdict) $(field complete)"
}

# maple ends by itself and proves nothing; any worker may force any idiom.  Which ones are forced depends on the speed of
# the workers, so the failure must be certain without them: a profile fails if its random priorities are those of main,
# T3, T2, T1 in this order (1 of 24), and all of 1,000 profiles pass in one of 10^18 searches.
idioms() {
    for jobs in 1 2 3 7; do
        search run --strategy maple:profile=1000 --keep-going -j$jobs ./counter order
        same "maple -j$jobs: found" "2 false $jobs" "$rc $(field complete) $(field jobs)"
        holds "maple -j$jobs: it ends" test "$(field executions)" -lt 5000
        search run --strategy maple --keep-going -j$jobs ./counter
        same "maple -j$jobs: no proof" "4 false" "$rc $(field complete)"
    done
    lost=0
    disturbed_program="./longer"
    disturbed "maple, killed" ends "2 bug false" run --strategy maple:profile=1000,tries=1000 --keep-going -j3
}

begun_anew() {
    echo "$(field executions) $(field buggy) $(field complete)"
}

spaces() {
    for strategy in dfs ipb idb; do
        same_space with_traces $strategy ./longer
        same "$strategy: complete" true "$(field complete)"
    done
    same_space with_traces dfs ./counter order
    for program in "sections 4 2" "prodcons 2 2" "figure41" "lastzero 6" "micro"; do
        "$HEDDLE" cc -O1 -o "$work/${program%% *}" "$here/../litmus/classes/${program%% *}.c"
        same_space optimal dpor-optimal ./$program
        same_space explored dpor ./$program
    done
    same_space optimal dpor-optimal ./counter order
    same_space explored bpor-lazy ./longer
    same_space explored bpor-lazy ./sections 3 2
    for strategy in dfs+cache ipb+cache idb+cache; do
        same_space counted $strategy ./longer
        same_space counted $strategy ./sections 3 2
    done
    for strategy in bpor bpor-source; do # each class at least once, but how often varies
        same_space found $strategy ./counter order
        same_space found $strategy ./sections 2 2
    done
    search verify --strategy dpor-optimal -j3 ./sections 4 2
    same "4 x 2 sections: 8! / 2!^4" 2520 "$(field executions)"
}

# Racing accesses as points: all workers are in one pass, with the same sites.  How much is
# discarded, and in which order the accesses of a race are seen first, depends on who is first.
with_sites() {
    echo "$(field verdict) $(field executions) $(field buggy) $(field complete)" \
        "$(field racing_sites) $(grep -o '"kind": "[^"]*"' "$json" | sort | tr '\n' ' ')"
}

# A search that samples finds the sites in the same executions, whatever the number of
# workers: the same points, the same findings.
points() {
    for program in bluetooth lost_update_bug three points_micro; do
        "$HEDDLE" cc -O1 -o "$work/$program" "$here/../litmus/points/${program#points_}.c"
    done
    for strategy in dfs dpor dpor-optimal ipb; do
        for program in bluetooth lost_update_bug three; do
            same_space with_sites $strategy --races on --points races ./$program
            same "$strategy, $program: complete" true "$(field complete)"
        done
        same_space with_sites $strategy --races on --points all ./bluetooth
    done
    same_space with_sites dpor-optimal --races on --points races ./points_micro
    same "micro, points races: sites" "51318 5" "$(field executions) $(field racing_sites)"
    for all_program in ./bluetooth ./lost_update_bug; do
        same_for_all "random, points races, $all_program" run --strategy random --executions 3000 \
            --seed 5 --keep-going --races on --points races
        holds "random, points races, $all_program: there is harm" test "$(field buggy)" -gt 100
    done
    all_program=./bluetooth
    same_for_all "random, points races, a process each" run --strategy random --executions 150 \
        --seed 5 --keep-going --races on --points races --isolation fork
}

ends_of_spaces() {
    search verify --strategy dfs -j1 --keep-going ./ordered
    want=$(with_traces)
    search verify --strategy dfs -j3 --keep-going --isolation fork ./ordered
    same "dfs: a process each" "$want" "$(with_traces)"
    search verify --strategy dfs --executions 5000 -j3 ./counter
    same "dfs: a limit" "4 false" "$rc $(field complete)"
    holds "dfs: a limit is reached" test "$(field executions)" -ge 5000
    holds "dfs: a limit is not passed by much" test "$(field executions)" -le 5024
    search verify --strategy dfs -j3 ./counter order
    same "dfs: stops" "2 1" "$rc $(grep -c '"id":' "$json")"
    heddle replay -o "$work/found"
    same "dfs: replay" 2 "$rc"
}

# The numbers of the litmus programs are those of one worker.  (The other directories are of
# detectors, and the search does not differ between them; some of those here are left for HEDDLE_DEEP=1.)
litmus() {
    for rows in "3 classes" "3 basic" "2 checks" "3 faults" "2 heap" ${HEDDLE_DEEP:+"2 classes" "3 study" "3 locks"}; do
        HEDDLE_OPTIONS='' "$here/../litmus/run" -j "${rows%% *}" -p "${rows#* }" >"$work/said" 2>&1
        same "litmus: -j$rows" 0 $?
        says "litmus: -j$rows, most rows" '[0-9][0-9] passed, 0 failed'
    done
}

killed() {
    lost=0
    disturbed_program="./counter order"
    set -- run --strategy random --executions 400000 --seed 9 --keep-going
    search "$@" ./counter order
    want="$rc $(sampled)"
    for round in 1 2; do
        disturbed "random, killed, round $round" sampled "$want" "$@" -j3
    done
    for strategy in dfs ipb idb dpor dpor-optimal bpor-lazy dfs+cache; do
        case $strategy in
        *+cache) what=counted disturbed_program="./counter order" ;;
        *por*) what=explored disturbed_program=./micro ;; # 51,318 classes: time enough
        *) what=with_traces disturbed_program="./counter order" ;;
        esac
        set -- verify --strategy $strategy --keep-going
        case $strategy in # about as long as all processes are being killed
        bpor-lazy) set -- verify --bound 4 --keep-going ;;
        ipb) set -- "$@" --bound 7 ;;
        idb) set -- "$@" --bound 9 ;;
        esac
        search "$@" $disturbed_program
        want="$rc $($what)"
        for round in 1 2 3; do
            disturbed "$strategy, killed, round $round" $what "$want" "$@" -j3
        done
    done
    disturbed_program=./points_micro
    set -- verify --strategy dpor-optimal --keep-going --races on --points races
    want=$(points_micro_wants)
    for round in 1 2 3; do
        disturbed "passes, killed, round $round" with_sites "$want" "$@" -j3
    done
    disturbed_program=./bluetooth
    set -- run --strategy random --executions 200000 --seed 9 --keep-going --races on --points races
    search "$@" $disturbed_program
    want="$rc $(sampled)"
    for round in 1 2; do
        disturbed "sites of samples, killed, round $round" sampled "$want" "$@" -j3
    done
    disturbed_program="./counter order"
    set -- verify --strategy dfs --keep-going
    search "$@" $disturbed_program
    disturbed "one worker, killed with its zygote" with_traces "$rc $(with_traces)" "$@" -j1
    set -- run --strategy random --executions 2000 --seed 9 --keep-going --isolation fork
    search "$@" $disturbed_program
    disturbed "a process each, killed" sampled "$rc $(sampled)" "$@" -j3
    echo "processes killed and replaced: $lost"
    holds "some were killed" test "$lost" -ge 20
}

# begin_endless: a search that does not end by itself; its processes into $processes
begin_endless() {
    rm -f "$json"
    (cd "$work" && exec env - HOME=/ "$HEDDLE" run --strategy random --executions 100000000000 -j3 \
        --budget 60s --progress none --json "$json" -o "$work/found" ./counter) >"$work/said" 2>&1 &
    tool=$!
    eventually has_three_workers
    processes="$(zygotes $tool) $(workers $tool)"
}

has_three_workers() {
    [ "$(workers $tool | wc -l)" = 3 ]
}

interrupted() {
    begin_endless
    eventually has_worked "$(workers $tool | head -1)"
    kill -INT $tool
    wait $tool
    same "SIGINT" "4 true budget" "$? $(field interrupted) $(field verdict)"
    holds "SIGINT: some executions" test "$(field executions)" -gt 0
    all_gone SIGINT $processes
}

conductor_dies() {
    begin_endless
    holds "conductor killed: there were six processes" test "$(echo $processes | wc -w)" = 6
    kill -KILL $tool
    wait $tool 2>/dev/null
    all_gone "conductor killed" $processes
}

# A budget is for all together.
budget() {
    search run --strategy random --executions 100000000000 --budget 1s -j3 ./counter
    same "budget" "4 budget" "$rc $(field verdict)"
    holds "budget: in time" test "$(field seconds | cut -d. -f1)" -lt 60 # the executions would take days
}

# On a single processor it is slower, but the same; auto counts what may be used.
one_processor() {
    first=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
    random 5000 7 ./counter
    want="$(field executions) $(field trace_hash)"
    rm -f "$json"
    (cd "$work" && taskset -c "$first" "$HEDDLE" run --strategy random --executions 5000 --seed 7 -j3 \
        --progress none --json "$json" ./counter) >"$work/said" 2>&1
    same "one processor" "4 $want" "$? $(field executions) $(field trace_hash)"
    rm -f "$json"
    (cd "$work" && taskset -c "$first" "$HEDDLE" run --strategy random --executions 50 -j auto \
        --progress none --json "$json" ./counter) >"$work/said" 2>&1
    same "-j auto on one processor" 1 "$(field jobs)"
    usable=$(nproc)
    [ "$usable" -le 50 ] || usable=50
    random 50 7 -j0 ./counter
    same "-j 0: all processors" "$usable" "$(field jobs)"
}

# One that cannot run is said once, and ends all.
refused() {
    heddle run --strategy pct:d=99 -j3 ./counter
    same "refused" "1 1" "$rc $(grep -c 'd wants a whole number, 1 to 64' "$work/said")"
}

leaves_nothing() {
    mkdir "$work/empty" "$work/tmp"
    cp "$work/counter" "$work/empty"
    (cd "$work/empty" && TMPDIR=$work/tmp in_own_shm "$HEDDLE" run --strategy random --executions 1000 -j3 ./counter) \
        >"$work/said" 2>&1
    same "a clean run leaves nothing" counter "$(ls -A "$work/empty")"
    same "nothing in TMPDIR" "" "$(ls -A "$work/tmp")"
    same "nothing in /dev/shm" "" "$(cat "$work/shm" 2>/dev/null)"
}

build counter counter.c -O1 && build fails fails.c -O1 && build ordered ordered.c -O1 &&
    build longer ordered.c -O1 -DEXTRA || finish
samples
stops
adapts
spaces
bounds
surplus
lazy
idioms
points
ends_of_spaces
litmus
killed
interrupted
conductor_dies
budget
one_processor
refused
leaves_nothing
finish
