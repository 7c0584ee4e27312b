#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# points.bats - --points, --within and --without as the user sees them.  What they find
# is in tests/litmus/expected.tsv.

load helper

litmus=${HEDDLE_SOURCE:-$BATS_TEST_DIRNAME/../..}/tests/litmus

program() {
    heddle cc -g -O1 -o "$1" "$litmus/points/$1.c"
}

# field KEY: of result.json
field() {
    "$BATS_TEST_DIRNAME/../support/result" result.json | sed -n "s/^$1 //p"
}

# The first execution shows both sites (points/increments.c says why).
@test "a new racing site ends the pass" {
    program increments
    run heddle verify --points races --json result.json ./increments
    exits 2
    [ "$(field passes)" -eq 2 ]
    [ "$(field discarded)" -eq 1 ]
    [ "$(field executions)" -eq 4 ]
    [ "$(field complete)" = true ]
    has "no harm comes of"
    has "covers every"
    has "after 1 in 1 earlier pass"
}

@test "without a race there is one pass, and the claim covers plain accesses" {
    program lost_update_fixed
    run heddle verify --points races --json result.json ./lost_update_fixed
    exits 0
    [ "$(field passes)" -eq 1 ]
    [ "$(field discarded)" -eq 0 ]
    has "no other access races"
}

@test "what racing points found is replayed" {
    program lost_update_bug
    run heddle verify --points races ./lost_update_bug
    exits 2
    has "FOUND assertion"
    grep -q '^site ' .heddle/latest
    run heddle replay .heddle/latest
    exits 2
    has "the same assertion again"
    run heddle run --strategy pct --points races ./lost_update_bug
    exits 2
    run heddle replay .heddle/latest
    has "the same assertion again"
}

@test "random strategies go on with the larger set and claim nothing" {
    program increments
    run heddle run --strategy random --points races --executions 50 --json result.json ./increments
    exits 2
    [ "$(field passes)" -eq 1 ]
    [ "$(field executions)" -eq 50 ]
    has "nothing proved"
}

# classes WANT ARGUMENT FILTER...: that many classes
classes() {
    local want=$1 argument=$2
    shift 2
    heddle verify --strategy dpor --points all --keep-going "$@" --json result.json \
        ./filters ${argument:+"$argument"} >said 2>&1 || [ $? -eq 2 ]
    [ "$(field executions)" -eq "$want" ] || { echo "$* [$argument]: $(field executions)"; return 1; }
}

@test "the last filter that names a function on the stack decides" {
    program filters
    classes 4 ""
    classes 4 1
    classes 1 "" --within take --without allocate
    classes 4 1 --within take --without allocate
    classes 1 "" --within finish
    classes 4 1 --within finish
    classes 4 "" --without wait_for_it
    classes 1 1 --without wait_for_it
    classes 4 "" --without creator --without finisher --within take
    classes 4 1 --without creator --without finisher --within take
    grep -q "that --within and --without" said || tr -d '\n' <said | grep -q "leave  *out"
}

# Two threads take two locks in opposite orders, each the first one in take and the second one in take < second.  With
# all points there is a deadlock.  Where the second lock is left out, a thread holds both locks or waits for its
# first one.
crossed() {
    cat >crossed.c <<'END'
#include <pthread.h>
#include <heddle/test.h>
#define FUNCTION __attribute__((noinline, noclone)) static void
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
FUNCTION take(pthread_mutex_t *m) { pthread_mutex_lock(m); __asm__ volatile(""); }
FUNCTION second(pthread_mutex_t *m) { take(m); __asm__ volatile(""); }
FUNCTION drop(void) { pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); __asm__ volatile(""); }
static void *turned(void *u) { take(&b); second(&a); drop(); return u; }
static void run(void)
{
    pthread_t t;

    pthread_create(&t, 0, turned, 0);
    take(&a);
    second(&b);
    drop();
    pthread_join(t, 0);
}
HEDDLE_TEST(all) { run(); }
HEDDLE_TEST(scoped) { run(); }
HEDDLE_TEST(inside) { run(); }
HEDDLE_WITHOUT(scoped, second)
HEDDLE_WITHIN(inside, take)
HEDDLE_WITHOUT(inside, second)
HEDDLE_TEST_MAIN
END
    heddle cc -O1 -g -o crossed crossed.c
}

@test "filters leave out synchronisation as well, and the verdict says so" {
    crossed
    for strategy in dpor dfs ipb; do
        run heddle verify --strategy $strategy ./crossed all
        exits 2
        has "FOUND deadlock"
        run heddle verify --strategy $strategy --without second ./crossed all
        exits 0
        says "operations and accesses that --within and --without leave out were no points"
        silent_about "holds for C11"
        run heddle verify --strategy $strategy --within second ./crossed all # there is a point before the second lock
        exits 2
        run heddle verify --strategy $strategy --within drop ./crossed all
        exits 0
    done
    run heddle verify --without second --within take ./crossed all # the last one decides: second calls take
    exits 2
    run heddle replay
    exits 2
    has "FOUND deadlock"
}

