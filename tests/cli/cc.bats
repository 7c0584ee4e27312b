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

# -Winvalid-pch: a header that is not used because it was compiled otherwise is a failure.
precompiled() {
    printf '#include <pthread.h>\nstruct pair { int a, b; };\n' >common.h
    source_file a.c
    printf '#include "common.h"\nstatic struct pair both;\n%s' "$(cat a.c)" >with.c
    heddle cc -Werror -x c-header -O1 -o common.h.gch common.h
    [ -s common.h.gch ]
    mv common.h header.h # only the precompiled one is left
    if [ "$HEDDLE_CC" = gcc ]; then
        printf '#error "not precompiled"\n' >common.h
        heddle cc -Wno-unused -Winvalid-pch -Werror -O1 -o with with.c
    else
        printf '%s\n' "$(grep -v common.h with.c)" >with.c
        mv header.h common.h
        heddle cc -Wno-unused -Werror -O1 -include-pch common.h.gch -o with with.c
    fi
    is_heddles with
    ./with
    run heddle verify ./with
    [ "$status" -ne 1 ] && [ "$status" -ne 3 ]
    rm -f common.h.gch common.h
}
@test "precompiled headers" { each_compiler precompiled; }

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

# Programs test whether ThreadSanitizer is on: gcc defines a macro, clang a feature.
own_switches() {
    cat >switch.c <<'EOF'
#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define SWITCH
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define SWITCH
#endif
#ifndef SWITCH
#error "no tool is seen"
#endif
EOF
    heddle cc -c switch.c
    run heddle cc -fno-sanitize=thread -c switch.c
    exits 1
}
@test "a program's own switches for race detectors are on" { each_compiler own_switches; }

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

# A spin lock whose operations are inline assembly: the second one a mere store.
assembly_lock() {
    cat >lock.h <<'END'
static inline int try_lock(int *word)
{
    int old = 1;
    __asm__ volatile("lock; xchgl %0, %1" : "+r"(old), "+m"(*word) : : "memory");
    return old == 0;
}
static inline void unlock(int *word)
{
    __asm__ volatile("movl $0, %0" : "=m"(*word) : : "memory");
}
END
    cat >spin.c <<'END'
#include "lock.h"
#include <assert.h>
#include <pthread.h>
#include <sched.h>
static int word, counter;
static void add(void)
{
    while (!try_lock(&word))
        sched_yield();
    counter++;
    unlock(&word);
}
static void *f(void *p) { add(); return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    add();
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
END
}

@test "inline assembly that synchronises: a warning names file, line and function" {
    assembly_lock
    for pipe in '' -pipe; do
        run heddle cc $pipe -O0 -c spin.c
        exits 0
        has "lock.h:4: warning: Heddle does not see the inline assembly in 'try_lock': 'lock'"
        has "--asm=point"
        [ "$(grep -c warning: <<<"$output")" = 1 ]
    done
    run heddle cc -O2 -c spin.c
    has "lock.h:4: warning: Heddle does not see the inline assembly in '"
    has "' (and 2 more functions)"
    run heddle cc --asm=ignore -O0 -Werror -c spin.c
    exits 0
    [ -z "$output" ]
    run heddle cc --asm=wrong -c spin.c
    exits 1
    has "one of warn, point, ignore"
}

@test "what is no synchronisation by inline assembly: no warning" {
    cat >quiet.c <<'END'
#include <stdatomic.h>
static atomic_int a;
int f(int x)
{
    __asm__ volatile("" : : : "memory");
    __asm__ volatile("pause");
    __asm__("xchgl %0, %1 # lock (%%rax)" : "+r"(x), "+a"(x));
    atomic_thread_fence(memory_order_seq_cst);
    return atomic_fetch_add(&a, x) + __sync_lock_test_and_set(&x, 1);
}
END
    run heddle cc -O0 -c quiet.c
    exits 0
    [ -z "$output" ]
}

@test "--asm=point: inline assembly has its turn, and orders" {
    assembly_lock
    heddle cc --asm=ignore -O1 -o unseen spin.c
    run heddle verify --strategy dfs --progress none ./unseen
    exits 4
    has "possible data race"
    for level in -O0 -O2; do
        run heddle cc --asm=point $level -o seen spin.c
        exits 0
        [ -z "$output" ]
        ./seen
        run heddle verify --strategy dfs --progress none ./seen
        exits 0
        sed 's/while (!try_lock(&word))/while (word)/' spin.c >broken.c
        heddle cc --asm=point $level -o broken broken.c
        run heddle verify --progress none ./broken
        exits 2
    done
}

@test "--asm=point: no register is lost" {
    cat >registers.c <<'END'
#include <assert.h>
#include <pthread.h>
static int word;
static void *sum(void *p)
{
    double a = 1, b = 2, c = 3, d = 4;
    long i, j = 5, k = 6, l = 7, m = 8, n = 9, o = 10, q = 11;
    for (i = 0; i < 3; i++) {
        __asm__ volatile("lock; incl %0" : "+m"(word));
        a += b * i; b += c; c += d; d += a;
        j += k; k += l; l += m; m += n; n += o; o += q; q += j + i;
    }
    assert(a == 1 + 5 + 2 * 12 && b == 2 + 3 + 7 + 12 && j == 5 + 6 + 13 + 28 && i == 3);
    assert(c == 3 + 4 + 5 + 11 && d == 4 + 1 + 6 + 30 && q == 11 + (11 + 0) + (24 + 1) + (52 + 2));
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, sum, 0);
    sum(0);
    pthread_join(t, 0);
    return 0;
}
END
    gcc -O2 -o plain registers.c -lpthread && ./plain # the sums are right
    heddle cc --asm=point -O2 -o registers registers.c
    run heddle verify --progress none ./registers
    exits 0
}

