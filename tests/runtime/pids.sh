#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# pids.sh - processes outside the program: made-up numbers never reach the kernel, a program is
# one process on its wire, and nothing of it is left behind.
. "$(dirname "$0")/common.shlib"
need gcc

# still NAME: a process with that argument list is there
still() {
    pgrep -f -x "$1" >/dev/null
}

numbers() {
    build pids pids.c -O1 && random 3 1 ./pids
    says "the parent is named" "signal to the parent"
    says "everybody is named" "signal to all processes"
    holds "no finding" [ "$rc" -ne 2 ]
}

one_process() {
    build daemonize daemonize.c -O1
    for strategy in dfs dpor dpor-optimal; do
        search verify --strategy $strategy ./daemonize
        holds "daemon(), $strategy: no finding" [ "$rc" -ne 2 -a "$rc" -ne 3 ]
        first=$(field executions)
        search verify --strategy $strategy ./daemonize
        same "daemon(), $strategy: twice the same" "$first" "$(field executions)"
    done
    build cloning cloning.c -O1 && random 5 1 ./cloning
    holds "clone, _Fork, forkpty: no finding" [ "$rc" -ne 2 -a "$rc" -ne 3 ]
}

# A child in a session of its own, and a worker that is not to die with its parent.
nothing_left() {
    build leaves leaves.c -O1 && random 4 1 ./leaves heddle-test-left-$$
    holds "a child that was left: no finding" [ "$rc" -ne 2 -a "$rc" -ne 3 ]
    if still "heddle-test-left-$$ 300"; then fail "orphans" "a child of the program is still there"; else pass; fi
}

numbers
one_process
nothing_left
finish
