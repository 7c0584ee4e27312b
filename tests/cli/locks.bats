#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# locks.bats - how deadlocks, misuse and warnings are reported: which thread waits for which, what is
# held and where it was taken, which signal came too early, what a complete search refutes.

load helper

bank() {
    cat >bank.c <<'END'
#include <pthread.h>
static pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER, to = PTHREAD_MUTEX_INITIALIZER;
static void __attribute__((noinline)) take(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
}
static void __attribute__((noinline)) transfer(pthread_mutex_t *x, pthread_mutex_t *y)
{
    take(x);
    take(y);
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
}
static void *teller(void *arg)
{
    transfer(&to, &from);
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t t;

    (void)argv;
    pthread_create(&t, 0, teller, 0);
    if (argc > 1)
        pthread_join(t, 0);
    transfer(&from, &to);
    if (argc == 1)
        pthread_join(t, 0);
    return 0;
}
END
    heddle cc -O1 -o bank bank.c
}

@test "a deadlock: one sentence, who waits for which lock, where it was taken, by whom called" {
    bank
    run heddle run --strategy dfs --json r.json ./bank
    exits 2
    has "main and T1 wait for each other for ever:"
    has "main waits at bank.c:5 for mutex to, held by T1 (taken at bank.c:5)"
    has "T1 waits at bank.c:5 for mutex from, held by main (taken at bank.c:5)"
    has "T1 took mutex to here"
    has "main took mutex from here"
    [ "$(grep -c '#1   transfer at .*bank.c:9' <<<"$output")" -eq 2 ]  # where they were taken
    [ "$(grep -c '#1   transfer at .*bank.c:10' <<<"$output")" -eq 2 ] # where they are wanted
    json r.json 'r["findings"][0]["message"].startswith("main and T1 wait for each other for ever: main waits for mutex to, held by T1")'
    json r.json 'r["warnings"] == []'
    json r.json 'r["findings"][0]["deadlock"]["cycle"] == ["main", "T1"]'
    json r.json 'r["findings"][0]["deadlock"]["threads"][1] == {"thread": "T1", "state": "cycle", "operation": "lock from",
        "at": "bank.c:5", "waits_for": "mutex from", "blocked_by": "main", "taken_at": "bank.c:5",
        "holds": [{"object": "mutex to", "taken_at": "bank.c:5"}]}'
    run heddle replay
    exits 2
    has "main took mutex from here"
}

@test "a schedule that survives is a warning with both stacks of both threads" {
    bank
    run heddle run --strategy dfs --executions 1 --json r.json ./bank
    exits 4
    has "WARNING potential-deadlock: main locks mutex to at bank.c:5 while it holds mutex"
    has "main took mutex from in take (bank.c:5), called by transfer (bank.c:9), main"
    has "T1 took mutex from in take (bank.c:5), called by transfer (bank.c:10), teller"
    json r.json 'r["verdict"] == "budget" and r["findings"] == []'
    json r.json '[w["kind"] for w in r["warnings"]] == ["potential-deadlock"]'
    json r.json '"called by transfer (bank.c:10), teller" in r["warnings"][0]["details"]'
    cp r.json first.json
    run heddle run --strategy dfs --executions 1 --json r.json ./bank
    json r.json 'r["warnings"] == __import__("json").load(open("first.json"))["warnings"]'
}

# Two pairs of locks that the same lines take, each in both orders.
pairs() {
    cat >pairs.c <<'END'
#include <pthread.h>
static pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER, B = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t C = PTHREAD_MUTEX_INITIALIZER, D = PTHREAD_MUTEX_INITIALIZER;
static void __attribute__((noinline)) both(pthread_mutex_t *x, pthread_mutex_t *y)
{
    pthread_mutex_lock(x);
    pthread_mutex_lock(y);
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
}
static void *one(void *arg) { both(&A, &B); both(&C, &D); return arg; }
static void *two(void *arg) { both(&B, &A); both(&D, &C); return arg; }
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, two, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
END
    heddle cc -O1 -o pairs pairs.c
}

@test "deadlocks of different variables at the same lines are different findings" {
    pairs
    for search in "run --executions 2000" "verify --strategy dfs" "verify --strategy dfs -j2" verify; do
        # shellcheck disable=SC2086
        run heddle $search --keep-going --json r.json ./pairs
        exits 2
        json r.json 'sorted([v for v in "ABCD" if "mutex " + v in f["message"]] for f in r["findings"]) == [["A", "B"], ["C", "D"]]'
        json r.json 'r["warnings"] == []' # both have happened
    done
    heddle run --keep-going --executions 2000 --json again.json ./pairs >/dev/null || true
    run heddle run --keep-going --executions 2000 --json r.json ./pairs
    json r.json '[f["id"] for f in r["findings"]] == [f["id"] for f in __import__("json").load(open("again.json"))["findings"]]'
}

