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
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"each execution has run what comes before heddle_start(): --isolation fork runs it once"* ]]
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

# Counts by a byte that the program writes to a pipe from outside, before heddle_start.
server() {
    cat >server.c <<'E2'
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
static atomic_int n;
static int *block, pipes[2], pair[2], set, counter;
static _Thread_local int own;
static void *work(void *unused)
{
    int seen = atomic_load(&n);
    assert(own++ == 0);
    atomic_store(&n, seen + 1);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t t[2];
    struct epoll_event event = { .events = EPOLLIN };
    const char *what = argc > 1 ? argv[1] : "";
    char byte;
    if (write(9, "I", 1) != 1)
        abort();
    set = epoll_create1(0);
    counter = eventfd(3, EFD_NONBLOCK);
    if (pipe(pipes) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 ||
        epoll_ctl(set, EPOLL_CTL_ADD, pipes[0], &event) != 0)
        abort();
    block = malloc(100);
    *block = 7;
    if (!strcmp(what, "file"))
        fclose(fopen("made", "w"));
    if (!strcmp(what, "unread") && write(pipes[1], "x", 1) != 1)
        abort();
    heddle_start();
    assert(*block == 7 && n == 0 && own == 0);
    *block = 8;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    if (!strcmp(what, "leave")) { /* what can be put back */
        unsigned long count = 5;
        assert(epoll_wait(set, &event, 1, 0) == 0);
        assert(epoll_ctl(set, EPOLL_CTL_DEL, pipes[0], &event) == 0);
        assert(write(pipes[1], "x", 1) == 1 && write(pair[0], "xy", 2) == 2 && read(pair[1], &byte, 1) == 1);
        assert(read(counter, &count, 8) == 8 && count == 3);
    }
    if (!strcmp(what, "shut")) /* what cannot */
        shutdown(pair[0], SHUT_WR);
    assert(strcmp(what, "bug") || n == 2);
    return 0;
}
E2
    "$HEDDLE" cc -g -o server server.c
}

# starts HEDDLE-ARGUMENT...: prints how often the program was started up to heddle_start
starts() {
    { "$HEDDLE" run -q --progress none --isolation fork --minimize off "$@" 9>&1 >out.txt 2>&1 && echo 0 >rc.txt || echo $? >rc.txt; } | wc -c
}

@test "executions with a process each begin at heddle_start: what comes before runs once" {
    server
    for strategy in random pos pct dfs+cache bpor; do
        [ "$(starts --strategy $strategy --executions 30 --json r.json ./server)" -eq 1 ]
        [ "$(cat rc.txt)" -eq 4 ]
        "$HEDDLE_SOURCE/tests/support/result" r.json | grep -E '^(executions|redundant) ' >fork.txt
        "$HEDDLE" run -q --progress none --isolation inproc --strategy $strategy --executions 30 --json r.json ./server 9> >(cat >/dev/null) || true
        "$HEDDLE_SOURCE/tests/support/result" r.json | grep -E '^(executions|redundant) ' >inproc.txt
        diff fork.txt inproc.txt
    done
}

@test "what an execution leaves in pipes, sockets, counters and epoll sets is put back before the next one" {
    server
    [ "$(starts --strategy random --executions 30 ./server leave)" -eq 1 ]
    [ "$(cat rc.txt)" -eq 4 ]
}

@test "what cannot be put back or compared runs what comes before heddle_start again" {
    server
    for what in shut file unread; do
        [ "$(starts --strategy random --executions 30 ./server $what)" -eq 30 ]
        [ "$(cat rc.txt)" -eq 4 ]
        "$HEDDLE" run --progress none --isolation fork --strategy random --executions 9 ./server $what 9>/dev/null >out.txt 2>&1 || true
        grep -q 'each execution has run what comes before heddle_start() again' <<<"$(tr -s ' \n' ' ' <out.txt)"
    done
}

@test "a finding after heddle_start replays from the beginning" {
    server
    starts --strategy random --executions 1000 ./server bug
    [ "$(cat rc.txt)" -eq 2 ]
    { "$HEDDLE" replay -q 9>&1 >out.txt 2>&1 && echo 0 >rc.txt || echo $? >rc.txt; } | wc -c # a pipe, as in the search
    [ "$(cat rc.txt)" -eq 2 ]
}
