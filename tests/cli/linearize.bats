#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# heddle linearize: what it says of tests that are wrong themselves, rules, formats.  Findings and proofs are those
# of tests/linear.
load helper

# build NAME [FLAG]...: a test from standard input; it has two clients, a and b
build() {
    { echo '#include <heddle/linear.h>
#include <stdatomic.h>
static atomic_int n;'; cat; } >"$1.c"
    "$HEDDLE" cc "${@:2}" -o "$1" "$1.c"
}

@test "a program without clients is told so" {
    echo 'int main(void) { return 0; }' | build none
    run "$HEDDLE" linearize ./none
    [ "$status" -eq 1 ]
    [[ $output == *"it runs no clients; a test calls heddle_clients"* ]]
}

@test "a test that is not deterministic is noticed in its sequential orders" {
    build random <<'END'
static const char *uuid(void)
{
    static char text[40];
    FILE *f = fopen("/proc/sys/kernel/random/uuid", "r");

    if (f == 0 || fgets(text, sizeof text, f) == 0 || fclose(f) != 0)
        abort();
    return text;
}
static void a(void) { heddle_op("%s", uuid()); }
static void b(void) { heddle_op("%d", atomic_load(&n)); }
int main(void) { heddle_clients(a, b); return 0; }
END
    run "$HEDDLE" linearize ./random
    [ "$status" -eq 5 ]
    [[ $output == *"the test is not deterministic: the same sequential order gave"*"first: uuid() -> "*"then:  uuid() -> "* ]]
}

@test "operations within each other, returns without calls and states that come too early" {
    build nested <<'END'
static void a(void) { heddle_call("x"); heddle_call("y"); heddle_return("1"); }
static void b(void) { heddle_op("%d", atomic_load(&n)); }
int main(void) { heddle_clients(a, b); return 0; }
END
    run "$HEDDLE" linearize ./nested
    [ "$status" -eq 1 ]
    [[ $output == *"an operation is called within another one"* ]]
    build early <<'END'
static void a(void) { heddle_op("%d", atomic_load(&n)); heddle_set("state"); }
int main(void) { heddle_clients(a, a); return 0; }
END
    run "$HEDDLE" linearize ./early
    [ "$status" -eq 1 ]
    [[ $output == *"a component that begins while the clients run"* ]]
}

@test "too many orders are refused, with what to do" {
    build many <<'END'
static void a(void) { for (int i = 0; i < 9; i++) heddle_op("%d", atomic_load(&n)); }
int main(void) { heddle_clients(a, a, a); return 0; }
END
    run "$HEDDLE" linearize ./many
    [ "$status" -eq 1 ]
    [[ $output == *"more than 20,000 sequential orders"*"fewer operations"* ]]
}

@test "a client that waits for the other one, and a test without a state, are mentioned" {
    build apart <<'END'
#include <semaphore.h>
static sem_t go;
static void a(void) { heddle_op("%d", atomic_fetch_add(&n, 1)); sem_post(&go); }
static void b(void) { sem_wait(&go); heddle_op("%d", atomic_fetch_add(&n, 1)); }
int main(void) { sem_init(&go, 0, 0); heddle_clients(a, b); return 0; }
END
    run "$HEDDLE" linearize ./apart
    [ "$status" -eq 1 ]
    [[ $output == *"no sequential order of the operations comes to its end"* ]]
    build bare <<'END'
static void a(void) { heddle_op("%d", atomic_fetch_add(&n, 1)); }
int main(void) { heddle_clients(a, a); return 0; }
END
    run "$HEDDLE" linearize ./bare
    [ "$status" -eq 0 ]
    [[ $output == *"Only results were compared"* ]]
}

@test "a test that fails one operation after the other fails as such" {
    build fails <<'END'
#include <assert.h>
static void a(void) { heddle_call("x"); assert(atomic_fetch_add(&n, 1) == 0); heddle_return("1"); }
int main(void) { heddle_clients(a, a); return 0; }
END
    run "$HEDDLE" linearize ./fails
    [ "$status" -eq 2 ]
    [[ $output == *"FOUND assertion"* ]]
}

@test "an operation that blocks has the orders in which it does not" {
    build blocks <<'END'
#include <semaphore.h>
static sem_t full;
static int take(void) { sem_wait(&full); return atomic_load(&n); }
static void put(int v) { atomic_store(&n, v); sem_post(&full); }
static void a(void) { heddle_op_void(put(7)); }
static void b(void) { heddle_op("%d", take()); }
int main(void) { sem_init(&full, 0, 0); heddle_clients(a, b); heddle_op("%d", atomic_load(&n)); return 0; }
END
    run "$HEDDLE" linearize ./blocks
    [ "$status" -eq 0 ]
    [[ $output == *"with 1 sequential order (1 different outcome)"* ]]
}

@test "an operation that does not return may have taken effect or not, and nothing else" {
    # a client that meets the other one ends within add: before its effect, after it, or after half of it
    build ends -DDONE=0 <<'END'
static atomic_int active, sum;
static int add(int v)
{
    int meets = atomic_fetch_add(&active, 1) > 0;
    if (meets)
        atomic_fetch_add(&sum, DONE);
    atomic_fetch_sub(&active, 1);
    if (meets)
        pthread_exit(0);
    atomic_fetch_add(&sum, v);
    return v;
}
static void a(void) { heddle_op("%d", add(10)); heddle_op("%d", add(10)); }
static void b(void) { heddle_op("%d", add(10)); }
int main(void) { heddle_clients(a, b); heddle_op("%d", atomic_load(&sum)); return 0; }
END
    for of_it in 0 10 5; do
        "$HEDDLE" cc -DDONE=$of_it -o ends$of_it ends.c
        for more in "" "-j 2" "--isolation fork"; do
            # shellcheck disable=SC2086
            run "$HEDDLE" linearize $more ./ends$of_it
            [ "$status" -eq $((of_it == 5 ? 2 : 0)) ]
            [[ $(tr -s " \n" " " <<<"$output") == *"it may have taken effect or not, so there are orders with it and without it"* ]]
        done
    done
    [[ $output == *"add(10) -> (not returned)"* ]]
    run "$HEDDLE" replay -q
    [ "$status" -eq 2 ]
    # stored outcomes know the orders without the operation, too
    run "$HEDDLE" linearize -q --outcomes kept.txt ./ends0
    run "$HEDDLE" linearize --judge kept.txt
    [ "$status" -eq 0 ]
    # with a sample of the orders, it costs the claim
    run "$HEDDLE" linearize --sample-orders 200 ./ends0
    [ "$status" -eq 4 ]
    [[ $output == *"has not returned: they were not compared"* ]]
}

@test "an operation that returns in no order, and one that its test has forgotten to end" {
    build never <<'END'
static int cut(void) { atomic_fetch_add(&n, 1); pthread_exit(0); }
static void a(void) { heddle_op("%d", cut()); }
static void b(void) { heddle_op("%d", atomic_load(&n)); }
int main(void) { heddle_clients(a, b); heddle_op("%d", atomic_load(&n)); return 0; }
END
    run "$HEDDLE" linearize ./never
    [ "$status" -eq 0 ]
    [[ $output == *"The operation 'cut()' returns in no sequential order"* ]]
    build forgets <<'END'
static void a(void) { heddle_call("x"); atomic_fetch_add(&n, 1); }
static void b(void) { heddle_op("%d", atomic_load(&n)); }
int main(void) { heddle_clients(a, b); return 0; }
END
    run "$HEDDLE" linearize ./forgets
    [ "$status" -eq 1 ]
    [[ $output == *"the function of a client returns within an operation; end each heddle_call by one heddle_return"* ]]
}

@test "the template verifies, and what is not compared is listed" {
    "$HEDDLE" cc -Wall -Wextra -o template "$BATS_TEST_DIRNAME/../../examples/linear_template.c"
    run "$HEDDLE" linearize ./template
    [ "$status" -eq 0 ]
    absent "Not compared" <<<"$output"
    run "$HEDDLE" linearize --rule items=ignore ./template
    [ "$status" -eq 0 ]
    has "Not compared (rule 'ignore'): items"
    sed 's|    heddle_sequence("items");|    heddle_set("index"); heddle_compare(HEDDLE_IGNORE); heddle_set("log"); heddle_compare(HEDDLE_IGNORE);\n&|' \
        "$BATS_TEST_DIRNAME/../../examples/linear_template.c" >more.c
    "$HEDDLE" cc -o more more.c
    run "$HEDDLE" linearize ./more
    [ "$status" -eq 0 ]
    has "Not compared (rule 'ignore'): index, log"
    absent "is empty after" <<<"$output"
}

@test "the examples of a script and of a server: a bug and a twin each" {
    for name in script server; do
        "$HEDDLE" cc -Wall -Wextra -o $name "$HEDDLE_SOURCE/examples/${name}_linear.c"
        "$HEDDLE" cc -DFIXED -o ${name}_fixed "$HEDDLE_SOURCE/examples/${name}_linear.c"
        gcc -I"$HEDDLE_SOURCE/include" -pthread -o plain "$HEDDLE_SOURCE/examples/${name}_linear.c"
        timeout 60 ./plain
    done
    run "$HEDDLE" linearize --split ./script
    [ "$status" -eq 2 ]
    [[ $output == *"split 121: FAILED,"* ]]
    run "$HEDDLE" linearize --split ./script_fixed
    [ "$status" -eq 0 ]
    # threads of the server run before its clients begin, and the search cuts redundant executions there
    run "$HEDDLE" linearize ./server
    [ "$status" -eq 2 ]
    [[ $output == *"FOUND not-linearizable"*"client 0    add 1 -> 1"* ]]
    run "$HEDDLE" linearize ./server_fixed
    [ "$status" -eq 0 ]
    has "with 2 sequential orders"
}

@test "results are compared by the function of the test" {
    # in the order of the loads, an estimate is wrong by the one addition that the other client has begun: by 1 at most
    build about -DNEAR=0 -DPROBE= <<'END'
static int near(const char *call, const char *result, const char *sequential)
{
    return call[0] == 'e' && abs(atoi(result) - atoi(sequential)) <= NEAR;
}
static int estimate(int by) { int v = atomic_load(&n); atomic_fetch_add(&n, by); return v + by; }
static void a(void) { heddle_op("%d", estimate(1)); heddle_op("%d", estimate(1)); }
int main(void)
{
    if (NEAR >= 0)
        heddle_compare_results(near);
    heddle_clients(a, a);
    PROBE;
    return 0;
}
END
    probe='heddle_op("%d", 4)'
    for near in -1 0 1; do
        "$HEDDLE" cc -DNEAR=$near "-DPROBE=$probe" -o about$near about.c
        run "$HEDDLE" linearize -q --keep-going --outcomes kept$near.txt ./about$near
        [ "$status" -eq $((near < 1 ? 2 : 0)) ]
        run "$HEDDLE" linearize --judge kept$near.txt
        [ "$status" -eq $((near < 1 ? 2 : 0)) ]
    done
    # probes, too: another value in concurrent runs
    for near in 0 1; do
        "$HEDDLE" cc -DNEAR=2 '-DPROBE=heddle_call("e"); heddle_return("%d", heddle_sequential() ? 0 : 3 - '$near')' -o probe$near about.c
        run "$HEDDLE" linearize -q ./probe$near
        [ "$status" -eq $((near == 0 ? 2 : 0)) ]
    done
}

@test "texts that are too long to be compared cost the claim" {
    # the last digit alone tells a lost step
    build long -DWIDTH=255 <<'END'
static int add(void) { int seen = atomic_load(&n); atomic_store(&n, seen + 1); return seen; }
static void a(void) { heddle_op_void(add()); }
int main(void) { heddle_clients(a, a); heddle_call("n"); heddle_return("%0*d", WIDTH, atomic_load(&n)); return 0; }
END
    run "$HEDDLE" linearize ./long
    [ "$status" -eq 2 ]
    absent "more than 255 bytes" <<<"$output"
    "$HEDDLE" cc -DWIDTH=256 -o longer long.c
    run "$HEDDLE" linearize ./longer
    [ "$status" -eq 4 ]
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"a text of an operation or of the state has more than 255 bytes"* ]]
}