@test "what gcc makes is looked at, or the compilation fails" {
    printf 'int main(void) { return 0; }\n' >a.c
    # there is no memory for the dump of the compiler proper
    printf '#include <errno.h>\nint memfd_create(void) { errno = ENOMEM; return -1; }\n' >none.c
    gcc -shared -fPIC -o none.so none.c
    LD_PRELOAD=$PWD/none.so run "$HEDDLE" assemble warn "$(gcc -print-prog-name=cc1)" -fsanitize=thread a.c -o a.s
    exits 1
    has "cannot check the output of gcc for a.s"
}

elides() {
    local programs=${HEDDLE_SOURCE:-$BATS_TEST_DIRNAME/../..}/bench/programs/tm
    for level in -O0 -O2; do
        heddle cc -mrtm $level -o elided "$programs/htm.c"
        objdump -d elided | absent $'\tx\\(begin\\|end\\|abort\\|test\\)'
        run heddle verify --progress none ./elided
        exits 0
        has "10 executions"
        heddle cc -mrtm $level -DUNCHECKED -o unchecked "$programs/htm.c"
        run heddle run --progress none ./unchecked
        exits 2
        has "counter == THREADS * ROUNDS"
    done
}
@test "transactions of both compilers" { each_compiler elides; }

@test "transactional instructions are replaced, and named where they are not" {
    local source=${HEDDLE_SOURCE:-$BATS_TEST_DIRNAME/../..}
    local programs=$source/tests/litmus/transactions

    heddle cc -O1 -o replaced "$programs/tx_byte.c"
    objdump -d replaced | absent $'\tx\\(begin\\|end\\|abort\\|test\\)'
    heddle verify ./replaced
# an object that was not compiled by heddle cc
    gcc -O1 -g -fsanitize=thread -mrtm -I"$source/include" -c -o left.o "$programs/tx_counter.c"
    heddle cc -w -o left left.o
    objdump -d left | grep -q $'\txbegin'
    # a processor that has the instructions runs them, another one stops the program there
    run heddle verify ./left
    [ "$status" -ne 0 ]
    has raise_it
}

# without WORD...: builds ./none, in which no transactional instruction is
without() {
    heddle cc -O1 -w -o none "$@"
    objdump -d none | absent $'\tx\\(begin\\|end\\|abort\\|test\\)'
}

# none_left WORD...: so, and both outcomes of its transaction are run
none_left() {
    without "$@"
    run heddle verify --progress none ./none
    exits 0
    has "2 executions, none fails"
}

builds_of_transactions() {
    cat >with.c <<'END'
#include <immintrin.h>
int counter;
__attribute__((target("rtm"))) int main(void)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        counter++;
        if (!_xtest())
            _xabort(3);
        _xend();
    }
    return counter > 1;
}
END
    cat >bytes.c <<'END'
int counter;
int main(void)
{
    unsigned status = ~0u;
    unsigned char inside;

    __asm__ volatile(".byte 0xc7; .byte 0xf8\n\t.long 0" : "+a"(status) : : "memory");
    if (status == ~0u) {
        counter++;
        __asm__ volatile(".word 0x010f\n\t.byte 0xd6; setnz %0" : "=r"(inside) : : "memory");
        if (!inside)
            __asm__ volatile(".byte 0xc6; .byte 0xf8,3" : : : "memory");
        __asm__ volatile(".byte 0x0f\n\t.byte 0x01,0xd5" : : : "memory");
    }
    return counter > 1;
}
END
    cat >begin.S <<'END'
#define END_TRANSACTION .byte 0x0f, 0x01, 0xd5
        .text
        .globl main
        .type main, @function
main:   movl $-1, %eax
        xbegin 1f
1:      cmpl $-1, %eax
        jne 2f
        END_TRANSACTION
2:      xorl %eax, %eax
        ret
        .size main, .-main
        .section .note.GNU-stack, "", @progbits
END
    none_left with.c
    none_left -pipe with.c
    none_left -mrtm -masm=intel with.c
    none_left -flto with.c
    none_left -fintegrated-as with.c
    heddle cc -O1 -flto=auto -c with.c
    none_left -flto with.o
    heddle cc -O1 -S with.c
    none_left with.s
    ar crs libwith.a with.o
    none_left -Wl,-u,main libwith.a
    none_left bytes.c
    without begin.S # nothing is instrumented
    # behind a launcher
    export HEDDLE_CC="env $HEDDLE_CC"
    none_left with.c
    none_left -pipe -flto bytes.c
}
@test "no transactional instruction is left, however a program is built" { each_compiler builds_of_transactions; }
