#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# suppress.bats - findings that the user has said he knows of: what a suppression covers
# does not stop the search and does not fail it, what it does not cover does both.

load helper

# Two races by the same function on different variables, an assertion that fails when
# asked for, and a deadlock when asked for.
program() {
    cat >known.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static long stats, money;
static int turn;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static const char *wanted; /* the environment is asked once: threads that do are at a point */
static int want(const char *what) { return wanted && strstr(wanted, what); }
static void __attribute__((noinline)) bump(long *p) { (*p)++; }
static void __attribute__((noinline)) check(int fine) { assert(fine && "order"); }
static int now(void)
{
    pthread_mutex_lock(&m);
    int t = turn;
    pthread_mutex_unlock(&m);
    return t;
}
static void both(pthread_mutex_t *a, pthread_mutex_t *b)
{
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    pthread_mutex_unlock(b);
    pthread_mutex_unlock(a);
}
static void *one(void *arg)
{
    if (want("race")) bump(&stats);
    if (want("money")) bump(&money);
    if (want("deadlock")) both(&m, &n);
    pthread_mutex_lock(&m); turn = 1; pthread_mutex_unlock(&m);
    if (want("check")) check(now() == 1);
    return arg;
}
static void *two(void *arg)
{
    if (want("race")) bump(&stats);
    if (want("money")) bump(&money);
    if (want("deadlock")) both(&n, &m);
    pthread_mutex_lock(&m); turn = 2; pthread_mutex_unlock(&m);
    if (want("other")) check(now() == 2);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    wanted = getenv("WANT");
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
    heddle cc -O1 -o known known.c
}

# suppression_of WANT: find it, and put what suppress prints into known.supp
suppression_of() {
    WANT=$1 run heddle run --races "${2:-on}" ./known
    exits 2
    WANT=$1 heddle suppress >known.supp
}

@test "suppress prints a stanza that covers the finding: race, deadlock, assertion" {
    program
    for want in race deadlock check; do
        races=$([ $want = race ] && echo on || echo off)
        suppression_of $want "$races"
        for search in "run --executions 500" "verify --strategy dfs" "verify --strategy dfs -j2" \
            "run --executions 500 -j2" "verify --points sync" "verify --strategy ipb -j2"; do
            # shellcheck disable=SC2086
            WANT=$want run heddle $search --races "$races" --suppressions known.supp --json r.json ./known
            [[ $status -eq 0 || $status -eq 4 ]] || exits 0
            has "1 finding suppressed by known.supp:1 ("
            json r.json '"; 1 finding was suppressed" in r["guarantee"]'
            [[ "$output" != *FOUND* ]]
            json r.json 'r["suppressed"] == 1 and r["findings"] == [] and r["buggy"] == 0'
            json r.json 'r["suppressions"][0]["findings"] == 1 and r["suppressions"][0]["line"] == 1'
            json r.json 'r["suppressions"][0]["file"] == "known.supp"'
        done
    done
}

@test "what it does not cover is found all the same, with one worker and with two" {
    program
    suppression_of race
    grep -q 'variable: stats' known.supp
    for jobs in 1 2; do
        for search in run "verify --strategy dfs" verify; do
            # shellcheck disable=SC2086
            WANT=race,money run heddle $search -j$jobs --suppressions known.supp --json r.json ./known
            exits 2
            has "FOUND data-race"
            has "money"
            json r.json 'len(r["findings"]) == 1 and r["findings"][0]["race"]["variable"] == "money"'
            # shellcheck disable=SC2086
            WANT=race,deadlock run heddle $search -j$jobs --suppressions known.supp ./known
            exits 2
            has "FOUND deadlock"
        done
    done
}

@test "the same place by other calls is another finding" {
    program
    suppression_of check off
    for jobs in 1 2; do
        WANT=check run heddle verify --strategy dfs --races off -j$jobs --suppressions known.supp ./known
        exits 0
        WANT=check,other run heddle verify --strategy dfs --races off -j$jobs --suppressions known.supp ./known
        exits 2
        has "FOUND assertion"
        has "two at "
        has "1 finding suppressed by known.supp:1"
    done
}

@test "a stanza covers its finding and not its neighbour: checks of one function" {
    cat >checks.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
static int first, second;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void __attribute__((noinline)) check(int a, int b) { heddle_assert(!a); heddle_assert(!b); }
static void *writer(void *arg)
{
    pthread_mutex_lock(&m); first = 1; pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); first = 0; second = 1; pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_mutex_lock(&m); check(first, second); pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
END
    heddle cc -O1 -o checks checks.c
    run heddle verify --strategy dfs --keep-going --json all.json ./checks
    exits 2
    json all.json 'len(r["findings"]) == 2'
    for one in 'heddle_assert(!a)' 'heddle_assert(!b)'; do
        schedule=$(python3 -c 'import json, sys; print([f["schedule"] for f in json.load(open("all.json"))["findings"] if sys.argv[1] in f["message"]][0])' "$one")
        heddle suppress "$schedule" >one.supp
        grep -qF "message: $one failed at *" one.supp
        run heddle verify --strategy dfs --keep-going --suppressions one.supp --json r.json ./checks
        exits 2
        ONE=$one json r.json 'r["suppressed"] == 1 and [__import__("os").environ["ONE"] in f["message"] for f in r["findings"]] == [False]'
    done
}

@test "a stanza covers its finding and not its neighbour: locks and flags in the same lines" {
    cat >stuck.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER, B = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t C = PTHREAD_MUTEX_INITIALIZER;
static atomic_int here, there, claimed;
static void __attribute__((noinline)) both(pthread_mutex_t *x, pthread_mutex_t *y)
{
    pthread_mutex_lock(x);
    pthread_mutex_lock(y);
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
}
static void __attribute__((noinline)) await(atomic_int *p)
{
    while (!atomic_load(p))
        sched_yield();
}
static void *one(void *arg) { both(&A, &B); both(&A, &C); return arg; }
static void *two(void *arg) { both(&B, &A); both(&C, &A); return arg; }
static void *flag(void *arg) { await(atomic_exchange(&claimed, 1) ? &here : &there); return arg; }
int main(int argc, char **argv)
{
    pthread_t t[2];
    (void)argv;
    pthread_create(&t[0], 0, argc > 1 ? flag : one, 0);
    if (argc > 1) atomic_exchange(&claimed, 1); else pthread_create(&t[1], 0, two, 0);
    pthread_join(t[0], 0);
    if (argc == 1) pthread_join(t[1], 0);
    return 0;
}
END
    heddle cc -O1 -o stuck stuck.c
    for arg in "" flags; do
        # shellcheck disable=SC2086
        run heddle verify --strategy dfs --keep-going --json all.json ./stuck $arg
        exits 2
        json all.json 'len(r["findings"]) == 2'
        for i in 0 1; do
            heddle suppress "$(python3 -c 'import json, sys; print(json.load(open("all.json"))["findings"][int(sys.argv[1])]["schedule"])' $i)" >one.supp
            absent "fun: main" <one.supp # it waits for the others, here or there
            absent " in main" <one.supp
            for jobs in 1 2; do
                # shellcheck disable=SC2086
                run heddle verify --strategy dfs -j$jobs --keep-going --suppressions one.supp --json r.json ./stuck $arg
                exits 2
                json r.json 'r["suppressed"] == 1 and len(r["findings"]) == 1'
            done
        done
    done
    grep -q 'variable: t*here' one.supp
}

@test "a lock is known by its name, and by the name that the report has for it" {
    program
    for name in m "mutex m" "mutex ?"; do
        printf '{\nknown\nkind: deadlock\nvariable: %s\n}\n' "$name" >lock.supp
        WANT=deadlock run heddle verify --strategy dfs --races off --suppressions lock.supp ./known
        exits 0
    done
    printf '{\nknown\nkind: deadlock\nvariable: m\nvariable: mutex o\n}\n' >lock.supp
    WANT=deadlock run heddle verify --strategy dfs --races off --suppressions lock.supp ./known
    exits 2
}

@test "elements of an array are told apart when a suppression names a variable" {
    cat >array.c <<'END'
#include <pthread.h>
static long count[4];
static void *thread(void *arg)
{
    for (int i = 0; i < 4; i++)
        count[i]++;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
    heddle cc -O1 -fno-tree-vectorize -fno-unroll-loops -o array array.c
    printf '{\nfirst\nkind: data-race\nvariable: count[?]\n}\n' >all.supp
    sed 's/?/0/' all.supp >one.supp
    run heddle verify --strategy dfs --suppressions all.supp ./array
    exits 0
    run heddle verify --strategy dfs --suppressions one.supp ./array
    exits 2
    has "count[1]"
}

@test "a suppressed finding is replayed and explored like any other execution" {
    program
    suppression_of deadlock off
    WANT=deadlock heddle verify --strategy dfs --races off --keep-going --json all.json ./known >/dev/null || true
    WANT=deadlock run heddle verify --strategy dfs --races off --suppressions known.supp --json r.json ./known
    exits 0
    json r.json 'r["complete"] and r["executions"] == __import__("json").load(open("all.json"))["executions"]'
    WANT=deadlock run heddle replay
    exits 2
}

@test "a suppressed race takes the claim of a reduced search away; --points races gives it back" {
    program
    suppression_of race
    WANT=race run heddle verify --suppressions known.supp --json r.json ./known
    exits 4
    has "only --points races"
    json r.json 'not r["complete"]'
    printf '{\nall of stats\nkind: data-race\nvariable: stats\n}\n' >stats.supp
    WANT=race run heddle verify --points races --suppressions stats.supp --json r.json ./known
    exits 0
    [[ "$output" != *C11* ]]
    json r.json 'r["complete"] and r["suppressed"] > 0'
}

@test "unused suppressions are listed; several files; HEDDLE_OPTIONS" {
    program
    printf '# nothing yet\n' >empty.supp
    printf '{\nold\nkind: leak\n}\n\n{\nstatistics\nkind: data-race\n...\nfun: bump\n}\n' >two.supp
    HEDDLE_OPTIONS="suppressions=empty.supp" WANT=race \
        run heddle verify --strategy dfs --suppressions two.supp --json r.json ./known
    exits 0
    has "Unused suppression: two.supp:1 (old)"
    has "1 finding suppressed by two.supp:6 (statistics)"
    json r.json '[s["findings"] for s in r["suppressions"]] == [0, 1]'
    HEDDLE_OPTIONS="suppressions=two.supp" WANT=race run heddle verify --strategy dfs -q ./known
    exits 0
    [ -z "$output" ]
    HEDDLE_OPTIONS="suppressions=two.supp" WANT=race run heddle verify --strategy dfs --suppressions empty.supp ./known
    exits 0
    has "two.supp:6"
}

@test "1: a malformed or missing file, before anything runs" {
    program
    printf '{\nname\nkind: data-rcae\n}\n' >bad.supp
    run heddle run --suppressions bad.supp ./known
    exits 1
    has "heddle: bad.supp:3: there is no kind of finding 'data-rcae'"
    has "heddle list detectors"
    printf '{\nname\nkind: potential-deadlock\n}\n' >bad.supp
    run heddle run --suppressions bad.supp ./known
    exits 1
    has "bad.supp:3: potential-deadlock is a warning, and warnings cannot be suppressed"
    run heddle run --suppressions none.supp ./known
    exits 1
    has "none.supp: No such file"
    run heddle run --suppressions "" ./known
    exits 1
    run heddle run --suppressions . ./known
    exits 1
}

@test "suppress takes the newest, a path or an id, and says when there is none" {
    program
    run heddle suppress
    exits 1
    has "no finding is recorded"
    suppression_of race
    id=$(basename .heddle/*.heddle .heddle)
    [ "$(WANT=race heddle suppress "$id")" = "$(cat known.supp)" ]
    [ "$(WANT=race heddle suppress .heddle/"$id".heddle)" = "$(cat known.supp)" ]
    run heddle suppress # without WANT it is another program
    exits 5
    has "did not occur again"
}

@test "results do not depend on the speed of the judge" {
    program
    printf '{\nstatistics\nkind: data-race\nvariable: stats\n}\n' >stats.supp
    for _ in 1 2 3; do
        WANT=race,money run heddle run --seed 5 -j2 --suppressions stats.supp --json r.json ./known
        exits 2
        python3 -c 'import json; r = json.load(open("r.json")); print(r["findings"][0]["id"], r["findings"][0]["execution"], r["suppressed"])' >>ids
    done
    WANT=race,money run heddle run --seed 5 --suppressions stats.supp --json r.json ./known
    exits 2
    python3 -c 'import json; r = json.load(open("r.json")); print(r["findings"][0]["id"], r["findings"][0]["execution"], r["suppressed"])' >>ids
    [ "$(sort -u ids | wc -l)" -eq 1 ]
}

# main and a thread lock in opposite orders; with "check" an assertion fails as well, if the thread is first.
muting() {
    cat >muting.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int checked, turn;
static void both(pthread_mutex_t *a, pthread_mutex_t *b)
{
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    pthread_mutex_unlock(b);
    pthread_mutex_unlock(a);
}
static void *other(void *unused)
{
    both(&n, &m);
    __atomic_store_n(&turn, 1, __ATOMIC_SEQ_CST);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t t;
    checked = argc > 1 && strcmp(argv[1], "check") == 0;
    pthread_create(&t, NULL, other, NULL);
    both(&m, &n);
    if (checked)
        assert(__atomic_load_n(&turn, __ATOMIC_SEQ_CST) == 0);
    pthread_join(t, NULL);
    return 0;
}
END
    heddle cc -g -o muting muting.c
}

@test "--mute: a kind neither ends the search nor counts as a bug, and is listed" {
    muting
    run heddle verify --progress none ./muting
    exits 2
    has "FOUND deadlock"
    for jobs in 1 2; do
        run heddle verify --progress none -j $jobs --mute deadlock --json r.json ./muting
        exits 0
        has "Muted deadlock: main and T1 wait for each other"
        has "1 finding was muted"
        [[ $output != *"FOUND"* ]]
        # one cause, whatever the number of executions and workers that meet it
        json r.json 'r["verdict"] == "clean" and r["findings"] == [] and [m["kind"] for m in r["muted"]] == ["deadlock"]'
        json r.json 'r["suppressed"] == 1 and r["suppressions"] == []'
    done
    [ ! -e .heddle ] || [ "$(ls .heddle/*.heddle | wc -l)" -eq 1 ] # of the first search
}

@test "--mute: other kinds still count" {
    muting
    run heddle verify --progress none --mute deadlock,leak --json r.json ./muting check
    exits 2
    has "FOUND assertion"
    json r.json '[f["kind"] for f in r["findings"]] == ["assertion"]'
    run heddle run --progress none --mute assertion,deadlock ./muting check
    [ "$status" -ne 2 ]
    has "Muted assertion"
    has "Muted deadlock"
}

@test "--mute: a kind that does not exist, or that cannot be muted" {
    muting
    run heddle run --mute deadlok ./muting
    exits 1
    has "did you mean 'deadlock'"
    run heddle run --mute nondeterminism ./muting
    exits 1
    has "remove the cause"
}