@test "a model in place of the sequential object finds what all sequential orders have" {
    build model -DMODEL= <<'END'
static int broken(void) { return atomic_fetch_add(&n, 2); } /* should count by one */
static void a(void) { static int model; heddle_op("%d", heddle_sequential() MODEL ? model++ : broken()); }
int main(void) { heddle_clients(a, a); return 0; }
END
    "$HEDDLE" cc -DMODEL= -o with model.c
    run "$HEDDLE" linearize -q ./with
    [ "$status" -eq 2 ]
    "$HEDDLE" cc -DMODEL="* 0" -o without model.c
    run "$HEDDLE" linearize -q ./without
    [ "$status" -eq 0 ]
}

@test "rules of the command line; the wrong ones are refused" {
    build cache <<'END'
static atomic_int twice;
static void a(void) { heddle_call("open"); if (atomic_load(&n) == 0) { atomic_store(&n, 1); atomic_fetch_add(&twice, 1); } heddle_return("ok"); }
int main(void)
{
    heddle_clients(a, a);
    heddle_multiset("table cache");
    for (int i = 0; i < twice; i++)
        heddle_element("t1");
    return 0;
}
END
    run "$HEDDLE" linearize -q ./cache
    [ "$status" -eq 2 ]
    run "$HEDDLE" linearize --rule "table cache=superset" ./cache
    [ "$status" -eq 0 ]
    [[ $output == *"have a state that only a rule accepts"* ]]
    run "$HEDDLE" linearize -q --rule "table cache=subset" ./cache
    [ "$status" -eq 2 ]
    run "$HEDDLE" linearize --rule "table cache" ./cache
    [ "$status" -eq 1 ]
    [[ $output == *"--rule wants COMPONENT=equal|subset|superset|ignore"* ]]
}

