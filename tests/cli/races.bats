#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# races.bats - how a data race is reported: both accesses with their stacks, locks and
# threads, the memory by name, and each pair of places once.

load helper

counter() {
    cat >race.c <<'END'
#include <pthread.h>
static struct { int pad; long hits[4]; } stats;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void __attribute__((noinline)) bump(int i) { stats.hits[i]++; }
static void *one(void *arg)
{
    pthread_mutex_lock(&m);
    bump(2);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg)
{
    pthread_mutex_lock(&n);
    bump(2);
    pthread_mutex_unlock(&n);
    return arg;
}
int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
    heddle cc -O1 -o race race.c
}

@test "both accesses have their stack, their locks, their thread; the variable has its name" {
    counter
    run heddle run --strategy dfs --json r.json ./race
    exits 2
    has "and nothing orders this after"
    has "memory: stats.hits[2], 8 bytes"
    has "like a counter"
    [ "$(grep -c 'holding mutex [mn] (taken at race.c:[0-9]*)' <<<"$output")" -eq 2 ]
    [ "$(grep -c '#0   bump at' <<<"$output")" -eq 2 ]
    grep -q '#1   one at .*race.c:8' <<<"$output"
    grep -q '#1   two at .*race.c:15' <<<"$output"
    [ "$(grep -c '\*\* [a-z]* .*hits\[2\]' <<<"$output")" -eq 2 ]
    [ "$(grep -c 'created by main at race.c:2[34]' <<<"$output")" -eq 2 ]
    absent '0x[0-9a-f]\{6\}' <<<"$output"
    json r.json 'r["findings"][0]["race"]["variable"] == "stats.hits[2]"'
    json r.json 'r["findings"][0]["race"]["labels"] == ["counter"]'
    json r.json 'sorted(a["locks"] for a in r["findings"][0]["race"]["accesses"]) == [["mutex m"], ["mutex n"]]'
    json r.json 'all(a["stack"][0] == "bump race.c:4" for a in r["findings"][0]["race"]["accesses"])'
    json r.json 'sorted(a["stack"][1] for a in r["findings"][0]["race"]["accesses"]) == ["one race.c:8", "two race.c:15"]'
    run heddle replay
    exits 2
    [ "$(grep -c '#0   bump at' <<<"$output")" -eq 2 ]
}

@test "a heap block has its size and where it was allocated" {
    cat >heap.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct node { long key; int value; };
static struct node *make(void) { return calloc(1, sizeof(struct node)); }
static void *set(void *arg)
{
    ((struct node *)arg)->value = 1;
    return 0;
}
int main(void)
{
    struct node *n = make();
    pthread_t t;

    pthread_create(&t, 0, set, n);
    n->value = 1;
    pthread_join(t, 0);
    return 0;
}
END
    heddle cc -O1 -o heap heap.c
    run heddle run --strategy dfs ./heap
    exits 2
    has "n->value, 4 bytes (int) at offset 8 of 16, allocated by main at"
    has "    heap.c:4"
    has "heap.c:4"
    has "stores the value that is there already"
    has "Allocation of the block"
}

@test "a race with a free is told as one" {
    cat >freed.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) shared;
static void *reader(void *arg)
{
    int *p = shared;

    if (p != 0)
        *(int *)arg = *p;
    return 0;
}
int main(void)
{
    static int out;
    pthread_t t;
    int *p = calloc(1, sizeof *p);

    shared = p;
    pthread_create(&t, 0, reader, &out);
    shared = 0;
    free(p);
    pthread_join(t, 0);
    return 0;
}
END
    heddle cc -O1 -o freed freed.c
    run heddle run --strategy dfs --keep-going --json r.json ./freed
    exits 2
    has "main frees p at freed.c:22, and nothing orders this after the"
    has "read at freed.c:10 and freed at freed.c:22"
    absent "the value that is there" <<<"$output"
    absent "main writes" <<<"$output"
    json r.json '[a["operation"] for f in r["findings"] if "race" in f for a in f["race"]["accesses"]] == ["read", "free"]'
}

longest() { awk '{ if (length > n) n = length } END { print n }'; }

@test "the table is as wide as the terminal, and keeps names where that is narrow" {
    cat >wide.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic long a_variable_with_a_long_name;
static void *add(void *arg)
{
    a_variable_with_a_long_name += 1;
    assert(a_variable_with_a_long_name != 2);
    return arg;
}
int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, 0);
    a_variable_with_a_long_name += 1000;
    a_variable_with_a_long_name -= 1000;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
END
    heddle cc -O1 -o wide wide.c
    run heddle run --strategy dfs ./wide
    exits 2
    table=$(sed -n '/^Interleaving/,/^Stack/p' <<<"$output")
    [ "$(longest <<<"$table")" -gt 76 ] # but for what three columns cannot share
    [ "$(longest <<<"$table")" -le 80 ]
    grep -q ' load a_variable_with_a_long_name = 2' <<<"$table"
    COLUMNS=150 run heddle replay
    has "rmw a_variable_with_a_long_name = 1000 "
    COLUMNS=20 run heddle replay
    table=$(sed -n '/^Interleaving/,/^Stack/p' <<<"$output")
    [ "$(longest <<<"$table")" -le 80 ]
    grep -q ' rmw a_variable_with_a_long_name = 1 ' <<<"$table"
}

