#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# dispatch.sh - system calls that pass by the interposers: they are controlled where there is a
# model, and named where there is none.
. "$(dirname "$0")/common.shlib"
need gcc

# plain_library NAME SOURCE: lib<NAME>.so from the part of a program that Heddle does not compile
plain_library() {
    gcc -g -O2 -shared -fPIC -DLIBRARY -o "$work/lib$1.so" "$programs/$2" >"$work/said" 2>&1 && return 0
    fail "$2" "cannot be built as a library"
    return 1
}

# Locks of a library: no livelock, no wrong order; without its atomics nothing is proved.
locks_of_a_library() {
    plain_library lock futex_lock.c || return
    build prog futex_lock.c -g -L"$work" -llock -Wl,-rpath,"$work" || return
    search verify --strategy dfs ./prog
    same "one order" "4 0" "$rc $(field buggy)"
    holds "one order: more than one execution" [ "$(field executions)" -gt 1 ]
    holds "one order: named" grep -q 'system call futex in liblock.so' "$json"
    search verify --strategy dfs ./prog opposite
    same "opposite order" "2 deadlock" "$rc $(field kind)"
    heddle replay "$work/found"/*.heddle
    says "opposite order: replay" 'the same deadlock again'
}

# How OpenMP's libraries order threads is known, although no hook sees it: a race is found, and where there
# is none, none is possible.  gcc's waits by futex: it used to hang.
openmp() { # COMPILER FLAGS: -DRACY for a race
    openmp_cc=$1
    openmp_name="openmp, $1 $2"
    command -v "$1" >/dev/null 2>&1 || return 0
    shift
    echo 'int main(void) { return 0; }' | "$openmp_cc" -fopenmp -x c - -o "$work/probe" 2>/dev/null || return 0
    HEDDLE_CC=$openmp_cc
    export HEDDLE_CC
    build prog openmp.c -g -fopenmp "$@" || return
    unset HEDDLE_CC
    HEDDLE_OPTIONS='' search verify --executions 200 ./prog
    case $* in
    *-DRACY*) same "$openmp_name" "2 data-race" "$rc $(field kind)" ;;
    *)
        same "$openmp_name" "4 0" "$rc $(field buggy)"
        holds "$openmp_name: no race is possible" not_said 'possible data race'
        ;;
    esac
}

not_said() {
    ! grep -q "$1" "$json"
}

# Every system call that is neither modelled nor harmless is named in the verdict, or asks for a
# process of its own, by the instruction and by syscall().
all_calls() {
    build prog all_calls.c -g -I"$here/../../src" || return
    for way in instruction function; do
        search verify --executions 1 ./prog $way named
        same "all calls by $way: exit code" 4 "$rc"
        for name in $(sed -n 's/^HD_SYSCALL([0-9]*, \([a-z0-9_]*\), \(OUTSIDE\|REFUSED\),.*/\1/p' \
            "$here/../../src/runtime/hooks/syscalls.def"); do
            case $name in restart_syscall) continue ;; esac
            holds "$name by $way: named" grep -q "system call $name in " "$json"
        done
        holds "a number that no kernel has, by $way: named" grep -q 'system call number 9999 in ' "$json"
    done
    for name in $(sed -n 's/^HD_SYSCALL([0-9]*, \([a-z0-9_]*\), FORK,.*/\1/p' "$here/../../src/runtime/hooks/syscalls.def"); do
        case $name in vhangup | personality | arch_prctl) continue ;; esac # harmful, or a mere question
        search verify --executions 1 ./prog instruction "$name"
        says "$name: a process of its own" "($name)"
    done
}

# In handlers, with all signals kept out, behind siglongjmp, and in a child.
difficult_places() {
    build prog raw_calls.c -g || return
    clean_random raw_calls.c 200 --isolation inproc ./prog
    clean_random "raw_calls.c, fork" 20 ./prog fork
}

locks_of_a_library
difficult_places
all_calls
for compiler in gcc clang; do
    openmp $compiler -URACY
    openmp $compiler -DRACY
done
finish