@test "all reports have a finding of it, and workers and processes agree" {
    "$HEDDLE" cc -o bug "$BATS_TEST_DIRNAME/../../examples/cache_linear.c"
    "$HEDDLE" cc -DFIXED -o fixed "$BATS_TEST_DIRNAME/../../examples/cache_linear.c"
    for more in "-j 2" "--isolation fork" "--strategy pos"; do
        # shellcheck disable=SC2086
        run "$HEDDLE" linearize -q $more ./bug
        [ "$status" -eq 2 ]
    done
    for more in "-j 2" "--isolation fork"; do
        # shellcheck disable=SC2086
        run "$HEDDLE" linearize -q $more ./fixed
        [ "$status" -eq 0 ]
    done
    run "$HEDDLE" linearize -q --html f.html --sarif f.sarif --junit f.xml --json f.json ./bug
    [ "$status" -eq 2 ]
    for file in f.html f.sarif f.xml f.json; do
        grep -q "no sequential order of the operations leaves this state" "$file"
    done
    run "$HEDDLE" recheck -q
    [ "$status" -eq 2 ]
    run "$HEDDLE" minimize -q
    [ "$status" -eq 0 ]
    gcc -I"$BATS_TEST_DIRNAME/../../include" -o plain "$BATS_TEST_DIRNAME/../../examples/cache_linear.c" -pthread
    ./plain
}