@test "each pair of places is reported once, whatever the number of processes and workers" {
    counter
    for how in "--isolation inproc" "--isolation fork" "-j 2"; do
        # shellcheck disable=SC2086 # two words
        run heddle run --strategy dfs --keep-going $how --json r.json ./race
        exits 2
        json r.json 'len({(f["message"]) for f in r["findings"]}) == len(r["findings"])'
        json r.json '1 <= len(r["findings"]) <= 2 and r["buggy"] == r["executions"] > 3'
    done
}

@test "two runs report the same" {
    counter
    for i in 1 2; do
        run heddle run --strategy random --seed 7 --keep-going --executions 50 ./race
        grep -v 'executions in' <<<"$output" >said.$i
    done
    cmp said.1 said.2
}

@test "the verdict names atomics weaker than seq_cst, and claims C11 only without them" {
    litmus=$BATS_TEST_DIRNAME/../litmus/races
    heddle cc -O1 -o buffering "$litmus/buffering.c"
    run heddle verify --json r.json ./buffering relaxed
    exits 0
    has "weaker than seq_cst"
    absent "C11" <<<"$output"
    json r.json 'r["weak_atomics"] and all(w.startswith("buffering.c:") for w in r["weak_atomics"])'
    json r.json '"weaker than seq_cst" in r["guarantee"] and "C11" not in r["guarantee"]'
    run heddle verify --json r.json ./buffering seq-cst
    exits 0
    json r.json 'r["weak_atomics"] == [] and "holds for C11" in r["guarantee"]'
    run heddle verify --strategy dfs --races off --json r.json ./buffering seq-cst
    exits 0
    json r.json '"C11" not in r["guarantee"]'
    run heddle verify --strategy ipb --bound 1 --json r.json ./buffering seq-cst
    exits 0
    json r.json '"C11" not in r["guarantee"]'
}

@test "copies by a library count when it is instrumented, and only then" {
    cat >fill.c <<'END'
#include <string.h>
static char from[64];
void fill(char *to, unsigned long n) { memcpy(to, from, n); }
END
    cat >main.c <<'END'
#include <pthread.h>
extern void fill(char *to, unsigned long n);
static char to[64];
static void *work(void *arg)
{
    fill(to, sizeof to);
    return arg;
}
int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
    cc -O1 -shared -fPIC -o libfill.so fill.c
    heddle cc -O1 -o main main.c -L. -lfill -Wl,-rpath,"$PWD"
    run heddle verify --strategy dfs ./main
    exits 0
    heddle cc -O1 -shared -fPIC -o libfill.so fill.c
    run heddle verify --strategy dfs ./main
    exits 2
    has "FOUND data-race"
    has "memory: to"
}

@test "a label says what was seen, and nothing when nothing was" {
    litmus=$BATS_TEST_DIRNAME/../litmus/races
    heddle cc -O1 -o overlap "$litmus/overlap.c"
    run heddle run --strategy dfs --json r.json ./overlap whole-whole # 1 and 2
    exits 2
    json r.json 'r["findings"][0]["race"]["labels"] == []'
    heddle cc -O1 -o places "$litmus/places.c"
    run heddle run --strategy dfs --json r.json ./places heap # 1 and 1
    exits 2
    json r.json 'r["findings"][0]["race"]["labels"] == ["same-value"]'
    heddle cc -O1 -o flag "$litmus/volatile_flag.c"
    run heddle run --strategy dfs --json r.json ./flag mixed
    exits 2
    json r.json 'sorted(a["atomic"] for a in r["findings"][0]["race"]["accesses"]) == [False, True]'
    json r.json 'all(len(a["stack"]) >= 1 for a in r["findings"][0]["race"]["accesses"])'
}

