#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Findings are made smaller before they are shown, and recorded ones by `heddle minimize`;
# the report names the order of operations that makes them fail.
load helper

# abba N [OTHERS]: two locks in opposite order, after N harmless critical sections each; so
# many other threads have a harmless one each, whose order is a matter of schedule.
abba() {
    cat >abba.c <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;
static void harmless(void)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&c);
        pthread_mutex_unlock(&c);
    }
}
static void *other(void *p)
{
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    return p;
}
static void *down(void *p)
{
    harmless();
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return p;
}
int main(void)
{
    pthread_t t, others[OTHERS + 1];
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&others[i], 0, other, 0);
    pthread_create(&t, 0, down, 0);
    harmless();
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(others[i], 0);
    return 0;
}
END
    heddle cc -g -DN="$1" -DOTHERS="${2:-0}" -o abba abba.c
}

preemptions() { sed -n 's/^preemptions //p' "$1"; }

@test "what run finds is minimized, and kept that way alone" {
    abba 5
    run heddle run --strategy random --seed 4 --minimize off -o as-found ./abba
    exits 2
    [[ "$output" != *"why: "* ]]
    [ "$(preemptions as-found/latest)" -gt 1 ]
    run heddle run --strategy random --seed 4 --json r.json ./abba
    exits 2
    has ", 1 preemption"
    [ "$(preemptions .heddle/latest)" = 1 ]
    [ "$(find .heddle -type f -name '*.heddle' | wc -l)" = 1 ]
    # what the search counts is the search's
    heddle run --strategy random --seed 4 --minimize off -o as-found --json off.json ./abba >/dev/null || [ $? = 2 ]
    json r.json "all(r[k] == json.load(open('off.json'))[k] for k in
                     ['executions', 'first_bug_execution', 'steps_max', 'trace_hash', 'buggy'])"
    json r.json "r['findings'][0]['preemptions'] == 1"
    for again in 1 2; do
        run heddle replay
        exits 2
        has "the same deadlock again"
    done
}

@test "the order that makes it fail is named, in the report, in JSON and by replay" {
    abba 0
    run heddle run --json r.json ./abba
    exits 2
    absent "why: " <<<"$output" # the lines about the threads say who holds what
    json r.json "r['findings'][0]['why'].startswith('fails because ') and \"'s lock of \" in r['findings'][0]['why'].split(' came before ')[1]"
    run heddle replay --json again.json
    exits 2
    json again.json "r['findings'][0]['why'].startswith('fails because ')"
}

@test "minimize: the newest by default, by id, by path; into another directory" {
    abba 5
    heddle run --strategy random --seed 4 --minimize off ./abba >/dev/null || [ $? = 2 ]
    cp -r .heddle before
    file=$(readlink -f .heddle/latest)
    id=$(basename "$file" .heddle)
    for which in "" "$id" "$file"; do
        run heddle minimize -o small $which
        [ -n "$which" ] || { # there is nothing there yet
            exits 1
            has "no finding is recorded in small"
            continue
        }
        [ "$which" != "$id" ] || continue # it is not an id there
        exits 0
        has "Minimized: 1 preemption instead of"
        has "(fewest possible)"
        has "reproduce: heddle replay small/"
    done
    [ "$(preemptions small/latest)" = 1 ]
    diff -r before .heddle # what it was made from is as it was
    run heddle minimize "$id"
    exits 0
    run heddle replay
    exits 2
    # what is minimal stays as it is
    run heddle minimize
    exits 0
    has "Minimized: 1 preemption (fewest possible)"
}

@test "minimize: what cannot be read, is not there, or is of another build" {
    run heddle minimize
    exits 1
    has "no finding is recorded"
    run heddle minimize nothing.heddle
    exits 1
    has "nothing.heddle: No such file or directory"
    echo "no schedule" >bad.heddle
    run heddle minimize bad.heddle
    exits 1
    has "bad.heddle:1:"
    run heddle minimize --budget soon
    exits 1
    has "--budget"
    abba 0
    heddle run ./abba >/dev/null || [ $? = 2 ]
    heddle cc -g -O2 -DN=1 -DOTHERS=0 -o abba abba.c
    run heddle minimize
    exits 1
    has "another build"
}

@test "minimize: when the time is over, fewer preemptions are not excluded" {
    abba 1 12 # 12! orders without any preemption
    heddle run --strategy random --minimize off ./abba >/dev/null || [ $? = 2 ]
    for budget in 3s 30s 5m; do # a busy machine may need more time for a first result
        run heddle minimize --budget $budget
        exits 4
        [[ "$output" == *"there was no time"* ]] || break
    done
    [[ "$(tr -s ' \n' ' ' <<<"$output")" =~ \(at\ most\ [0-9]+\;\ fewer\ not\ excluded\) ]]
    run heddle replay
    exits 2
}

@test "minimize: a signal ends it, and what was reached is kept and shown" {
    abba 1 12
    heddle run --strategy random --minimize off -o as-found ./abba >/dev/null || [ $? = 2 ]
    most=$(preemptions as-found/latest)
    for how in "-s INT" "-s INT --foreground" "-s TERM"; do # to the group as a terminal does; to heddle alone
        for pause in 2 20 200; do # a busy machine may need more time for a smaller schedule
            rm -rf .heddle
            cp -r as-found .heddle
            SECONDS=0
            # shellcheck disable=SC2086
            run timeout $how --preserve-status -k 300 $pause "$HEDDLE" minimize --budget 10m
            exits 4
            [ "$SECONDS" -lt 500 ] # the time was not up
            [ "$(preemptions .heddle/latest)" -ge "$most" ] || break
        done
        [[ "$(tr -s ' \n' ' ' <<<"$output")" =~ \(at\ most\ [0-9]+\;\ fewer\ not\ excluded\) ]]
        has "FOUND deadlock"
        has "reproduce: heddle replay .heddle/"
        [ "$(preemptions .heddle/latest)" -lt "$most" ]
        run heddle replay
        exits 2
    done
}