@test "sequential consistency does not ask for real time" {
    "$HEDDLE" cc -o lazy "$BATS_TEST_DIRNAME/../../bench/programs/linear/register_lazy.c"
    "$HEDDLE" cc -o counter "$BATS_TEST_DIRNAME/../../bench/programs/linear/counter.c"
    run "$HEDDLE" linearize -q ./lazy
    [ "$status" -eq 2 ]
    [[ $output == *"only sequential orders that contradict real time give these results"* ]]
    run "$HEDDLE" linearize --criterion sequential ./lazy
    [ "$status" -eq 0 ]
    [[ $output == *"need not respect real"* ]]
    run "$HEDDLE" linearize -q --criterion sequential ./counter
    [ "$status" -eq 2 ]
    run "$HEDDLE" replay -q
    [ "$status" -eq 2 ]
}

@test "threads behind the operations: their outcomes are a set, which must be whole" {
    build behind <<'END'
static void *add(void *by) { atomic_fetch_add(&n, (int)(intptr_t)by); return 0; }
static int both(int by)
{
    pthread_t t;
    pthread_create(&t, 0, add, (void *)(intptr_t)by);
    int seen = atomic_load(&n); /* before or after */
    pthread_join(t, 0);
    return seen;
}
static void a(void) { heddle_op("%d", both(1)); }
static void b(void) { heddle_op("%d", both(10)); }
int main(void) { heddle_clients(a, b); heddle_op("%d", atomic_load(&n)); return 0; }
END
    run "$HEDDLE" linearize ./behind
    [ "$status" -eq 2 ] # a sees 10 and b sees 1: neither came first
    [[ $output == *"with 2 sequential orders (8 different outcomes)"* ]]
}

@test "sequential orders with more interleavings than the budget has room for are refused" {
    # eight threads with 50 operations each: no machine runs all interleavings
    build endless <<'END'
static void *work(void *unused) { for (int i = 0; i < 50; i++) atomic_fetch_add(&n, 1), atomic_load(&n); return unused; }
static int all(void)
{
    pthread_t t[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], 0);
    return atomic_load(&n);
}
static void a(void) { heddle_op("%d", all()); }
static void b(void) { heddle_op("%d", atomic_load(&n)); }
int main(void) { heddle_clients(a, b); return 0; }
END
    run "$HEDDLE" linearize --budget 1s ./endless
    [ "$status" -eq 1 ]
    [[ $output == *"the sequential orders could not all be run in time"*"raise --budget"* ]]
}