@test "deadlocks of objects on the heap at the same lines are one finding" {
    pairs
    sed -e 's/static pthread_mutex_t \(.\) = P[A-Z_]*, \(.\) = P[A-Z_]*;/static pthread_mutex_t *\1, *\2;/' \
        -e 's/&\([ABCD]\)/\1/g' -e '1i #include <stdlib.h>' \
        -e 's/    pthread_t t.*/&\nA = calloc(1, 40); B = calloc(1, 40); C = calloc(1, 40); D = calloc(1, 40);/' pairs.c >heap.c
    heddle cc -O1 -o heap heap.c
    run heddle verify --strategy dfs --keep-going --json r.json ./heap
    exits 2
    json r.json '[f["kind"] for f in r["findings"]] == ["deadlock"]'
}

@test "a deadlock that was found and suppressed is not said never to have happened" {
    pairs
    printf '{\nknown\nkind: deadlock\nvariable: A\nvariable: B\n}\n' >ab.supp
    run heddle run --executions 2000 --keep-going --suppressions ab.supp --json r.json ./pairs
    exits 2
    json r.json 'r["suppressed"] == 1 and r["warnings"] == []'
    json r.json '[("mutex C" in f["message"]) for f in r["findings"]] == [True]'
}

@test "livelocks of different variables at the same line are different findings" {
    cat >polls.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int one, two, claimed;
static void __attribute__((noinline)) await(atomic_int *p)
{
    while (!atomic_load(p))
        sched_yield();
}
static void *thread(void *arg)
{
    await(atomic_exchange(&claimed, 1) ? &one : &two);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    atomic_exchange(&claimed, 1);
    pthread_join(t, 0);
    return 0;
}
END
    heddle cc -O1 -o polls polls.c
    run heddle verify --strategy dfs --keep-going --json r.json ./polls
    exits 2
    json r.json '[f["kind"] for f in r["findings"]] == ["livelock", "livelock"]'
}

@test "what happens before cannot deadlock, and is no warning" {
    bank
    run heddle run --strategy random --executions 5 --json r.json ./bank joined
    exits 4
    absent WARNING <<<"$output"
    json r.json 'r["warnings"] == []'
}

@test "a lost signal is told from a circle" {
    cat >lost.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, waiter, 0);
    pthread_cond_signal(&c);
    pthread_join(t, 0);
    return 0;
}
END
    heddle cc -O1 -o lost lost.c
    run heddle run --strategy dfs --json r.json ./lost
    exits 2
    has "2 threads are blocked for ever:"
    grep -q 'T1 waits at lost.c:7 for condition c; the last signal was sent by main at' <<<"$output"
    json r.json '"the last signal was sent by main at lost.c:16, before it waited" in r["findings"][0]["message"]'
    absent "each other" <<<"$output"
}

@test "misuse names the object, the thread and who holds it" {
    cat >misuse.c <<'END'
#include <pthread.h>
static struct { int pad; pthread_mutex_t lock; } account = { 0, PTHREAD_MUTEX_INITIALIZER };
static void *thief(void *arg)
{
    pthread_mutex_unlock(&account.lock);
    return arg;
}
int main(void)
{
    pthread_t t;

    pthread_mutex_lock(&account.lock);
    pthread_create(&t, 0, thief, 0);
    pthread_join(t, 0);
    return 0;
}
END
    heddle cc -O1 -o misuse misuse.c
    run heddle run --strategy dfs --json r.json ./misuse
    exits 2
    has "T1 unlocks mutex account.lock, which main holds"
    json r.json 'r["findings"][0]["message"] == "T1 unlocks mutex account.lock, which main holds"'
}

@test "a thread that nobody joins is a warning, and the verdict stays clean" {
    printf '#include <pthread.h>\nstatic void *one(void *a)\n{\n return a;\n}\nint main(void)\n{\n pthread_t t;\n pthread_create(&t, 0, one, 0);\n return 0;\n}\n' >left.c
    heddle cc -O1 -o left left.c
    run heddle verify --json r.json ./left
    exits 0
    has "WARNING thread-not-joined: T1, created by main at left.c:9"
    json r.json 'r["verdict"] == "clean" and len(r["warnings"]) == 1'
}
