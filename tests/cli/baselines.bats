#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# stress and noise: the program on native threads.  No test here depends on how threads
# happen to run: programs fail always, never, or by something that the delays do for certain.
load helper

# program NAME: one of the ways to end, by its argument; threads in any case
program() {
    cat >ways.c <<'EOF'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *way;
static int is(const char *w) { return strcmp(way, w) == 0; }
static void *other(void *p)
{
    pthread_mutex_lock(&m);
    assert(!is("assert"));
    if (is("abort")) abort();
    if (is("crash")) raise(SIGSEGV);
    pthread_mutex_unlock(&m);
    return p;
}
int main(int argc, char **argv)
{
    pthread_t t;
    way = argc > 1 ? argv[1] : "clean";
    if (is("block")) pthread_mutex_lock(&m), close(creat("started", 0600));
    pthread_create(&t, 0, other, 0);
    while (is("spin")) ;
    if (is("nap")) usleep(100000);
    if (is("child") && fork() == 0) {
        char text[] = "echo $$ >child.pid; sleep 600";
        execl("/bin/sh", "sh", "-c", text, (char *)0);
    }
    if (is("child")) while (access("child.pid", F_OK) != 0) usleep(1000);
    pthread_join(t, 0);
    return is("code") ? 3 : 0;
}
EOF
    "${CC:-gcc}" -pthread -o ways ways.c
}

# fails WAY KIND TEXT [MS]: both find it in the first execution, and say that it cannot be replayed
fails() {
    local milliseconds=${4:-60000} # a busy machine must not look like a program that hangs
    for strategy in stress noise; do
        run heddle run --strategy $strategy:timeout="$milliseconds" --executions 5 --json r.json ./ways "$1"
        exits 2
        has "$3"
        has "it cannot be replayed; look for it with"
        has "    heddle run ./ways $1"
        json r.json "r['verdict'] == 'bug' and r['findings'][0]['kind'] == '$2'"
        json r.json "r['executions'] == 1 and r['first_bug_execution'] == 1 and r['strategy'] == '$strategy'"
        json r.json "r['findings'][0]['schedule'] is None and r['findings'][0]['execution'] == 1"
    done
}

@test "what fails is found: an assertion, an abort, a crash, an exit code" {
    program
    fails assert assertion "Assertion"
    fails abort abort "killed by signal 6"
    fails crash crash "killed by signal 11"
    fails code exit-code "exit code 3"
    [ ! -e .heddle/latest ]
}

@test "what hangs is found, and whether something still runs" {
    program
    fails block deadlock "it has not ended after 2 s, and all its threads sleep" 2000
    fails spin livelock "it has not ended after 0.3 s, and some thread still runs" 300
}

@test "what does not fail is not reported, and nothing is claimed" {
    program
    for strategy in stress noise:p=100,us=10; do
        run heddle run --strategy $strategy --executions 20 --json r.json ./ways
        exits 4
        has "nothing proved: 20 executions on native threads"
        json r.json "'; data races, memory errors and leaks were not looked for' in r['guarantee']"
        json r.json "r['verdict'] == 'budget' and not r['complete'] and r['executions'] == 20"
        json r.json "r['findings'] == [] and len(r['uncontrolled']) == 1 and r['isolation'] == 'fork'"
    done
}

@test "with --keep-going all are counted, and what is the same is one finding" {
    program
    run heddle run --strategy stress --keep-going --executions 4 --json r.json --junit r.xml ./ways assert
    exits 2
    json r.json "r['executions'] == 4 and r['buggy'] == 4 and len(r['findings']) == 1"
    has "4 of 4 executions on native threads fail"
    grep -q '<failure type="assertion"' r.xml
}

@test "instrumented programs run natively as well" {
    cat >race.c <<'EOF'
#include <pthread.h>
static int x;
static void *other(void *p) { x++; return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x++;
    pthread_join(t, 0);
    return 0;
}
EOF
    heddle cc -o race race.c
    run heddle run --executions 100 ./race
    exits 2 # the race that is not looked for natively
    for strategy in stress noise; do
        run heddle run --strategy $strategy --executions 5 ./race
        exits 4
    done
}

# Threads that sleep before they do something are switched voluntarily; an uncontended lock
# or an atomic operation alone never is.
@test "noise comes before calls and atomics, as often as it shall; stress has none" {
    cat >switches.c <<'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/resource.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static long switches(void)
{
    struct rusage u;
    getrusage(RUSAGE_THREAD, &u);
    return u.ru_nvcsw;
}
int main(int argc, char **argv)
{
    long before = switches();
    (void)argv;
    for (int i = 0; i < 100; i++) {
        if (argc > 1) __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
        else pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
    }
    return switches() - before >= 50 ? 3 : 0;
}
EOF
    heddle cc -o switches switches.c
    "${CC:-gcc}" -pthread -o plain switches.c
    for command in "./switches" "./switches atomics" "./plain"; do
        # shellcheck disable=SC2086 # the command is words
        run heddle run --strategy noise:p=100,us=100 --executions 3 $command
        exits 2
        has "exit code 3"
        for strategy in stress noise:p=0; do
            # shellcheck disable=SC2086
            run heddle run --strategy $strategy --executions 3 $command
            exits 4
        done
    done
    run heddle run --strategy noise:p=100,us=100 --executions 3 ./plain atomics
    exits 4 # nothing is seen of the atomics of a plain program
}

@test "time is over, or the user wants it to end: that is no hang" {
    program
    run heddle run --strategy stress --budget 1s --json r.json ./ways block
    exits 4
    json r.json "r['executions'] == 0 and r['findings'] == []"
    rm -f started
    "$HEDDLE" run --strategy stress --json r.json ./ways block >said &
    eventually test -e started
    kill -TERM $!
    status=0
    wait $! || status=$?
    exits 4
    grep -q '^Interrupted\.' said
    json r.json "r['interrupted'] and r['findings'] == []"
    run heddle run --strategy stress --budget 4s --json r.json ./ways nap # 0.1 s each
    exits 4
    json r.json "0 < r['executions'] < 41"
}

@test "nothing that the program has started is left behind" {
    program
    run heddle run --strategy stress --executions 1 ./ways child
    exits 4
    run kill -0 "$(cat child.pid)"
    exits 1
}

@test "they are baselines: listed apart, never the default, and not for verify" {
    run heddle list strategies
    has "for comparison, on native threads and without any control:"
    has "stress         run the program repeatedly"
    has ":us=N, 0 to 1000000"
    program
    run heddle verify --strategy stress ./ways
    exits 1
    has "native threads are not explored"
    for option in "--points races" "--each" "--html x.html" "--sarif x.sarif" "--faults malloc" "-j 2" "--bound 1"; do
        # shellcheck disable=SC2086 # an option and its value
        run heddle run --strategy noise $option ./ways
        exits 1
        has "noise"
    done
    run heddle run --strategy noise:p=101 ./ways
    exits 1
    has "0 to 100"
    run heddle run --strategy stress+cache ./ways
    exits 1
    has "stress has no reducer"
    run heddle run --strategy stress ./nothing
    exits 1
}
