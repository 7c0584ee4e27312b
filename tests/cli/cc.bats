#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# `heddle cc` and `heddle c++` behave like the compiler they stand for.
load helper

source_file() { # NAME
    cat >"$1" <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
static int x;
static void *f(void *p) { x++; return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    heddle_point("joined");
    return x - 1 + heddle_active() + (int)heddle_choose(3);
}
END
}

# The runtime takes the sanitizer's place, and the program runs without Heddle.
is_heddles() {
    readelf -d "$1" | grep -q 'NEEDED.*libheddle\.so'
    readelf -d "$1" | absent 'NEEDED.*tsan'
    nm -D "$1" | grep -q ' U __tsan_func_entry'
}

each_compiler() { # COMMAND...: with gcc, and with clang when it is there
    export HEDDLE_CC=gcc HEDDLE_CXX=g++
    "$@"
    command -v clang++ >/dev/null || return 0
    export HEDDLE_CC=clang HEDDLE_CXX=clang++
    "$@"
}

one_step() {
    source_file a.c
    heddle cc -Wall -Wextra -Werror -o one a.c
    is_heddles one
    ./one
}
@test "compile and link in one step" { each_compiler one_step; }

two_steps() {
    source_file a.c
    heddle cc -Werror -O2 -c a.c
    heddle cc -Werror -o two a.o
    is_heddles two
    ./two
}
@test "compile, then link" { each_compiler two_steps; }

cplusplus() {
    source_file a.cc
    heddle c++ -Wall -Wextra -Werror -std=c++17 -o plus a.cc
    is_heddles plus
    ./plus
}
@test "C++" { each_compiler cplusplus; }

library() {
    printf 'int y; int g(void) { return y++; }\n' >l.c
    heddle cc -Werror -shared -fPIC -o libl.so l.c
    printf 'int g(void); int main(void) { return g(); }\n' >m.c
    heddle cc -Werror -o uses m.c -L. -ll -Wl,-rpath,"$PWD"
    is_heddles libl.so
    ./uses
}
@test "shared libraries" { each_compiler library; }

not_linking() {
    source_file a.c
    heddle cc -E a.c | grep -q 'int main'
    heddle cc -M a.c | grep -q 'heddle.h'
    heddle cc -S -o a.s a.c
    grep -q __tsan_func_entry a.s
    heddle cc -MMD -MF a.d -c -o a.o a.c
    [ -s a.d ]
    heddle cc -fsyntax-only a.c
    heddle cc -r -o partial.o a.c
}
@test "calls that do not link" { each_compiler not_linking; }

no_input() {
    heddle cc --version | grep -qi "$HEDDLE_CC"
    heddle cc -v
    heddle cc -dumpmachine | grep -q x86_64
}
@test "calls without input" { each_compiler no_input; }

odd_inputs() {
    echo 'int main(void) { return 0; }' | heddle cc -Werror -x c -o from-stdin -
    ./from-stdin
    source_file 'a b.c'
    echo "-c 'a b.c' -o \"a b.o\"" >response
    heddle cc -Werror @response
    heddle cc -Werror -Wl,--as-needed -o 'a b' 'a b.o'
    is_heddles 'a b'
    '././a b'
}
@test "standard input, response files, blanks in names" { each_compiler odd_inputs; }

@test "gcc still defines __SANITIZE_THREAD__" {
    heddle cc -dM -E -x c /dev/null | grep -q '__SANITIZE_THREAD__ 1'
}

@test "the user's arguments overrule ours" {
    printf 'int x; void f(void) { x++; }\n' >a.c
    heddle cc -fno-sanitize=thread -c a.c
    nm a.o | absent __tsan_func_entry
}

@test "static linking is refused with the remedy" {
    source_file a.c
    for option in -static --static -static-pie -static-libtsan; do
        run heddle cc $option -o s a.c
        exits 1
        has "Remedy: leave $option out"
    done
    heddle cc -static -c a.c # nothing is linked here
}

@test "exit codes and messages are the compiler's" {
    run heddle cc -c missing.c
    exits 1
    has "missing.c"
}

@test "the compiler may be several words, or missing" {
    source_file a.c
    HEDDLE_CC="env gcc" heddle cc -o words a.c
    ./words
    HEDDLE_CC=no-such-compiler run heddle cc a.c
    exits 1
    has "name another in HEDDLE_CC"
}

@test "a name other than gcc or clang is asked who it is" {
    command -v clang >/dev/null || skip "clang is not installed"
    printf '#!/bin/sh\nexec clang "$@"\n' >mycc
    chmod +x mycc
    source_file a.c
    HEDDLE_CC=$PWD/mycc heddle cc -Werror -o asked a.c
    is_heddles asked
    ./asked
}
