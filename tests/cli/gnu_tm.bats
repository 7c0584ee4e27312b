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
