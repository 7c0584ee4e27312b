#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Transactions of the language: gcc -fgnu-tm.
load helper

programs=$BATS_TEST_DIRNAME/../../bench/programs/tm

# build NAME SOURCE FLAGS...
build() {
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -DGNU_TM -o "$1" "$programs/$2.c" "${@:3}"
}

@test "GNU TM: sections in transactions are exclusive" {
    for source in htm avl map swap; do
        build "$source" "$source"
        run heddle verify --strategy dpor-optimal --progress none "./$source"
        [ "$status" -eq 0 ]
        [[ "$output" == *"2 executions, none fails"* ]] # the two orders of the two transactions
    done
}

@test "GNU TM: an atomic addition beside transactions loses nothing" {
    build htm htm -DXADD
    run heddle verify --strategy dpor-optimal --progress none ./htm
    [ "$status" -eq 0 ]
}

@test "GNU TM: a lock does not keep transactions out" {
    for source in htm avl map; do
        build mixed "$source" -DMIXED
        run heddle run --progress none ./mixed
        [ "$status" -eq 2 ]
    done
    build split swap -DSPLIT
    run heddle run --progress none ./split
    [ "$status" -eq 2 ]
    [[ "$output" == *assertion* ]]
}

@test "GNU TM: a cancelled transaction leaves nothing" {
    cat >cancel.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int counter, tries;
static double sum;
__attribute__((transaction_safe, noinline)) static void raise_by(int n) { counter += n; }
static void *work(void *arg)
{
    __transaction_atomic {
        char *block = malloc(4);

        block[0] = 1;
        raise_by(block[0]);
        sum += 0.5;
        free(block);
        if (counter == 2)
            __transaction_cancel;
    }
    __atomic_fetch_add(&tries, 1, __ATOMIC_SEQ_CST);
    return arg;
}
int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 1 && sum == 0.5 && tries == 2);
    return 0;
}
END
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -o cancel cancel.c
    run heddle verify --strategy dpor-optimal --progress none ./cancel
    [ "$status" -eq 0 ]
    [[ "$output" == *CLEAN* ]]
}

@test "GNU TM: a call inside an atomic transaction that cannot be undone is misuse" {
    cat >yield.c <<'END'
#include <pthread.h>
#include <sched.h>
static int counter;
__attribute__((ATTRIBUTE)) static void give_way(void) { sched_yield(); }
static void *work(void *arg)
{
    TRANSACTION { counter++; give_way(); }
    return arg;
}
int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return counter != 2;
}
END
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -DATTRIBUTE=transaction_pure -DTRANSACTION=__transaction_atomic -o atomic yield.c
    run heddle run --strategy dpor --progress none ./atomic
    [ "$status" -eq 2 ]
    [[ "$output" == *"FOUND tm-misuse"* ]]
    [[ "$output" == *"inside an atomic transaction"* ]]
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -DATTRIBUTE=noinline -DTRANSACTION=__transaction_relaxed -o relaxed yield.c
    run heddle verify --strategy dpor --progress none ./relaxed
    [ "$status" -eq 0 ]
}

@test "GNU TM: a program that runs without Heddle has exclusive transactions" {
    cat >alone.c <<'C'
#include <pthread.h>
static long x;
static void *add(void *p)
{
    for (int i = 0; i < 1000000; i++)
        __transaction_atomic { x++; }
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    return x != 2000000;
}
C
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -o alone alone.c
    ./alone
}

@test "GNU TM: a nested transaction is cancelled alone" {
    cat >inner.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int outer, inner, cancelled;
static void *work(void *arg)
{
    int local = 7;

    __transaction_atomic {
        outer++;
        inner += 10;
        __transaction_atomic {
            char *block = malloc(8);

            block[0] = 1;
            inner++;
            local = 8;
            if (outer > 10)
                __transaction_cancel;
            free(block);
        }
        outer += 10;
    }
    if (local == 7)
        __atomic_fetch_add(&cancelled, 1, __ATOMIC_SEQ_CST);
    return arg;
}
int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(outer == 22 && cancelled == 1);
    assert(inner == 20 + 2 - cancelled);
    return 0;
}
END
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -o inner inner.c
    run heddle verify --strategy dpor-optimal --progress none ./inner
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 executions, none fails"* ]]
}

@test "GNU TM: exceptions and operator new in transactions" {
    cat >thrown.cc <<'END'
#include <cassert>
#include <pthread.h>
static int counter, caught, *last;
struct failure { int n; };
__attribute__((transaction_safe, noinline)) static void fail(int n) { if (n == 2) throw failure{n}; }
static void *work(void *arg)
{
    try {
        __transaction_atomic {
            int *p = new int(++counter);

            try {
                fail(*p);
            } catch (const failure &) {
                counter += 10;
            }
            delete p;
            fail(counter - 10);
        }
    } catch (const failure &f) {
        __atomic_fetch_add(&caught, 1, __ATOMIC_SEQ_CST);
    }
    return arg;
}
int main()
{
    pthread_t t[2];

    for (auto &one : t)
        pthread_create(&one, nullptr, work, nullptr);
    for (auto &one : t)
        pthread_join(one, nullptr);
    assert(counter == 12 && caught == 1);
}
END
    HEDDLE_CXX=g++ heddle c++ -O1 -g -fgnu-tm -o thrown thrown.cc
    run heddle verify --strategy dpor-optimal --progress none ./thrown
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 executions, none fails"* ]]
    nm -D thrown | grep -q _ITM_cxa_throw # it is what was tested
}