@test "with --budget, time alone limits the sequential search" {
    [ "${HEDDLE_DEEP:-}" = 1 ] || skip "HEDDLE_DEEP=1 runs it"
    # two threads with 10 operations each on one object: 20! / (10! 10!) = 184,756 executions of each order
    build wide <<'END'
static void *work(void *unused) { for (int i = 0; i < 10; i++) atomic_fetch_add(&n, 1); return unused; }
static int both(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return atomic_load(&n);
}
static void a(void) { heddle_op("%d", both()); }
static void b(void) { heddle_op("%d", atomic_load(&n)); }
int main(void) { heddle_clients(a, b); return 0; }
END
    run "$HEDDLE" linearize --executions 10 ./wide
    [ "$status" -eq 1 ]
    [[ $output == *"the sequential orders could not all be run"* ]]
    run "$HEDDLE" linearize --budget 10m --executions 10 ./wide
    [ "$status" -eq 4 ]
    has "with 2 sequential orders (2 different outcomes)"
}

@test "operations with threads whose interleavings are not all known are refused" {
    # what the constructor starts and awaits runs uncontrolled, so no search of the program may claim that it is complete
    build unsure <<'END'
static void *add(void *unused) { atomic_fetch_add(&n, 1); return unused; }
static int in_thread(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    pthread_join(t, 0);
    return atomic_load(&n);
}
#ifdef EARLY
__attribute__((constructor)) static void early(void) { in_thread(); }
#endif
static void a(void) { heddle_op("%d", in_thread()); }
static void b(void) { heddle_op("%d", atomic_load(&n)); }
int main(void) { heddle_clients(a, b); return 0; }
END
    "$HEDDLE" cc -DEARLY -o early unsure.c
    run "$HEDDLE" linearize ./early
    [ "$status" -eq 1 ]
    [[ $output == *"the operations use other threads, and not all their interleavings are known"* ]]
    run "$HEDDLE" linearize ./unsure
    [ "$status" -eq 0 ]
}

@test "a sequential order that was cut off is no order that does not exist" {
    build long <<'END'
static void a(void) { heddle_call("x"); for (int i = 0; i < 500; i++) atomic_fetch_add(&n, 1); heddle_return("1"); }
int main(void) { heddle_clients(a, a); return 0; }
END
    run "$HEDDLE" linearize --max-steps 300 ./long
    [ "$status" -eq 1 ]
    [[ $output == *"a sequential order was cut off"* ]]
    build spins <<'END'
static int wait_for_it(void) { while (atomic_load(&n) == 0) continue; return 1; }
static void a(void) { heddle_op("%d", wait_for_it()); }
static void b(void) { heddle_op_void(atomic_store(&n, 1)); }
int main(void) { heddle_clients(a, b); return 0; }
END
    run "$HEDDLE" linearize ./spins
    [ "$status" -eq 0 ]
    [[ $output == *"with 1 sequential order (1 different outcome)"* ]]
}

@test "quiescent consistency allows what only overlapping operations see" {
    # what is put becomes visible when no operation is under way any more: a third client may delay it
    build batch <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int active, held, value;
static void enter(void) { pthread_mutex_lock(&lock); active++; pthread_mutex_unlock(&lock); }
static void leave(void) { pthread_mutex_lock(&lock); if (--active == 0) value = held; pthread_mutex_unlock(&lock); }
static void put(int v) { enter(); pthread_mutex_lock(&lock); held = v; pthread_mutex_unlock(&lock); leave(); }
static void stay(void) { enter(); leave(); }
static int get(void)
{
    enter();
    pthread_mutex_lock(&lock);
    int v = value;
    pthread_mutex_unlock(&lock);
    leave();
    return v;
}
static void a(void) { heddle_op_void(put(1)); }
static void b(void) { heddle_op("%d", get()); }
static void c(void) { heddle_op_void(stay()); }
int main(void) { heddle_clients(a, b, c); heddle_op("%d", get()); return 0; }
END
    run "$HEDDLE" linearize -q ./batch
    [ "$status" -eq 2 ]
    run "$HEDDLE" linearize --criterion quiescent ./batch
    [ "$status" -eq 0 ]
    [[ $(tr -s " \n" " " <<<"$output") == *"which need respect quiescent moments only"* ]]
    # a write that waits for the end of the test: a read after it is stale although nothing is under way in between
    build lazy <<'END'
static atomic_int held;
static void put(int v) { atomic_store(heddle_sequential() ? &n : &held, v); }
static void a(void) { heddle_op_void(put(1)); }
static void b(void) { heddle_op("%d", atomic_load(&n)); }
int main(void) { heddle_clients(a, b); return 0; }
END
    run "$HEDDLE" linearize -q --criterion quiescent ./lazy
    [ "$status" -eq 2 ]
    run "$HEDDLE" linearize -q --criterion sequential ./lazy
    [ "$status" -eq 0 ]
}

