#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# passive.sh - a program built by `heddle cc` and run alone is exactly the program: one call of
# every function that the runtime comes before, compared with the program that plain gcc makes of
# the same source.  What the runtime exports is the list; a function without a line in
# programs/passive fails here.
. "$(dirname "$0")/common.shlib"
need gcc
need g++

sources=$programs/passive
flags="-O1 -fno-builtin -fno-stack-protector -w -D_GNU_SOURCE"
libraries="-latomic -lstdc++ -lanl -lrt -lpthread"

# make_with DIR C C++: in a directory of its own, where its files come and go
make_with() {
    mkdir -p "$work/$1"
    for source in sweep files streams process threads memory static_results caller_memory filled; do
        $2 $flags -c -o "$work/$1/$source.o" "$sources/$source.c" || return 1
    done
    for source in operators input; do
        $3 $flags -std=c++17 -c -o "$work/$1/$source.o" "$sources/$source.cc" || return 1
    done
    $2 -o "$work/$1/sweep" "$work/$1"/*.o $libraries
}

# Names of ThreadSanitizer's own that no plain program has: the hooks (tsan_abi.sh), annotations; OpenMP's, which have a
# program of their own below; and libc++'s (tests/cli/libcxx.bats).
own='^(_ZNSt3__1|_ITM_|_ZGTt|GOMP_|__kmpc_|omp_|__tsan_|__sanitizer_|(WTF)?Annotate|RunningOnValgrind|ValgrindSlowdown|hd_|heddle_|__libc_start_main$|cfree$)'

sweep() {
    (cd "$work/$1" && timeout 120 ./sweep >out 2>&1)
    same "$1 comes to its end" 0 $?
}

make_with plain gcc g++ >"$work/said" 2>&1 || fail "plain gcc" "does not build"
make_with heddle "$HEDDLE cc" "$HEDDLE c++" >"$work/said" 2>&1 || fail "heddle cc" "does not build"
: >"$work/said"
sweep plain
sweep heddle
if ! diff "$work/plain/out" "$work/heddle/out" >"$work/said"; then
    fail "every call passively" "other results than without Heddle (<: without, >: with)"
fi
pass
# None of them dies of a signal that the call itself is not about.
grep -E 'ended with 0x(8|b|4|7)$|ended with 0x(88|8b|84|87)$' "$work/heddle/out" >"$work/said" &&
    fail "every call passively" "crashes"
library=$(dirname "$(realpath "$(command -v "$HEDDLE")")")/../lib/libheddle.so
nm -D --defined-only "$library" | awk '$2 ~ /[TWi]/ { print $3 }' | grep -v -E "$own" | sort -u >"$work/exports"
"$work/heddle/sweep" names | sort -u >"$work/swept"
comm -23 "$work/exports" "$work/swept" >"$work/said"
same "interposed functions without a line in programs/passive" 0 "$(wc -l <"$work/said")"
# openmp COMPILER: regions, barriers, sections, reductions and locks, with the compiler's library
openmp() {
    command -v "$1" >/dev/null 2>&1 || return 0
    echo 'int main(void) { return 0; }' | "$1" -fopenmp -x c - -o "$work/probe" 2>/dev/null || return 0
    HEDDLE_CC=$1
    export HEDDLE_CC
    build openmp ../../corpus/openmp.c -g -O1 -fopenmp -DTASKS || return
    unset HEDDLE_CC
    for case in reduction many critical barrier loops locks tasks; do
        holds "OpenMP alone, $1, $case" timeout 60 "$work/openmp" "$case"
    done
}

openmp gcc
openmp clang
finish