@test "minimize: nondeterminism is refused, quiet is quiet" {
    abba 0
    heddle run ./abba >/dev/null || [ $? = 2 ]
    run heddle minimize -q
    exits 0
    [[ "$output" != *"Minimized:"* ]]
    sed -e 's/^kind deadlock/kind nondeterminism/' .heddle/latest >other
    run heddle minimize other # its checksum is wrong, which comes first
    exits 1
    has "checksum"
}

@test "several workers, several findings, other points, faults, processes of their own" {
    abba 3
    for options in "-j 2 --strategy random" "--keep-going --strategy ipb --bound 1" "--isolation fork" \
        "--points all --strategy random" "--faults malloc --strategy random" "--convention study"; do
        rm -rf .heddle
        # shellcheck disable=SC2086
        run heddle run $options --json r.json ./abba
        exits 2
        json r.json "r['findings'][0]['why'].startswith('fails because ')"
        [ "$(preemptions .heddle/latest)" -le 1 ]
        run heddle replay
        exits 2
    done
}

@test "a choice that decides is named" {
    cat >choice.c <<'END'
#include <assert.h>
#include <heddle/heddle.h>
int main(void)
{
    unsigned n = heddle_choose(3);
    assert(n != 2);
    return 0;
}
END
    heddle cc -g -o choice choice.c
    run heddle run ./choice
    exits 2
    [[ "$(tr -s ' \n' ' ' <<<"$output")" == *"why: fails because the choice of main at choice.c:5 was 2 (of 0..2)"* ]]
}

@test "what fails in every order is said to" {
    cat >always.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *p)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(n == 3);
    return 0;
}
END
    heddle cc -g -o always always.c
    run heddle run ./always
    exits 2
    has "why: fails in every order that was tried ("
}

# why_of PROGRAM [OPTIONS]: it fails, and this is why
why_of() {
    heddle cc -g -o "$1" "$1.c"
    run heddle run --races off "${@:2}" "./$1"
    exits 2
    why=$(sed -n '/^why: /,/^$/p' <<<"$output" | tr -s ' \n' ' ')
}

@test "a double free: what both saw is the cause, not the order of the frees" {
    cat >flag.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int closed;
static void *buffer;
static void *end(void *p)
{
    if (!atomic_load(&closed)) {
        atomic_store(&closed, 1);
        free(buffer);
    }
    return p;
}
int main(void)
{
    pthread_t a, b;
    buffer = malloc(8);
    pthread_create(&a, 0, end, 0);
    pthread_create(&b, 0, end, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
    why_of flag
    has "FOUND double-free"
    [[ "$why" == *"'s store of closed at flag.c:9 came between "*"'s load of closed at flag.c:8 and its store of closed at flag.c:9"* ]]
    [[ "$why" != *free* ]]
    # the same with a lock around each access
    sed -e 's/!atomic_load(&closed)/!is_closed()/' -e 's/atomic_store(&closed, 1);/pthread_mutex_lock(\&m); closed = 1;/' \
        -e 's/free(buffer);/free(buffer); pthread_mutex_unlock(\&m);/' -e 's/^static atomic_int closed;/static int closed;\
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\
static int is_closed(void)\
{\
    pthread_mutex_lock(\&m);\
    int now = closed;\
    pthread_mutex_unlock(\&m);\
    return now;\
}/' flag.c >locked.c
    why_of locked
    has "FOUND double-free"
    [[ "$why" == *"lock of m at locked.c:8 came "*"lock of m at locked.c:"* ]]
    [[ "$why" != *free* ]]
}

@test "two threads that both come too late for a flag" {
    cat >early.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static void *work(void *p)
{
    pthread_mutex_lock(&m);
    if (atomic_load(&stop))
        return p; /* and keeps the lock */
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    atomic_store(&stop, 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
    why_of early
    [[ "$why" == *"main's store of stop at early.c:18 came before T"*"'s load of stop at early.c:8"* ]]
}
# The search for fewer preemptions counts the time in which its own processes run: on a busy machine it ends long after its
# share of the clock.  Here its process, the second one of the process that minimises, is stopped meanwhile.
@test "minimize: what is known before a search that ends too late is not lost" {
    abba 1 12 # 12! orders without any preemption: the search does not end by itself
    heddle run --strategy random --minimize off ./abba >/dev/null || [ $? = 2 ]
    searches() { child=$(pgrep -P "$pid" -x heddle) && [ "$(pgrep -c -P "$child" -x heddle)" -eq 2 ]; }
    "$HEDDLE" minimize --budget 10s >said 2>&1 3>&- &
    pid=$!
    eventually searches
    kill -STOP "$(pgrep -n -P "$child" -x heddle)"
    sleep 12 # longer than the budget and its grace
    kill -CONT "$(pgrep -n -P "$child" -x heddle)"
    wait "$pid" || [ $? = 4 ]
    absent "there was no time" <said
    [[ "$(tr -s ' \n' ' ' <said)" =~ \(at\ most\ [0-9]+\;\ fewer\ not\ excluded\) ]]
}
