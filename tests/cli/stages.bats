# SPDX-License-Identifier: BSD-2-Clause
#
# heddle run without --strategy: samples and proves in turn.
# shellcheck disable=SC2154 # bats sets output and status
load helper

# Threads that add to a sum under a lock, ROUNDS times each; with RACE they also store to a flag that nothing
# orders; with LOST an update can be lost.
sums() {
    cat >sums.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum, seen;
static void *add(void *arg)
{
#ifdef RACE
    seen = 1;
#endif
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&m);
        int now = sum;
#ifdef LOST
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
#endif
        sum = now + 1;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sum == 2 * ROUNDS);
    return 0;
}
END
    heddle cc -o "$1" "${@:2}" sums.c
}

strategies() { python3 -c 'import json; print(*[s["strategy"] for s in json.load(open("r.json"))["stages"]])'; }

@test "a small program is proved: CLEAN, exit 0, the second stage says so" {
    sums small -DROUNDS=1
    # a number of executions: no stage depends on the time that it takes
    run heddle run --executions 100000 --progress none --json r.json ./small
    exits 0
    has "CLEAN"
    has "dpor 2, complete"
    # two critical sections: two orders, as verify counts them
    json r.json 'r["verdict"] == "clean" and r["complete"] and r["strategy"] == "dpor" and r["executions"] == 2'
    json r.json '[s["executions"] for s in r["stages"]] == [1000, 2] and r["stages"][1]["complete"]'
    run heddle run -j2 --executions 100000 --progress none ./small
    exits 0
}

@test "a program of some thousand classes is proved by the second proving stage" {
    sums middle -DROUNDS=7 # (14 over 7) = 3,432 orders
    run heddle run --executions 100000 --progress none --json r.json ./middle
    exits 0
    json r.json 'r["complete"] and r["executions"] == 3432'
    # the first proving stage estimates that it is small, so the second one follows at once
    [ "$(strategies)" = "mix dpor dpor" ]
}

@test "a program that is too large is INCOMPLETE, and the sampling stages count as one search" {
    sums large -DROUNDS=20
    run heddle run --executions 3000 --progress none --json r.json ./large
    exits 4
    # 1,000 and a quarter of the rest, and a quarter of what is left then
    json r.json '[s["executions"] for s in r["stages"]] == [1000, 500, 1500]'
    json r.json 'r["verdict"] == "budget" and r["strategy"] == "mix" and r["executions"] == 2500'
    has "dpor 500, not finished"
}

@test "a limit of few executions leaves no room for a proof" {
    sums small -DROUNDS=1
    run heddle run --executions 100 --progress none --json r.json ./small
    exits 4
    json r.json 'r["executions"] == 100'
}

@test "a race does not hide the failure behind it: that comes first, and is replayed" {
    sums raced -DROUNDS=1 -DRACE -DLOST
    run heddle run --progress none --json r.json ./raced
    exits 2
    json r.json '[f["kind"] for f in r["findings"]] == ["assertion", "data-race"]'
    [ "$(grep -n -m1 "FOUND assertion" <<<"$output" | cut -d: -f1)" -lt "$(grep -n -m1 "FOUND data-race" <<<"$output" | cut -d: -f1)" ]
    run heddle replay --progress none
    exits 2
    has "FOUND assertion"
    # a search with a strategy ends at the race
    run heddle run --strategy mix --progress none --json r.json ./raced
    json r.json '[f["kind"] for f in r["findings"]] == ["data-race"]'
}

@test "races alone: the search goes on for a while, and fails with them" {
    sums harmless -DROUNDS=1 -DRACE
    run heddle run --executions 3000 --progress none --json r.json -o out ./harmless
    exits 2
    json r.json '[f["kind"] for f in r["findings"]] == ["data-race"] and r["executions"] == 3000'
    has "1 data race; whether it does harm is not known"
    json r.json 'r["first_bug_execution"] == 1 and r["buggy"] == 3000'
    # the stages before have left no schedules behind
    [ "$(find out -name '*.heddle' | wc -l)" -eq 1 ]
}

@test "after races only, the search goes on in the same process" {
    # With a process for each execution the budget ended it after some thousand.
    sums on -DROUNDS=2 -DRACE
    run heddle run --progress none --json r.json ./on
    exits 2
    json r.json 'r["executions"] == 10000'
}

@test "a race is reported if it is found in the last moment of the budget" {
    # an execution takes so long that the budget ends in the first stage, which goes past the race
    cat >slow.c <<'END'
#include <pthread.h>
static int seen;
static volatile unsigned work;
static void *stores(void *arg)
{
    seen = 1;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, stores, NULL);
    seen = 2;
    for (unsigned i = 0; i < 5000000; i++)
        work = i;
    pthread_join(t, NULL);
    return 0;
}
END
    heddle cc -o slow slow.c
    run heddle run --budget 5s --progress none --json r.json ./slow
    exits 2
    json r.json '[f["kind"] for f in r["findings"]] == ["data-race"]'
}

@test "a suppressed race is gone past without being counted" {
    sums harmless -DROUNDS=1 -DRACE
    run heddle run --executions 3000 --progress none -o out ./harmless
    exits 2
    heddle suppress -o out >known
    run heddle run --executions 3000 --suppressions known --progress none --json r.json -o out2 ./harmless
    exits 4
    json r.json 'r["findings"] == [] and r["suppressed"] == 1 and r["buggy"] == 0'
}

@test "a bug is found by the same execution as with --strategy mix" {
    sums lost -DROUNDS=2 -DLOST
    run heddle run --progress none --json r.json ./lost
    exits 2
    run heddle run --strategy mix --progress none --json mix.json ./lost
    exits 2
    [ "$(grep -o '"first_bug_execution": [0-9]*' r.json)" = "$(grep -o '"first_bug_execution": [0-9]*' mix.json)" ]
}

@test "a program that is not instrumented is only sampled" {
    sums small -DROUNDS=1
    gcc -g -o plain -DROUNDS=1 sums.c -lpthread
    run heddle run --executions 2000 --progress none --json r.json ./plain
    exits 4
    [ "$(strategies)" = "mix mix" ]
}
