#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# traps.sh - the ways in which restarting a program within one process can go
# wrong, one program each.  Every program checks its own initial state in every
# execution; what it cannot check itself is compared with executions that have a
# fresh process each.
. "$(dirname "$0")/common.shlib"
need gcc g++

printf 0123456789 >"$work/digits"
times=1
[ -z "${HEDDLE_DEEP:-}" ] || times=20

# restarts SOURCE N [ARGUMENT...]: build and run N executions in one process, more
# of them when there is time
restarts() {
    restart_source=$1
    restart_n=$(($2 * times))
    shift 2
    build prog "$restart_source" -O1 || return
    clean_random "$restart_source" "$restart_n" --isolation inproc ./prog "$@"
}

# fork_note NAME: the run that just ended went over to fork isolation and said so
fork_note() {
    same "$1: isolation" fork "$(field isolation)"
    says "$1: note" 'each execution.*process\|process of its own\|isolation'
}

threads() {
    restarts threads20.c 2000
    restarts late_thread.c 5000
    restarts leave.c 10000
    clean_random "leave.c, late" 5000 --isolation inproc ./prog late
    restarts leave.cc 10000
    restarts deep.c 2000
}

# Threads that constructors start belong to every execution, unless the constructor
# waits for them: then the tool says that it does not control them.
early_threads() {
    build prog early.c -O1 || return
    same_when_forked early.c 300 ./prog
    clean_random "early.c, long" 10000 --isolation inproc ./prog
    same "early.c: all of it is controlled" 1 "$(grep -c '"uncontrolled": \[\]' "$json")"
    build prog early_awaited.c -O1 || return
    for how in join c11 condition semaphore pipe yield sleep spin "semaphore stay"; do
        # shellcheck disable=SC2086
        clean_random "early_awaited.c $how" 300 ./prog $how
        says "early_awaited.c $how: note" 'started before main'
    done
}

# More expiries of a timer than Heddle lets happen: no deadlock, and no claim either.
timers() {
    build prog ticks.c -O1 || return
    clean_random ticks.c 200 ./prog
    says "ticks.c: note" 'notify 3 times'
}

# What creating a thread needs may begin on a new page of the creator's stack.
depths() {
    build prog depth.c -O1 || return
    depth=0
    while [ $depth -le 4096 ]; do
        random 2 5 ./prog $depth
        [ "$rc" = 4 ] || fail "depth.c $depth" "exit code $rc"
        depth=$((depth + 32))
    done
    pass
}

libc() {
    export TRAPS_OLD="as it was"
    restarts arguments.c 5000 one -a x two,three -b
    restarts libc_state.c 5000
    restarts stdio.c 2000 "$work/digits"
    build prog rounding.c -O1 -lm && clean_random rounding.c 5000 --isolation inproc ./prog
    restarts floats.c 3000
}

cplusplus() {
    restarts constructors.cc 1000
    restarts throwing.cc 3000
}

leftovers() {
    for source in stack_garbage.c heap_garbage.c libc_state.c; do
        build prog $source -O1 || continue
        same_when_forked $source 300 ./prog
        clean_random "$source, long" 5000 --isolation inproc ./prog
    done
}

kernel_state() {
    umask 022
    build prog signals.c -O1 && clean_random signals.c 2000 ./prog
    build prog descriptors.c -O1 && same_when_forked descriptors.c 300 ./prog "$work/digits" &&
        clean_random "descriptors.c, long" 3000 --isolation inproc ./prog "$work/digits"
    build prog surroundings.c -O1 && same_when_forked surroundings.c 300 ./prog "$work" &&
        clean_random "surroundings.c, long" 3000 --isolation inproc ./prog "$work"
    build prog identity.c -O1 && clean_random identity.c 100 --isolation inproc ./prog
}