@test "a test carries its scope in the source" {
    crossed
    run heddle verify --each ./crossed
    exits 2
    [[ "$output" =~ all\ +FAILED ]]
    [[ "$output" =~ scoped\ +clean ]]
    [[ "$output" =~ inside\ +clean ]]
    run heddle verify ./crossed scoped
    exits 0
    says "that --within and --without leave out were no points"
    run heddle run ./crossed --only=scoped
    exits 0
    # an option comes after the scope; several tests at once have none
    run heddle verify --within second ./crossed scoped
    exits 2
    run heddle verify ./crossed scoped inside
    exits 2
    run heddle verify --strategy dpor-optimal ./crossed scoped
    exits 1
    has "needs every operation as a point"
}

# says TEXT: however the lines are broken
says() {
    flat=$(echo "$output" | tr -s ' \n' ' ')
    [[ "$flat" == *"$1"* ]] || { echo "missing: $1 in: $flat" && false; }
}

silent_about() {
    flat=$(echo "$output" | tr -s ' \n' ' ')
    [[ "$flat" != *"$1"* ]] || { echo "said: $1" && false; }
}

# statuses WANT: of the races, each word once
statuses() {
    got=$(grep -o '"status": "[a-z]*"' result.json | sort -u | tr -d '\n')
    [ "$got" = "$1" ] || { echo "statuses: $got" && false; }
}

@test "a race is a candidate until both orders were seen, harmful when one fails" {
    for one in increments lost_update_bug; do program $one; done
    run heddle verify --json result.json ./increments
    statuses '"status": "candidate"'
    says "not explored to the end: x, read and written at"
    says ": candidate: one order was seen"
    [ "$(grep -o -e '--points=races' <<<"$output" | wc -l)" -eq 1 ]
    [ "$(grep -c candidate <<<"$output")" -eq "$(grep -o '"status"' result.json | wc -l)" ]
    for strategy in dfs dpor dpor-optimal ipb; do
        run heddle verify --strategy $strategy --points races --json result.json ./increments
        statuses '"status": "explored"'
        says "no execution in which it occurs fails"
        silent_about "not explored to the end"
        run heddle verify --strategy $strategy --points races --keep-going --json result.json ./lost_update_bug
        statuses '"status": "harmful"'
        grep -q '"fails_in_one_order": true' result.json
    done
    run heddle run --strategy random --executions 100 --points races --json result.json ./increments
    statuses '"status": "confirmed"'
    says "not explored to the end"
    run heddle run --strategy random --executions 1 --points races --json result.json ./increments
    statuses '"status": "candidate"'
    run heddle run --strategy random --executions 500 --points races --json result.json ./lost_update_bug
    statuses '"status": "harmful"'
}

@test "nothing is claimed of a race that was not seen: other memory, one order, a filter" {
    program one_way
    for strategy in dfs dpor; do
        run heddle verify --strategy $strategy --points races --json result.json ./one_way
        statuses '"status": "explored"'
        grep -q '"both_orders_seen": false' result.json
        absent '"both_orders_seen": true' <result.json
    done
    run heddle run --strategy random --executions 300 --points races --json result.json ./one_way
    statuses '"status": "candidate"'
    program increments
    # no access is a point, so the only orders are those of the whole threads
    run heddle verify --strategy dfs --points races --without increment --json result.json ./increments
    statuses '"status": "candidate""status": "confirmed"'
    run heddle verify --points races --strategy ipb --bound 1 --json result.json ./increments
    statuses '"status": "explored"'
    says "up to the bound of 1"
}

@test "a race that a lost process had is harmful" {
    cat >dies.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static volatile int x;
static void *one(void *arg) { x = 1; return arg; }
static void *other(void *arg)
{
    if (x == 1)
        kill(getpid(), SIGKILL);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
    heddle cc -O1 -g -o dies dies.c
    run heddle verify --points races --keep-going --json result.json ./dies
    statuses '"status": "harmful"'
}

@test "a race that harms nothing does not hold for C11" {
    program increments
    run heddle verify --points races ./increments
    silent_about "holds for C11"
}

@test "what cannot work is refused" {
    program filters
    run heddle verify --points all --within nowhere ./filters
    exits 1
    has "no function 'nowhere'"
    run heddle verify --strategy dpor-optimal --within take ./filters
    exits 1
    has "--within: the reduction of strategy dpor-optimal needs every operation as a point"
    run heddle verify --points races --races off ./filters
    exits 1
    has "needs the race detector"
}

@test "a race with a free is run in both orders" {
    heddle cc -g -o free_race "$BATS_TEST_DIRNAME/../litmus/points/free_race.c"
    for points in races all every; do
        run heddle verify --points $points --keep-going --json r.json ./free_race
        exits 2
        json r.json 'r["complete"] and [f["kind"] for f in r["findings"]] == ["use-after-free", "data-race"]'
        json r.json 'r["findings"][1]["status"] == "harmful"'
        has " free block "
    done
}

@test "what C++'s library frees is run in both orders, and is no race by itself" {
    cat >delete.cc <<'END'
#include <string>
#include <thread>
struct pair { int a, b; };
static pair *p = new pair();
static std::string s = "as long as it takes to be on the heap";
int main(int argc, char **)
{
    std::thread t([argc] { if (argc == 1) delete p; else s = std::string(99, 'x'); });
    if (argc == 1)
        p->b = 1;
    else
        (void)*(volatile const char *)(s.data() + 3);
    t.join();
}
END
    heddle c++ -O1 -o delete delete.cc
    for arguments in "" other; do
        for points in races all; do
            run heddle verify --points $points --keep-going --json r.json ./delete $arguments
            exits 2
            json r.json 'r["complete"] and "use-after-free" in [f["kind"] for f in r["findings"]]'
        done
    done
}

@test "lazy reductions say what they leave out, and when they do not" {
    cat >nested.c <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *x)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return x;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    f(0);
    pthread_join(t, 0);
    return 0;
}
END
    heddle cc -o nested nested.c
    run heddle verify --strategy dpor-lazy --json r.json ./nested
    exits 0
    has "so dpor was used"
    json r.json 'r["complete"] and r["fell_back"]'
    heddle cc -o own "$BATS_TEST_DIRNAME/../litmus/classes/own_sections.c"
    for strategy in dpor-lazy dfs+lazycache; do
        run heddle verify --strategy $strategy --json r.json ./own
        exits 0
        has "nothing about data races"
        json r.json 'r["complete"] and not r["fell_back"] and r["executions"] == 1'
    done
}

