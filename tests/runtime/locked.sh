#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# locked.sh - atomic instructions of code that is not instrumented: they are points of the search and
# do exactly what they do without Heddle; Rust's locks are made of them.
. "$(dirname "$0")/common.shlib"
need gcc

# Each form, led through a jump or through a signal; with the library's functions watched or not (a
# replay watches none).
all_forms() {
    gcc -g -O2 -mno-red-zone -shared -fPIC -DLIBRARY -o "$work/libforms.so" "$programs/locked.c" >"$work/said" 2>&1 ||
        { fail "locked.c" "cannot be built as a library"; return; }
    build prog locked.c -g -L"$work" -lforms -Wl,-rpath,"$work" || return
    holds "all forms, without Heddle" "$work/prog"
    search run --executions 40 ./prog
    same "all forms" "4 0 40" "$rc $(field buggy) $(field executions)"
    holds "all forms: each is a step" [ "$(field steps_max)" -gt 200 ]
}

# rust NAME: the program, built by plain rustc
rust() {
    command -v rustc >/dev/null 2>&1 && rustc -g -o "$work/prog" "$programs/$1.rs" >"$work/said" 2>&1
}

rust_locks() {
    if ! rust rust_locks; then
        ! command -v rustc >/dev/null 2>&1 || fail "rust_locks.rs" "does not compile"
        return
    fi
    for way in dfs dpor dpor-optimal; do
        search verify --strategy $way ./prog opposite
        same "Rust, opposite orders, $way" "2 deadlock" "$rc $(field kind)"
    done
    search run --executions 3000 ./prog opposite
    same "Rust, opposite orders, run" "2 deadlock" "$rc $(field kind)"
    heddle replay "$work/found/latest"
    says "Rust, opposite orders: replay" 'the same deadlock again'
    for what in mutex channel once condition rwlock scope; do
        search verify --executions 60 ./prog $what
        same "Rust, $what" "4 0" "$rc $(field buggy)"
        search run --executions 100 ./prog $what
        same "Rust, $what, run" "4 0" "$rc $(field buggy)"
    done
    search run --executions 3000 ./prog lost
    same "Rust, an update that is lost" "2" "$rc"
}

all_forms
rust_locks
finish
