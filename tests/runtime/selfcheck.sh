#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# selfcheck.sh - before a search relies on restarting the program in process, one execution is run
# twice.  State that is not put back makes the search use one process per execution; what differs
# even then takes the claim away.
. "$(dirname "$0")/common.shlib"

build prog left_behind.c -g -O1 || finish

# A program that leaves no state behind is verified in process; the check adds no executions.
search verify --strategy dfs ./prog nothing
same "nothing left behind" "0 inproc 0" "$rc $(field isolation) $(field buggy)"
in_process=$(field executions)
search verify --strategy dfs --isolation fork ./prog nothing
same "the repetition does not count" "$in_process" "$(field executions)"

for strategy in dfs dpor dpor-optimal; do
    HEDDLE_OPTIONS='' search verify --strategy $strategy ./prog gs
    same "GS base, $strategy" "0 fork 0" "$rc $(field isolation) $(field buggy)"
    says "GS base, $strategy: the reason" 'an execution changes the GS base, which is not put back'
done
search run --executions 20 ./prog gs
same "GS base, run" "fork 0 20" "$(field isolation) $(field buggy) $(field executions)"

# Functions of libc are looked up before: the loader leaves nothing on a stack.
search verify --strategy dfs ./prog stack
same "what calls leave on a stack" "0 inproc 0" "$rc $(field isolation) $(field buggy)"

# The action of a signal is put back, wherever on the stack it was changed.
search verify --strategy dfs ./prog action
same "action of a signal" "0 inproc 0" "$rc $(field isolation) $(field buggy)"

# Nor does libc map the locale of the environment anew.
if locale -a 2>/dev/null | grep -qi '^C.utf-\?8$'; then
    LC_ALL=C.UTF-8 search verify --strategy dfs ./prog locale
    same "the locale of the environment" "0 inproc 0" "$rc $(field isolation) $(field buggy)"
fi

# Asked for restarts in process all the same, it claims nothing.
search verify --strategy dfs --isolation inproc ./prog memory
says "memory, in process: named" 'an execution changes the memory at 0x[0-9a-f]*, which is not put back'
holds "memory, in process: no claim" [ "$rc" -ne 0 ]
search verify --strategy dfs --isolation fork ./prog memory
same "memory, forked" 0 "$(field buggy)"

# A program that never repeats itself is noticed by strategies that repeat nothing.
search run --strategy random --executions 5 ./prog chance
same "chance, random" "4 0" "$rc $(field buggy)"
says "chance: in process" 'its first execution, run again in the same process, differed after'
says "chance: in two processes" 'the same decisions do not give the same execution'

# What an open file has in common with its copies is the same for all processes.
printf 'abcdef' >"$work/letters"
for isolation in inproc fork; do
    search verify --strategy dfs --isolation $isolation ./prog position 7<"$work/letters"
    same "position of an open file, $isolation" "0 0" "$rc $(field buggy)"
done

finish