@test "variables have their type, locals their name, threads the stack of their creation" {
    cat >typed.c <<'END'
#include <pthread.h>
struct node { struct node *next; int value; };
struct queue { struct node *head; int size; };
struct queue q;
static volatile int stop;
static void *one(void *arg)
{
    ((struct queue *)arg)->size++;
    q.head = (struct node *)arg;
    stop = 1;
    return 0;
}
static void *two(void *arg)
{
    ((struct queue *)arg)->size++;
    q.head = (struct node *)arg;
    return stop ? 0 : arg;
}
static pthread_t __attribute__((noinline)) launch(void *(*f)(void *), void *a)
{
    pthread_t t;
    pthread_create(&t, 0, f, a);
    return t;
}
static int __attribute__((noinline)) work(void)
{
    struct queue local = { 0, 0 };
    pthread_t a = launch(one, &local), b = launch(two, &local);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return local.size;
}
int main(void) { return work() == 99; }
END
    compilers=gcc
    if command -v clang >/dev/null; then compilers="gcc clang"; fi
    for compiler in $compilers; do
        for level in -O0 -O1 -O2; do
            HEDDLE_CC=$compiler heddle cc -g $level -o typed typed.c
            run heddle run --strategy random --executions 20 --keep-going --json r.json ./typed
            exits 2
            has "local.size (in work), 4 bytes (int) on the stack of main"
            has "q.head, 8 bytes (struct node *)"
            has "stop, 4 bytes (volatile int)"
            has "Creation of T1, by main"
            json r.json '{(f["race"]["variable"], f["race"]["type"]) for f in r["findings"]} == {("local.size (in work)", "int"), ("q.head", "struct node *"), ("stop", "volatile int")}'
            json r.json 'all(["launch", "work", "main"] == [s.split()[0] for s in a["creation_stack"]] for f in r["findings"] for a in f["race"]["accesses"])'
            json r.json '[sorted(f["race"]["labels"]) for f in r["findings"] if f["race"]["variable"] == "stop"][0] == ["flag", "volatile"]'
        done
    done
}

# predicts COUNT VARIANT: so many pairs, in one execution without a race
predicts() {
    run heddle run --strategy dfs --executions 1 --races predict --json r.json ./predicted "$2"
    json r.json 'r["findings"] == [] and r["verdict"] != "bug" and r["executions"] == 1'
    json r.json "len(r['predicted_races']) == $1" || { echo "$2" && false; }
}

@test "predicted races are listed apart, and only those" {
    heddle cc -g -O1 -o predicted "$BATS_TEST_DIRNAME/../litmus/races/predicted.c"
    predicts 1 hidden
    has "Predicted races: not seen"
    predicts 2 two-locks # the write with the read and with the write of the other
    predicts 1 readers
    for variant in guarded joined posted released shared woken; do predicts 0 $variant; done
    # a claim is neither given nor taken
    run heddle verify --races predict --json r.json ./predicted guarded
    exits 0
    json r.json 'r["complete"] and r["predicted_races"] == []'
    # what was seen is no prediction
    run heddle verify --races predict --keep-going --strategy dfs --json r.json ./predicted hidden
    exits 2
    json r.json 'len(r["findings"]) == 1 and r["predicted_races"] == []'
    # here the other order is impossible: what is listed proves nothing, the verdict does
    cat >handover.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;
static int ready;
static void *give(void *arg)
{
    x = 1;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    return arg;
}
static void *take(void *arg)
{
    pthread_mutex_lock(&m);
    int go = ready;
    pthread_mutex_unlock(&m);
    if (go)
        x = 2;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, give, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
    heddle cc -g -O1 -o handover handover.c
    run heddle verify --races predict --json r.json ./handover
    exits 0
    json r.json 'r["complete"] and r["verdict"] == "clean" and len(r["predicted_races"]) == 1'
    has "Predicted races, which the complete search has shown to be impossible"
    for i in 1 2; do
        run heddle run --strategy random --executions 200 -j2 --races predict --json r.json ./predicted two-locks
        json r.json 'len(r["predicted_races"]) <= 2'
    done
}

@test "an execution that is begun again leaves nothing behind" {
    cat >late.c <<'END'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include <heddle/heddle.h>

static int line[64] __attribute__((aligned(64)));
static struct {
    _Atomic int a;
    int x;
} near __attribute__((aligned(64)));
static unsigned number;

static void *other(void *arg)
{
    near.a = 2;
    if (number == 29) {
        line[0] = 2; /* this race is noticed late */
        near.x = 2;
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(open("only.one", O_CREAT | O_EXCL | O_RDWR, 0600) >= 0);
    line[0] = 3;
    number = heddle_choose(30);
    pthread_create(&t, NULL, other, NULL);
    if (number == 29) {
        line[0] = 7;
        near.x = 3;
    }
    pthread_join(t, NULL);
    unlink("only.one");
    return 0;
}
END
    heddle cc -g -o late late.c
    run heddle verify --strategy dfs --keep-going --progress none ./late
    exits 2
    [ "$(grep -c 'FOUND data-race' <<<"$output")" = 2 ]
    [ "$(grep -c 'FOUND' <<<"$output")" = 2 ]
}

@test "where mappings cannot be told apart any more, no race is judged" {
    cat >maps.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int locked[16] __attribute__((aligned(64))), own[16] __attribute__((aligned(64)));
static int fd;

static void *first(void *arg)
{
    pthread_mutex_lock(&m);
    locked[0] = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *second(void *arg)
{
    for (int i = 0; i < 257; i++) {
        own[0] = i;
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4096L * i);
        own[0] = i;
    }
    pthread_mutex_lock(&m);
    locked[0] = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    fd = memfd_create("shared", 0);
    ftruncate(fd, 4096 * 257);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
END
    heddle cc -g -o maps maps.c
    run heddle run --strategy random --executions 100 --progress none ./maps
    exits 4 # nothing found, and nothing proved
}