# Two clients may enter the same thing twice, and one may leave out an entry.
caches() {
    build caches <<'END'
static atomic_int first, second;
static void use(void)
{
    if (atomic_load(&first) == 0)
        atomic_fetch_add(&first, 1);
    atomic_fetch_add(&second, 1);
}
static void a(void) { heddle_op_void(use()); }
static void b(void) { heddle_op_void(use()); }
int main(void)
{
    heddle_clients(a, b);
    heddle_multiset("first");
    for (int i = atomic_load(&first); i > 0; i--)
        heddle_element("x");
    heddle_multiset("second");
    for (int i = atomic_load(&second); i > 0; i--)
        heddle_element("y");
    return 0;
}
END
}

@test "outcomes are kept, and judged again by other rules without a search" {
    caches
    run "$HEDDLE" linearize --keep-going --outcomes kept.txt ./caches
    [ "$status" -eq 2 ]
    rm caches
    run "$HEDDLE" linearize --judge kept.txt
    [ "$status" -eq 2 ]
    [[ $output == *"not explained:"*"use() -> done"*"first       x"*"1 outcome is not explained"* ||
       $output == *"outcomes are not explained"* ]]
    run "$HEDDLE" linearize --judge --rule first=superset kept.txt
    [ "$status" -eq 0 ]
    [[ $output == *"0 outcomes are not explained"*"first=superset: "*"The search behind this file was complete"* ]]
    run "$HEDDLE" linearize --judge --rule first=subset kept.txt
    [ "$status" -eq 2 ]
    # a search that stopped at its first finding proves nothing
    caches
    run "$HEDDLE" linearize -q --outcomes part.txt ./caches
    run "$HEDDLE" linearize --judge --rule first=ignore part.txt
    [ "$status" -eq 4 ]
    [[ $output == *"The search behind this file was not complete"* ]]
}

@test "a file of outcomes that is none is refused" {
    caches
    "$HEDDLE" linearize -q --keep-going --outcomes kept.txt ./caches || true
    for bytes in 10 60 200 300; do
        head -c $bytes kept.txt >cut.txt
        run "$HEDDLE" linearize --judge cut.txt
        [ "$status" -eq 1 ]
        [[ $output == *"cut.txt is not a file of 'heddle linearize --outcomes'"* ]]
    done
    sed 's/^times .*/times 99999999999999 4000000000/' kept.txt >changed.txt
    run "$HEDDLE" linearize --judge changed.txt
    [ "$status" -eq 1 ]
    run "$HEDDLE" linearize --judge missing.txt
    [ "$status" -eq 1 ]
}

@test "how often each rule saved an execution is listed" {
    caches
    run "$HEDDLE" linearize --rule first=superset --rule second=superset --json r.json ./caches
    [ "$status" -eq 0 ]
    [[ $output == *"first=superset: "* ]]
    absent "second=superset" <<<"$output"
    python3 -c '
import json
l = json.load(open("r.json"))["linear"]
assert [(r["component"], r["rule"]) for r in l["rules"]] == [("first", "superset")], l
assert l["rules"][0]["executions"] == l["by_rule"] > 0, l'
}

@test "what was found is run again with another build" {
    caches
    "$HEDDLE" cc -O0 -g -o debug caches.c
    run "$HEDDLE" linearize --recheck-with ./debug ./caches
    [ "$status" -eq 2 ]
    [[ $output == *"FAILS as before"*"1 schedule: 1 FAILS as before" ]]
    run "$HEDDLE" linearize --recheck-with ./nothing ./caches
    [ "$status" -eq 1 ]
}