@test "a lazy reduction sees what delete and a condition variable of C++ do" {
    cat >delete.cc <<'END'
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex m;
static std::condition_variable c;
static int *p;
static bool ready;
int main()
{
    p = new int(1);
    std::thread user([] { std::lock_guard<std::mutex> l(m); if (!FREED_FIRST) delete p; else (void)*(volatile int *)p; });
    { std::lock_guard<std::mutex> l(m); if (FREED_FIRST) delete p; else (void)*(volatile int *)p; }
    user.join();
    std::thread waiter([] { std::unique_lock<std::mutex> l(m); c.wait(l, [] { return ready; }); });
    { std::lock_guard<std::mutex> l(m); ready = true; }
    c.notify_one();
    waiter.join();
}
END
    for first in 0 1; do
        heddle c++ -DFREED_FIRST=$first -o delete delete.cc
        run heddle verify --strategy dpor-lazy --keep-going --json r.json ./delete
        exits 2
        json r.json '[f["kind"] for f in r["findings"]] == ["use-after-free"] and r["complete"]'
    done
}

@test "a lazy reduction keeps the order of sections in code that is not instrumented" {
    cat >library.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
int next(void)
{
    pthread_mutex_lock(&m);
    int mine = x++;
    pthread_mutex_unlock(&m);
    return mine;
}
END
    cat >main.c <<'END'
#include <assert.h>
#include <pthread.h>
extern int next(void);
static void *f(void *a) { next(); return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    assert(next() == 0);
    pthread_join(t, 0);
    return 0;
}
END
    cc -shared -fPIC -o libnext.so library.c
    heddle cc -o main main.c -L. -lnext -Wl,-rpath,"$PWD"
    for strategy in dpor dpor-lazy dfs+lazycache; do
        run heddle verify --strategy $strategy --keep-going --allow-unseen=libnext.so --json r.json ./main
        exits 2
        json r.json 'r["complete"] and [f["kind"] for f in r["findings"]] == ["assertion"]'
    done
}

# Line 6 has one access, and so has line 7; both are made by two threads: each line adds two steps.
@test "--point-at makes the accesses of a line points, without a race that was seen" {
    cat >places.c <<'END'
#include <assert.h>
#include <pthread.h>
static volatile int x;
static void *count(void *arg)
{
    int seen = x;
    x = seen + 1;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, count, NULL);
    pthread_join(t, NULL);
    count(NULL);
    return x != 2;
}
END
    heddle cc -g -o places places.c
    # the threads do not race: with --points races no access is a point
    run heddle verify --progress none --points races --json none.json ./places
    exits 0
    json none.json 'r["racing_sites"] == 0'
    run heddle verify --progress none --point-at places.c:6 --json one.json ./places
    exits 0
    json one.json 'r["racing_sites"] >= 1 and r["steps_max"] == json.load(open("none.json"))["steps_max"] + 2'
    run heddle verify --progress none --point-at places.c:6 --point-at ./places.c:7 --json both.json ./places
    exits 1
    run heddle verify --progress none --point-at places.c:6 --point-at places.c:7 --json both.json ./places
    exits 0
    json both.json 'r["steps_max"] == json.load(open("none.json"))["steps_max"] + 4'
}

@test "--point-at wants a line with an access" {
    cat >line.c <<'END'
int main(void)
{
    return 0;
}
END
    heddle cc -g -o line line.c
    for place in line.c:2000 other.c:1; do
        run heddle run --point-at $place ./line
        exits 1
        has "has no access there"
    done
    for place in line.c line.c: line.c:0 line.c:x :3; do
        run heddle run --point-at $place ./line
        exits 1
        has "wants FILE:LINE"
    done
}
