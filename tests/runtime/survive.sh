#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# survive.sh - no search is lost when a process of the target dies: by a kill from
# outside, by its own crash, after it has overwritten its memory, or because it
# hangs; and an interrupted run still says what it has seen and cleans up.
. "$(dirname "$0")/common.shlib"
need gcc pgrep
# a kill, or the time, may end minimisation early; here the search is what must not change
export HEDDLE_OPTIONS=$HEDDLE_OPTIONS:minimize=off

# What must not depend on which process died in between.
outcome() {
    echo "$(field verdict) $(field complete) $(field executions) $(field buggy)" \
        "$(grep -o '"id": "[^"]*"' "$json" | sort | tr '\n' ' ')"
}

# The worker is the child of the zygote, which is the child of the tool.
worker_of() {
    worker_zygote=$(pgrep -P "$1" | head -1)
    [ -n "$worker_zygote" ] && pgrep -P "$worker_zygote" | head -1
}

has_worker() {
    [ -n "$(worker_of "$1")" ]
}

# kill_workers TOOL HUNDREDTHS...: after each pause, one SIGKILL
kill_workers() {
    tool=$1
    shift
    for pause in "$@"; do
        sleep "0.$pause"
        victim=$(worker_of "$tool") && [ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null
    done
}

# disturbed NAME WANT PAUSE...: the whole space of counter, with workers killed
disturbed() {
    name=$1
    want=$2
    shift 2
    rm -f "$json"
    (cd "$work" && exec "$HEDDLE" verify --strategy dfs --keep-going --progress none --json "$json" \
        -o "$work/found" ./counter order) >"$work/said" 2>&1 &
    tool=$!
    eventually has_worker "$tool"
    kill_workers "$tool" "$@"
    wait "$tool"
    rc=$?
    same "$name: exit code" 2 "$rc"
    same "$name" "$want" "$(outcome)"
    lost=$((lost + $(field workers_lost)))
}

killed() {
    build counter counter.c -O1 || return
    search verify --strategy dfs --keep-going ./counter order
    want=$(outcome)
    same "counter: all orders" "bug true 188604" "$(echo "$want" | cut -d' ' -f1-3)"
    lost=0
    disturbed "killed often" "$want" 05 03 07 02 05 01 04 06 03
    disturbed "killed early" "$want" 01 01 01 01 01
    disturbed "killed now and then" "$want" 11 13 17
    echo "workers killed and replaced: $lost"
    holds "some were killed" test "$lost" -ge 3
}

# A worker that waits to hear whether its finding is suppressed dies before it does: the
# tool stands still meanwhile.
judged() {
    build counter counter.c -O1 || return
    printf '{\nknown\nkind: *\n...\nobj: counter\n}\n' >"$work/known.supp"
    search verify --strategy dfs --suppressions "$work/known.supp" ./counter order
    want="$(outcome) $(field suppressed)"
    same "suppressed: all orders" "clean true 188604 0 1" "$(echo $want)"
    lost=0
    for pause in 02 03 04 05 06 07; do
        rm -f "$json"
        (cd "$work" && exec "$HEDDLE" verify --strategy dfs --suppressions known.supp --progress none \
            --json "$json" -o "$work/found" ./counter order) >"$work/said" 2>&1 &
        tool=$!
        eventually has_worker "$tool"
        sleep "0.$pause"
        kill -STOP "$tool"
        kill_workers "$tool" 05
        kill -CONT "$tool"
        wait "$tool"
        same "suppressed, killed after 0.$pause: exit code" 0 $?
        same "suppressed, killed after 0.$pause" "$want" "$(outcome) $(field suppressed)"
        lost=$((lost + $(field workers_lost)))
    done
    holds "some were killed while they were judged" test "$lost" -ge 1
}

# Whatever kills the process, the totals are those of the failing assertion.
crashes() {
    build fails fails.c -O1 || return
    search verify --races on --keep-going ./fails assert
    want="2 $(field complete) $(field executions) $(field buggy)"
    same "assert: complete" true "$(field complete)"
    for how in segv fpe ill call abort raise corrupt; do
        search verify --races on --keep-going ./fails $how
        same "$how: totals" "$want" "$rc $(field complete) $(field executions) $(field buggy)"
        same "$how: one finding" 1 "$(grep -c '"id":' "$json")"
        heddle replay -o "$work/found"
        same "$how: replay" 2 "$rc"
    done
    # The process is gone at once, also for the other threads: the search goes on,
    # but it does not call itself complete.
    search verify --races on --keep-going ./fails kill
    same "kill: totals" "${want#* * }" "$(field executions) $(field buggy)"
    same "kill: not complete" "2 false" "$rc $(field complete)"
    heddle replay -o "$work/found"
    same "kill: replay" 2 "$rc"
    says "kill: the same again" "the process is killed by SIGKILL"
}

# Whatever kills a process between its executions, or in one that is not judged: nothing
# is claimed.
dies_unjudged() {
    build left_pending left_pending.c -O1 || return
    for strategy in dfs dpor dpor-optimal; do
        search verify --strategy $strategy ./left_pending
        holds "left pending, $strategy: never clean" test "$(field verdict) $rc" != "clean 0"
        same "left pending, $strategy: not complete" false "$(field complete)"
    done
}

# A loop that neither instrumentation nor an interceptor sees.  The watchdog of
# the conductor needs 10 seconds for each, so only one execution is let hang.
hangs() {
    search run --strategy random --seed 5 --executions 1000 ./fails hang
    same "hang" "4 budget 1 1" "$rc $(field verdict) $(field hangs) $(field too_long)"
    holds "hang: a warning, no finding" grep -q '{"kind": "no-progress",' "$json"
    holds "hang: what it is" grep -q 'has computed for a long time without doing anything that Heddle sees' "$json"
    holds "hang: where it is" grep -q 'It stood in fail_now (fails.c:' "$json"
    search run --strategy random --seed 5 --executions 1000 --livelock 1000 ./fails hang
    same "hang, limited" "2 bug livelock 1" "$rc $(field verdict) $(field kind) $(field hangs)"
}

# A worker that is killed between its finding and the end of the execution: that is
# run again, so the finding belongs to an execution that counts.
killed_after_finding() {
    build lost lost.c -O1 || return
    rm -f "$json"
    mkdir "$work/waits" # the program waits while it is there
    (cd "$work" && exec "$HEDDLE" run --strategy random --seed 5 --executions 3 --progress none \
        --json "$json" -o "$work/waited" ./lost find) >"$work/said" 2>&1 &
    tool=$!
    eventually test -e "$work/waited/latest"
    rmdir "$work/waits"
    kill -KILL "$(worker_of $tool)"
    wait "$tool"
    rc=$?
    same "killed after the finding" "2 bug lock-misuse 1 1 1" \
        "$rc $(field verdict) $(field kind) $(field executions) $(field buggy) $(field workers_lost)"
}

# A thread that crashes inside stdio keeps the lock of the stream: the others neither
# hang nor add a finding of their own.
crash_inside_stdio() {
    build lost lost.c -O1 || return
    search run --strategy random --seed 5 --executions 5 --keep-going ./lost stdio
    same "crash inside stdio" "2 crash 5 5 0" \
        "$rc $(field kind) $(field executions) $(field buggy) $(field hangs)"
    same "crash inside stdio: one finding" 1 "$(grep -c '"id":' "$json")"
}

# What happens before main is neither a finding nor a bug of Heddle: it is said, with the
# remedy, whatever budget there is.  The limit for computing there is 10 seconds.
before_main() {
    build before before.c -O1 || return
    for how in segv abort exit; do
        case $how in
        segv) want='killed by signal 11' ;;
        abort) want='killed by signal 6' ;;
        exit) want='exit code 3' ;;
        esac
        export BEFORE_MAIN=$how
        search verify ./before
        same "$how before main" "1 error 0 null" \
            "$rc $(field verdict) $(field executions) $(field last_bound)"
        says "$how before main: how" "ended before main began ($want"
        says "$how before main: remedy" 'run it alone first'
    done
    for how in loop wait; do
        export BEFORE_MAIN=$how
        search run --budget 1s ./before
        same "$how before main, budget" "1 error" "$rc $(field verdict)"
        says "$how before main, budget" 'did not reach main within [0-9]* seconds'
        says "$how before main, budget: remedy" 'run it alone first'
    done
    export BEFORE_MAIN=loop
    search verify ./before
    same "loop before main" "1 error" "$rc $(field verdict)"
    says "loop before main" 'did not reach main within [0-9]* seconds'
    unset BEFORE_MAIN
    search verify --strategy dfs ./before
    same "nothing before main" "0 clean" "$rc $(field verdict)"
}

