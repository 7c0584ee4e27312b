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

locks_of_a_library
finish