# What a thread waits for may come from a child, also when it has waited since before the fork,
# and late: that is no livelock.
child_process() {
    build prog child_writes.c -O1 || return
    clean_random child_writes.c 100 ./prog
    says "child_writes.c: note" 'child processes'
    clean_random "child_writes.c, late" 3 ./prog late
}

# Descriptors beside 0, 1 and 2 that the search was started with, and one of those missing.
inherited_descriptors() {
    build prog inherits.c -O1 || return
    for how in keep close; do
        clean_random "inherits.c $how" 100 --isolation inproc ./prog $how 9<"$work/digits"
    done
    build prog late_thread.c -O1 || return
    clean_random "standard input is closed" 100 ./prog <&-
}

# The numbers of descriptors are the same in the search, in the second look at a race, in
# what makes the schedule smaller, and in a replay.
descriptor_numbers() {
    build prog numbers.c -O1 || return
    heddle run --progress none --races on --points races --keep-going --executions 1000 -o "$work/found" --json "$json" ./prog
    same "numbers.c" "2 bug" "$rc $(field verdict)"
    for schedule in "$work"/found/*.heddle; do
        heddle replay --color never "$schedule"
        same "numbers.c, replayed" 2 "$rc"
    done
}

# More of something than any table is made for: cut with a note, never a finding that
# is none and never the end of the search.
limits() {
    build prog limits.c -O1 -w || return
    for case in fences:'million fences' inits:'million fences' threads:'1,280 threads'; do
        random 2 5 ./prog "${case%%:*}"
        same "limits.c ${case%%:*}" "4 budget 2 0 0" \
            "$rc $(field verdict) $(field executions) $(field buggy) $(field workers_lost)"
        says "limits.c ${case%%:*}: note" "more than.*${case#*:}"
    done
    random 2 5 --max-steps 2000000 ./prog objects 1200000
    same "limits.c objects" "4 2 0" "$rc $(field executions) $(field buggy)"
    says "limits.c objects: note" 'a million objects'
    clean_random "limits.c conditions" 3 ./prog conditions
    build many many_threads.c -O1 || return
    clean_random "many_threads.c, ordered" 3 --races on ./many ordered
    random 20 5 --races on ./many
    same "many_threads.c" "2 data-race" "$rc $(field kind)"
    random 2 5 ./prog choices # as long as a loop of any other steps: no finding ...
    same "limits.c choices" "4 2 0" "$rc $(field executions) $(field buggy)"
    says "limits.c choices: note" 'ran too long'
    random 2 5 --livelock 5000 ./prog choices # ... unless an option says that it is one
    same "limits.c choices, limited" "2 livelock" "$rc $(field kind)"
    # A new process for each execution finds the rows of the ones before; looking at
    # all of them for each would take minutes.
    clean_random "limits.c many objects, forked" 100 --isolation fork ./prog objects 60000
}

# Hundreds of thousands of events in an execution: found, and seen again at the same step.
many_events() {
    build prog events.c -O1 || return
    random 200 5 --minimize off ./prog 50000
    same "events.c" "2 bug assertion" "$rc $(field verdict) $(field kind)"
    holds "events.c: all of them" test "$(field steps_max)" -ge 400000
    heddle replay -o "$work/found" --color never
    same "events.c, replayed" 2 "$rc"
    says "events.c, replayed" 'the same assertion again'
}

# Nor can Heddle watch pages whose protection the program changes; mappings that the
# execution has made itself are no matter.
protection() {
    build prog protection.c -O1 || return
    clean_random protection.c 200 ./prog data
    fork_note protection.c
    clean_random "protection.c, heap" 200 ./prog heap
    fork_note "protection.c, heap"
    clean_random "protection.c, in process" 200 --isolation inproc ./prog data
    clean_random "protection.c, mapping" 2000 ./prog mapping
    same "protection.c, mapping: isolation" inproc "$(field isolation)"
}

# Loading a library cannot be undone: the tool must notice by itself.
loading() {
    build prog conversion.c -O1 && clean_random conversion.c 200 ./prog &&
        fork_note conversion.c
    gcc -shared -fPIC -o "$work/plugin.so" "$programs/plugin.c" || return
    build prog load.c -O1 -ldl || return
    clean_random load.c 200 ./prog "$work/plugin.so"
    fork_note load.c
    clean_random "load.c after 12 threads" 100 ./prog "$work/plugin.so" 12
    fork_note "load.c after 12 threads"
}

# listed DIRECTORY: everything that is in it, with contents and all that is known of it but
# the times of directories and numbers of files
listed() {
    (cd "$1" && find . -printf '%p %y %m %l ' \( -type f -printf '%s %T@ ' -exec cksum {} \; -o -printf '\n' \) | sort)
}

# Every execution begins with the same files, and leaves them so, however it ends.
files() {
    build prog files.c -O1 || return
    at=$work/files
    mkdir -p "$at/dir" && mkfifo "$at/pipe" && ln -s kept "$at/link"
    for name in kept gone old guarded dir/in; do
        printf %s "${name#dir/}" >"$at/$name"
    done
    head -c 200000 /dev/zero >"$at/large"
    chmod 444 "$at/guarded"
    touch -d @1000000000 "$at/kept"
    listed "$at" >"$work/before"
    for isolation in auto inproc fork; do
        (cd "$at" && exec "$HEDDLE" verify --progress none --races on --isolation $isolation -o "$work/found" --json "$json" ../prog) \
            >"$work/said" 2>&1
        same "files.c, $isolation" "0 clean 2" "$? $(field verdict) $(field executions)"
        listed "$at" >"$work/after"
        holds "files.c, $isolation: left as they were" cmp "$work/before" "$work/after"
    done
    same "files.c: nothing outlives an execution" 0 "$(grep -c outlive "$work/said")"
    for how in crash kill; do
        (cd "$at" && exec "$HEDDLE" run --progress none --strategy dfs --executions 500 --keep-going --minimize off -o "$work/found" \
            --json "$json" ../prog $how) >"$work/said" 2>&1
        same "files.c, $how" "2 crash" "$? $(field kind)"
        holds "files.c, $how: no execution finds what another has left" test "$(grep -c FOUND "$work/said")" = 1
        listed "$at" >"$work/after"
        holds "files.c, $how: left as they were" cmp "$work/before" "$work/after"
    done
}

# A large image that is hardly touched must not make executions much slower.  Restoring all of it would
# take milliseconds, hundreds of times as long as an execution: a factor of 30 is no matter of the load.
large_image() {
    build small image.c -O1 && build large image.c -O1 -DIMAGE_MB=64 || return
    clean_random "image.c, small" 20000 --isolation inproc ./small
    small=$(field executions_per_second)
    clean_random "image.c, 64 MB" 20000 --isolation inproc ./large
    large=$(field executions_per_second)
    echo "64 MB image: $large executions/s, small one: $small"
    holds "image.c: at least a thirtieth of the speed" test $((large * 30)) -ge "$small"
}

# Ends of a process that must become findings; each must repeat itself.
ends() {
    build prog fails.c -O1 || return
    for case in assert:assertion segv:crash fpe:crash ill:crash call:crash abort:abort \
        raise:crash corrupt:crash exit:exit-code quit:exit-code; do
        how=${case%:*}
        kind=${case#*:}
        random 1000 5 ./prog "$how"
        same "$how" "2 bug $kind" "$rc $(field verdict) $(field kind)"
        heddle replay -o "$work/found" --color never
        same "$how, replayed" 2 "$rc"
    done
    build prog deep.c -O1 || return
    random 1000 5 ./prog endless
    same "stack overflow" "2 bug crash" "$rc $(field verdict) $(field kind)"
}

threads
early_threads
timers
depths
libc
cplusplus
leftovers
kernel_state
inherited_descriptors
descriptor_numbers
child_process
limits
many_events
protection
loading
files
large_image
ends
finish