# System calls by instruction that would end the process: the execution ends there, not the worker.
replaced() {
    build lost lost.c -O1 || return
    for how in exec leave; do
        case $how in exec) good="exit 0" ;; *) good=0 ;; esac
        search run --strategy random --seed 5 --executions 3 ./lost $how "$good"
        same "$how" "4 budget 3 0 0" \
            "$rc $(field verdict) $(field executions) $(field buggy) $(field workers_lost)"
        search verify --executions 3 ./lost $how "$good"
        same "$how: nothing is proved" "4 false" "$rc $(field complete)"
    done
    search run --strategy random --seed 5 --executions 3 ./lost exec "exit 7"
    same "exec, badly: what the other program does is not part of it" "4 budget 3 0" \
        "$rc $(field verdict) $(field executions) $(field buggy)"
    says "exec: note" 'replaces itself by another program'
    search run --strategy random --seed 5 --executions 3 ./lost leave 7
    same "leave, badly" "2 bug 1 1" "$rc $(field verdict) $(field executions) $(field buggy)"
}

# Children that vanish without a status for the process that waits: the setting is inherited,
# or a constructor of the program makes it.
children_ignored() {
    build lost lost.c -O1 || return
    export LOST_IGNORE=1
    search run --strategy random --seed 5 --executions 3 --budget 60s ./lost
    same "SIGCHLD ignored by a constructor" "4 3 0" "$rc $(field executions) $(field workers_lost)"
    unset LOST_IGNORE
    rm -f "$json"
    command -v perl >/dev/null 2>&1 || return # shells do not hand SIGCHLD on as ignored
    (cd "$work" && exec timeout 60 perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' "$HEDDLE" run \
        --strategy random --executions 3 --progress none --json "$json" ./lost) >"$work/said" 2>&1
    same "SIGCHLD ignored from outside" "4 3" "$? $(field executions)"
}

# SIGINT in the middle: a summary, and nothing is left behind.
interrupted() {
    build counter counter.c -O1 || return
    rm -f "$json"
    (cd "$work" && exec env - HOME=/ "$HEDDLE" run --strategy random --executions 1000000000 \
        --budget 60s --progress none --json "$json" -o "$work/found" ./counter) >"$work/said" 2>&1 &
    tool=$!
    eventually has_worker $tool
    zygote=$(pgrep -P $tool)
    worker=$(worker_of $tool)
    eventually has_worked "$worker" # how much is done in it does not matter
    kill -INT $tool
    wait "$tool"
    rc=$?
    same "SIGINT: exit code" 4 "$rc"
    same "SIGINT: interrupted" "true budget" "$(field interrupted) $(field verdict)"
    says "SIGINT: summary" 'executions in'
    holds "SIGINT: some executions" test "$(field executions)" -gt 0
    for process in $zygote $worker; do
        holds "SIGINT: process $process is gone" eventually gone "$process"
    done
}

# A dead conductor takes everything with it.
conductor_dies() {
    (cd "$work" && exec "$HEDDLE" run --strategy random --executions 1000000000 --budget 60s \
        --progress none -o "$work/found" ./counter) >"$work/said" 2>&1 &
    tool=$!
    eventually has_worker $tool
    zygote=$(pgrep -P $tool)
    worker=$(worker_of $tool)
    kill -KILL $tool
    wait $tool 2>/dev/null
    holds "conductor killed: there was a worker" test -n "$worker"
    for process in $zygote $worker; do
        holds "conductor killed: process $process is gone" eventually gone "$process"
    done
}

# Nothing is written but the directory of -o, and only when there is a finding.
leaves_nothing() {
    mkdir "$work/empty" "$work/tmp"
    cp "$work/counter" "$work/fails" "$work/empty"
    for run in "run --executions 1000 ./counter" "verify --executions 100 ./counter" \
        "run --isolation fork --executions 20 ./counter"; do
        (cd "$work/empty" && TMPDIR=$work/tmp in_own_shm "$HEDDLE" $run >"$work/said" 2>&1)
    done
    same "a clean run leaves nothing" "counter fails" "$(ls -A "$work/empty" | sort | xargs)"
    for how in segv assert corrupt kill; do
        (cd "$work/empty" && TMPDIR=$work/tmp in_own_shm "$HEDDLE" run -o out ./fails $how >"$work/said" 2>&1)
    done
    same "a finding leaves its directory" "counter fails out" "$(ls -A "$work/empty" | sort | xargs)"
    same "nothing in TMPDIR" "" "$(ls -A "$work/tmp")"
    same "nothing in /dev/shm" "" "$(cat "$work/shm" 2>/dev/null)"
}

killed
judged
crashes
dies_unjudged
hangs
killed_after_finding
crash_inside_stdio
before_main
replaced
children_ignored
interrupted
conductor_dies
leaves_nothing
finish
