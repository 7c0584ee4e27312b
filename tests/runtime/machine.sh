#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# machine.sh - what an execution makes on the machine, or changes of its process, is not there in the
# next one, and nothing of it is left when the search is over; a bug beside it is found.
. "$(dirname "$0")/common.shlib"

build prog on_the_machine.c -g -O1 -lrt || finish
key=$((0x48000000 + $$)) # keys belong to the whole machine

# nothing_left NAME
nothing_left() {
    same "$1: nothing is left" "" "$(grep -hw "$key" /proc/sysvipc/msg /proc/sysvipc/sem /proc/sysvipc/shm)"
}

# tidy WAY WHAT: no finding in process or forked, a bug beside it is found, nothing is left
tidy() {
    for isolation in auto inproc fork; do
        search verify --strategy dfs --isolation $isolation ./prog "$1" "$2"
        same "$1, $isolation" 0 "$(field buggy)"
        holds "$1, $isolation: runs" [ "$(field executions)" -gt 1 ]
        nothing_left "$1, $isolation"
    done
    search verify --strategy dfs -j2 ./prog "$1" "$2"
    same "$1, two workers" 0 "$(field buggy)"
    search verify --strategy dfs ./prog "$1" "$2" order
    same "$1: a bug beside it" "2 assertion" "$rc $(field kind)"
    nothing_left "$1 with a bug"
}

for way in messages semaphores number; do
    tidy $way $key
    search verify --strategy dfs ./prog $way $key
    same "$way: claimed" 0 "$rc"
done
tidy segment $key
tidy queue /heddle-$$
search verify --strategy dfs ./prog queue /heddle-$$
same "queue: claimed" 0 "$rc"

# Objects of other processes are not removed, and changes to them are not undone.
(cd "$work" && ./prog messages $key) 2>/dev/null
search run --executions 1 ./prog messages $key
says "a queue of somebody else" 'a System V queue that was there before'
holds "it is still there" grep -qw "$key" /proc/sysvipc/msg
ipcrm -Q $key

# Limits of memory: Heddle's own memory is larger than any.
for way in address-space data; do
    search verify --strategy dfs ./prog $way
    same "$way" "4 0" "$rc $(field buggy)"
    says "$way: named" 'the limit of memory that it sets .* is not enforced'
    search verify --strategy dfs ./prog $way '' order
    same "$way: a bug beside it" "2 assertion" "$rc $(field kind)"
done

search verify --strategy dfs ./prog setting
same "a setting of prctl" "0 fork 0" "$rc $(field isolation) $(field buggy)"
if [ "$(id -u)" = 0 ]; then
    search verify --strategy dfs ./prog root "$work"
    same "another root" "fork 0" "$(field isolation) $(field buggy)"
fi
# The host name, in a namespace that no other process uses.
if unshare --uts true 2>/dev/null; then
    before=$(uname -n)
    left=$(cd "$work" && unshare --uts sh -c '"$HEDDLE" verify --strategy dfs ./prog host another >said 2>&1; uname -n')
    same "the name of the machine" "$before" "$left"
    says "the name of the machine: no finding" 'executions found nothing'
    says "the name of the machine: named" 'system call sethostname in '
fi
# Files of programs that it starts are not put back: whatever follows is not claimed, and it is said why.
search verify --strategy dfs ./prog command left-here
says "a file of another program: named" 'left-here has appeared in the working directory'
holds "a file of another program: no claim" [ "$rc" -ne 0 ]
rm -f "$work/left-here"
search run --executions 3 --keep-going ./prog command left-here
says "a file of another program, run: named" 'left-here has appeared in the working directory'
rm -f "$work/left-here"

search verify --strategy dfs ./prog node "$work/node"
same "a node" 0 "$(field buggy)"
holds "the node is gone" [ ! -e "$work/node" ]

finish