@test "GNU TM: a function without a clone in an atomic transaction is misuse" {
    cat >safe.c <<'END'
#include <pthread.h>
static int counter;
static void plain(void) { counter++; }
__attribute__((transaction_safe, noinline)) static void clone(void) { counter++; }
typedef void safe(void) __attribute__((transaction_safe));
static safe *volatile chosen = clone;
static void *work(void *arg)
{
    safe *call = chosen;

    __transaction_atomic { call(); }
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t t;

    (void)argv;
    if (argc > 1)
        chosen = (safe *)(unsigned long)plain;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return counter != 2;
}
END
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -o safe safe.c
    run heddle verify --strategy dpor-optimal --progress none ./safe
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 executions, none fails"* ]]
    run heddle verify --strategy dpor-optimal --progress none ./safe without
    [ "$status" -eq 2 ]
    [[ "$output" == *"FOUND tm-misuse"* ]]
    [[ "$output" == *"not compiled for"* ]]
}

@test "GNU TM: accesses of all widths" {
    grep -qw avx /proc/cpuinfo || skip "the processor has no AVX"
    cat >wide.c <<'END'
#include <immintrin.h>
#include <pthread.h>
static __m256 wide;
static __m128 half;
static __m64 small;
static long double extended;
static _Complex double complex_number;
static void *work(void *arg)
{
    __transaction_atomic {
        wide = wide + 1.0f;
        half = half + 1.0f;
        small = (__m64)((long long)small + 1);
        extended += 1;
        complex_number += 1;
    }
    return arg;
}
int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return !(wide[7] == 2 && wide[0] == 2 && half[3] == 2 && (long long)small == 2 && extended == 2 && complex_number == 2);
}
END
    HEDDLE_CC=gcc heddle cc -O1 -g -mavx -fgnu-tm -o wide wide.c
    nm -D wide | grep -q _ITM_WaWM256 # it is what was tested
    run heddle verify --strategy dpor-optimal --progress none ./wide
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 executions, none fails"* ]]
}

@test "GNU TM: with --tm-weak others see a transaction that is half done" {
    cat >weak.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int x, y, sum;
__attribute__((transaction_pure)) static void publish(void) { flag = 1; }
static void *work(void *arg)
{
    __transaction_atomic {
        x++;
        publish();
        y++;
#ifdef CANCEL
        if (x == 1)
            __transaction_cancel;
#endif
    }
    return arg;
}
static void *look(void *arg)
{
    if (flag == 1)
        sum = x - y; /* a transaction is half done */
    return arg;
}
int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, work, NULL);
    pthread_create(&t[1], NULL, LOOK, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(x == y);
    assert(sum == 0);
    return 0;
}
END
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -DLOOK=look -o weak weak.c
    run heddle verify --progress none --points all --tm stm ./weak
    [ "$status" -eq 0 ]
    run heddle verify --progress none --points all --tm stm --tm-weak ./weak
    [ "$status" -eq 2 ]
    [[ "$output" == *"sum == 0"* ]]
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -DLOOK=work -o both weak.c
    run heddle verify --progress none --points all --tm stm --tm-weak ./both # transactions exclude each other
    [ "$status" -eq 0 ]
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -DLOOK=work -DCANCEL -o cancelled weak.c
    run heddle verify --progress none --points all --tm stm --tm-weak ./cancelled
    [[ $(tr -s '\n ' ' ' <<<"$output") == *"1 place is not seen ('atomic store' inside a transaction that aborts itself is not undone)"* ]]
    run heddle verify --progress none --tm-weak ./weak
    [ "$status" -eq 1 ]
    [[ "$output" == *"give --tm stm"* ]]
}

@test "GNU TM: a function for the end of a transaction is not supported, and named" {
    cat >action.c <<'END'
extern void _ITM_addUserCommitAction(void (*)(void *), unsigned long, void *) __attribute__((transaction_pure));
static int x, done;
static void act(void *p) { *(int *)p = 1; }
int main(void)
{
    __transaction_relaxed { x++; _ITM_addUserCommitAction(act, 1, &done); }
    return done != 1;
}
END
    HEDDLE_CC=gcc heddle cc -O1 -g -fgnu-tm -o action action.c
    run heddle verify --progress none ./action # it was reported as a crash
    [ "$status" -eq 4 ]
    [[ $(tr -s '\n ' ' ' <<<"$output") == *"registers a function for its end: not supported"* ]]
    run ./action
    [ "$status" -eq 134 ]
    [[ "$output" == *"_ITM_addUserCommitAction"* ]]
}