@test "a sequential script is split over two clients in every way" {
    # the second and the third step lose an update if different clients run them
    cat >script.c <<'END'
#include <heddle/linear.h>
#include <stdatomic.h>
static atomic_int n;
static int add(void) { int seen = atomic_load(&n); atomic_store(&n, seen + 1); return seen; }
static void look(void) { heddle_op("%d", atomic_load(&n)); }
static void count(void) { heddle_op("%d", add()); }
int main(void)
{
#ifdef ONE
    heddle_script(look);
#elif defined FIXED
    heddle_script(look, count, look);
#else
    heddle_script(look, count, count);
#endif
    heddle_op("%d", atomic_load(&n));
    return 0;
}
END
    "$HEDDLE" cc -o script script.c
    "$HEDDLE" cc -DFIXED -o fixed script.c
    "$HEDDLE" cc -DONE -o one script.c
    gcc -I"$HEDDLE_SOURCE/include" -pthread -o native script.c
    ./native
    run "$HEDDLE" linearize --split --keep-going ./script
    [ "$status" -eq 2 ]
    [[ $output == *"split 121: FAILED,"*"split 112: FAILED,"*"split 122: CLEAN,"*"3 of 3 splits searched"* ]]
    run "$HEDDLE" replay -q
    [ "$status" -eq 2 ]
    run "$HEDDLE" linearize --split ./fixed
    [ "$status" -eq 0 ]
    [[ $output == *"CLEAN: 3 of 3 splits searched"* ]]
    run "$HEDDLE" linearize --split ./one
    [ "$status" -eq 1 ]
    [[ $output == *"the script has 1 step; it needs 2 to 16"* ]]
    run "$HEDDLE" linearize ./fixed
    [ "$status" -eq 1 ]
    [[ $output == *"give --split"* ]]
    run "$HEDDLE" linearize --split --json x.json ./fixed
    [ "$status" -eq 1 ]
}

@test "a state that is always empty, and a set-up that fails in later executions, are mentioned" {
    build hollow <<'END'
static void a(void) { heddle_op("%d", atomic_fetch_add(&n, 1)); }
static void b(void) { heddle_op("%d", atomic_fetch_add(&n, 1)); }
int main(void)
{
    heddle_clients(a, b);
    heddle_set("full");
    heddle_element("%d", atomic_load(&n));
    heddle_set("hollow");
    return 0;
}
END
    run "$HEDDLE" linearize ./hollow
    [ "$status" -eq 0 ]
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"The component 'hollow' is empty after every sequential order"* ]]
    absent "'full' is empty" <<<"$output"
    # a set-up that does not always succeed would leave out sequential outcomes
    build early_end <<'END'
static void a(void) { heddle_op("%d", atomic_load(&n)); }
static void b(void) { heddle_op_void(atomic_store(&n, 1)); }
int main(void)
{
    if (heddle_choose(2) == 1)
        return 0;
    heddle_clients(a, b);
    return 0;
}
END
    run "$HEDDLE" linearize ./early_end
    [ "$status" -eq 1 ]
    [[ $output == *"in some executions it ends before its clients begin"* ]]
}

# A set of two numbers whose index is told where it changes; the log is written after the lock is given back.
incremental() {
    build incremental "$@" <<'END'
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int has[3];
static void note(const char *what, int v)
{
    heddle_insert("log", "%s %d", what, v);
}
static int add(int v)
{
    pthread_mutex_lock(&lock);
    int old = has[v];
    has[v] = 1;
    if (!old)
        heddle_insert("index", "%d", v);
#ifdef FIXED
    note("add", v);
#endif
    pthread_mutex_unlock(&lock);
#ifndef FIXED
    note("add", v);
#endif
    return !old;
}
static int drop(int v)
{
    pthread_mutex_lock(&lock);
    int old = has[v];
    has[v] = 0;
    if (old)
        heddle_erase("index", "%d", v);
    note("drop", v);
    pthread_mutex_unlock(&lock);
    return old;
}
static void a(void) { heddle_op("%d", add(1)); heddle_op("%d", add(2)); }
static void b(void) { heddle_op("%d", drop(1)); }
int main(void)
{
    heddle_multiset("index");
    heddle_element("0");
    heddle_sequence("log");
    heddle_clients(a, b);
    return 0;
}
END
}

