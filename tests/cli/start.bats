#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# heddle_start: what comes before it runs in one order, and the search is as large as if there were nothing before it.
load helper

program() {
    cat >start.c <<'E'
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int n, early;
static sem_t ready, go;
static void *helper(void *unused)
{
    for (int i = 0; i < 5; i++)
        atomic_fetch_add(&early, 1);
    sem_post(&ready);
    sem_wait(&go);
    return unused;
}
static void *work(void *unused)
{
    int seen = atomic_load(&n);
    atomic_store(&n, seen + 1);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t t[3];
    (void)argv;
#ifdef HELPERS
    sem_init(&ready, 0, 0);
    sem_init(&go, 0, 0);
    for (int i = 0; i < HELPERS; i++)
        pthread_create(&t[0], 0, helper, 0);
    for (int i = 0; i < HELPERS; i++)
        sem_wait(&ready);
    if (argc > 2)
        return 0;
    heddle_start();
#endif
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(argc == 1 || n == 2);
    return 0;
}
E
    "$HEDDLE" cc -g -o without start.c
    "$HEDDLE" cc -g -DHELPERS=3 -o with start.c
}

executions() { # strategy, program
    "$HEDDLE" verify -q --progress none --strategy "$1" --json result.json "$2" >out.txt 2>&1 || { cat out.txt && return 1; }
    "$HEDDLE_SOURCE/tests/support/result" result.json | grep -E '^(complete|executions) '
}

@test "the search is as large as without what comes before heddle_start" {
    program
    for strategy in dpor dpor-optimal dpor-classic dpor-lazy bpor bpor-lazy bpor-source dfs dfs+cache ipb idb; do
        without=$(executions $strategy ./without)
        with=$(executions $strategy ./with)
        echo "$strategy: $without, $with"
        [ -n "$with" ] && [ "$with" = "$without" ]
    done
    run "$HEDDLE" verify ./with
    [ "$status" -eq 0 ]
    [[ $output == *"what comes before heddle_start() has run in one order only"* ]]
    run "$HEDDLE" verify -q -j 2 ./with
    [ "$status" -eq 0 ]
}

@test "what follows heddle_start is found by every kind of strategy, and replayed" {
    program
    for strategy in dpor bpor dfs ipb random pct pos; do
        run "$HEDDLE" run -q --strategy $strategy --executions 1000 ./with bug
        [ "$status" -eq 2 ]
        run "$HEDDLE" replay -q
        [ "$status" -eq 2 ]
    done
}

@test "an execution that ends before heddle_start costs the claim" {
    program
    run "$HEDDLE" verify ./with ends early
    [ "$status" -eq 4 ]
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"heddle_start() was not reached"* ]]
}

@test "heddle_start does nothing without Heddle" {
    program
    gcc -I"$HEDDLE_SOURCE/include" -DHELPERS=2 -pthread -o native start.c
    ./native
}