@test "a component can be told where the structure changes: elements added and removed, a sequence in its order" {
    incremental -DFIXED
    run "$HEDDLE" linearize --keep-going --outcomes kept.txt ./incremental
    [ "$status" -eq 0 ]
    [[ $output != *"is empty"* ]]
    # three orders: drop before add(1), between the two, after both
    [ "$(grep -c '^O$' kept.txt)" -eq 3 ]
    absent '^E without' <kept.txt
    # the log is that of another order than the results: a reduction must try both orders of two insertions
    incremental
    for strategy in dpor dpor-optimal bpor-lazy dfs dfs+cache; do
        run "$HEDDLE" linearize -q --strategy $strategy ./incremental
        [ "$status" -eq 2 ]
        [[ $output == *"no sequential order of the operations leaves this state"* ]]
    done
    run "$HEDDLE" replay -q
    [ "$status" -eq 2 ]
    # without the log nothing is wrong: the index does not depend on the order
    run "$HEDDLE" linearize -q --rule log=ignore ./incremental
    [ "$status" -eq 0 ]
}

@test "in a multiset equal elements add up, with xor they cancel each other" {
    local test='
static void a(void) { heddle_call("x"); heddle_insert("all", "t"); heddle_return("1"); }
int main(void) { KIND("all"); heddle_element("u"); heddle_clients(a, a); heddle_erase("all", "v"); return 0; }'
    build sums -DKIND=heddle_multiset <<<"$test"
    "$HEDDLE" linearize -q --outcomes sums.txt ./sums
    [ "$(grep -c '^E t$' sums.txt)" -eq $((2 * $(grep -c '^K' sums.txt))) ]
    [ "$(grep -c '^E without v$' sums.txt)" -eq "$(grep -c '^K' sums.txt)" ]
    build cancels -DKIND=heddle_xor <<<"$test"
    "$HEDDLE" linearize -q --outcomes cancels.txt ./cancels
    absent '^E t$' <cancels.txt
    grep -qx 'E u' cancels.txt
    grep -qx 'E v' cancels.txt
    grep -q '^Kx= all' cancels.txt
}

@test "a change of a component that was not begun, or cannot be changed, is refused" {
    for begin in '' 'heddle_set("all");' 'heddle_sequence("all");'; do
        build undeclared <<END
static void a(void) { heddle_call("x"); heddle_erase("all", "t"); heddle_return("1"); }
int main(void) { $begin heddle_clients(a, a); return 0; }
END
        run "$HEDDLE" linearize ./undeclared
        [ "$status" -eq 1 ]
        [[ $output == *"names a component that was not begun before heddle_clients"* ]]
    done
}

@test "clients that are kept apart, a client without operations, and a check that never ran are mentioned" {
    build apart <<'END'
static sem_t go;
static void a(void) { heddle_op("%d", atomic_fetch_add(&n, 1)); sem_post(&go); }
static void b(void) { if (!heddle_sequential()) sem_wait(&go); heddle_op("%d", atomic_fetch_add(&n, 1)); }
int main(void) { sem_init(&go, 0, 0); heddle_clients(a, b); heddle_op("%d", atomic_load(&n)); return 0; }
END
    run "$HEDDLE" linearize ./apart
    [ "$status" -eq 0 ]
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"The operations of different clients never overlapped"* ]]
    build idle <<'END'
static void a(void) { heddle_op("%d", atomic_fetch_add(&n, 1)); }
static void b(void) { if (heddle_sequential()) atomic_fetch_add(&n, 0); }
int main(void) { heddle_clients(a, b); heddle_op("%d", atomic_load(&n)); return 0; }
END
    run "$HEDDLE" linearize ./idle
    [ "$status" -eq 0 ]
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"The client 'b' has no operation"* ]]
    absent "The client 'a'" <<<"$output"
    build never <<'END'
static int look(void) { if (!heddle_sequential()) _Exit(0); return atomic_load(&n); }
static void a(void) { heddle_op("%d", look()); }
int main(void) { heddle_clients(a, a); return 0; }
END
    run "$HEDDLE" linearize ./never
    [ "$status" -eq 4 ]
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"no execution was compared with the sequential ones"* ]]
}

@test "an operation that never returns is a finding of its own, not a difference" {
    build stuck <<'END'
static sem_t full;
static int take(void) { if (!heddle_sequential()) sem_wait(&full); return atomic_load(&n); }
static void a(void) { heddle_op("%d", take()); }
int main(void) { sem_init(&full, 0, 0); heddle_clients(a, a); return 0; }
END
    run "$HEDDLE" linearize -q ./stuck
    [ "$status" -eq 2 ]
    [[ $output == *"FOUND deadlock"* ]]
    [[ $output != *not-linearizable* ]]
}
