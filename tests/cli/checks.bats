#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# <heddle/heddle.h> and --faults: what reports and verdicts say of them, that a replay
# does the same again, and that without Heddle nothing of it is there.
load helper

litmus=$BATS_TEST_DIRNAME/../litmus
include=$BATS_TEST_DIRNAME/../../include

# build DIRECTORY/NAME: the litmus program, with its places in the code
build() {
    heddle cc -g -O1 -o "${1##*/}" "$litmus/$1.c"
}

# again KIND ARGUMENT...: found, and found again in a replay with the same words
again() {
    local kind=$1
    shift
    run heddle run --progress none "$@"
    exits 2
    has "FOUND $kind"
    found=$output
    run heddle replay
    exits 2
    has "the same $kind again"
    first=$(sed -n '2,/^Interleaving/p' <<<"$found")
    has "$first"
}

# everything.c: every call of the header; ends with 0 when none of them does anything
everything() {
    cat >everything.c <<'END'
#include <heddle/heddle.h>

static int never(void *arg)
{
    (void)arg;
    return 0;
}

static void at_end(void *arg)
{
    *(volatile int *)arg = 1;
}

HEDDLE_INVARIANT(also_never, 1 > 2)

int main(void)
{
    static int evaluated;

    heddle_assert((evaluated++, 0));
    heddle_assume((evaluated++, 0));
    heddle_always(never, 0);
    heddle_always(also_never, 0);
    heddle_at_end(at_end, 0);
    heddle_atomic_begin();
    heddle_atomic_end();
    heddle_atomic_end();
    heddle_yield();
    heddle_point("here");
    heddle_thread_name("somebody");
    return evaluated + (int)heddle_choose(3) + heddle_active();
}
END
    { cat everything.c; echo 'void more() { int x = 1; heddle_always_expr(x > 1); }'; } >everything.cc
}

@test "without Heddle nothing is checked, in C99 and C++11, with gcc and clang" {
    everything
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        for std in c99 c11 c17 gnu11; do
            $cc -std=$std -pedantic -Wall -Wextra -Werror -Wno-unused-value -I"$include" -o plain everything.c
            ./plain
        done
    done
    for cc in g++ clang++; do
        command -v $cc >/dev/null || continue
        for std in c++11 c++17 c++20; do
            $cc -std=$std -pedantic -Wall -Wextra -Werror -Wno-unused-value -I"$include" -o plain everything.cc
            ./plain
        done
    done
}

@test "a text behind a condition is an error, not a condition that always holds" {
    echo '#include <heddle/heddle.h>
int main(int argc, char **argv) { heddle_assert(argc > 9 && argv, "text"); return 0; }' >text.c
    cp text.c text.cc
    for compiler in "gcc text.c" "g++ text.cc" "clang text.c" "clang++ text.cc"; do
        command -v "${compiler% *}" || continue
        run $compiler -I"$include" -o text
        [ "$status" -ne 0 ]
        has heddle_holds_
    done
}

@test "a program built with heddle cc runs without Heddle as if nothing were checked" {
    everything
    heddle cc -Wno-unused-value -o built everything.c
    ./built
    build checks/assume_waits
    ./assume_waits
    build checks/always_bug
    ./always_bug
}

@test "every kind of check is found again by its replay" {
    for program in assert always always_lazy at_end magic magic_sum assume choose_always; do
        build checks/${program}_bug
        again check-failed --strategy dpor ./${program}_bug
    done
    build checks/atomic_wait_bug
    again lock-misuse --strategy dfs ./atomic_wait_bug
}

@test "a failed check tells its condition and place" {
    build checks/assert_bug
    run heddle run --strategy dfs --progress none ./assert_bug
    has "heddle_assert(visible_read(sum) == 2) failed at"
    has "assert_bug.c:25"
    build checks/always_bug
    run heddle run --strategy dfs --progress none ./always_bug
    has "heddle_always(some_money: left + right > 0) of"
    has "always_bug.c:30"
    build checks/magic_bug
    run heddle run --strategy dfs --progress none ./magic_bug
    has "at the end heddle_expected is 2, but heddle_value is 1"
}

@test "a place in a report is that of the call, not of the header" {
    build checks/atomic_wait_bug
    run heddle run --strategy dfs --progress none ./atomic_wait_bug
    has "atomic_wait_bug.c:13"
    absent "heddle.h:" <<<"$(grep -v '^  #' <<<"$output")" # a stack has all frames
}

@test "an assumption that never holds is told" {
    build checks/assume_waits
    run heddle verify --progress none --json r.json ./assume_waits
    exits 4
    has "INCOMPLETE: nothing proved: heddle_assume left out all 2 executions"
    has "at most 3 threads"
    json r.json 'r["verdict"] == "budget" and not r["complete"]'
    [[ ${output//$'\n '/} == *"no execution passed heddle_assume at"*"assume_waits.c:14"* ]]
    json r.json 'r["executions"] == 0 and r["assumed"] == 2 and len(r["never_assumed"]) == 1'
    build checks/assume_fixed
    run heddle verify --progress none --json r.json ./assume_fixed
    exits 0
    has "heddle_assume leaves out 1 execution"
    absent "no execution passed" <<<"$output"
    json r.json 'r["complete"] and r["executions"] == 1 and r["assumed"] == 1 and not r["never_assumed"]'
}

@test "executions that an assumption leaves out count for a limit" {
    build checks/assume_waits
    run heddle run --strategy random --executions 50 --progress none --json r.json ./assume_waits
    exits 4
    json r.json 'r["executions"] == 0 and r["assumed"] == 50'
}

@test "threads have the names that they were given" {
    cat >names.c <<'END'
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static void *reader(void *unused)
{
    heddle_thread_name("reader");
    heddle_assert(0);
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, reader, NULL);
    pthread_join(t, NULL);
}
END
    heddle cc -g -o names names.c
    run heddle run --progress none ./names
    exits 2
    has "T1 (reader): heddle_assert(0) failed"
}

@test "assert() and crashes in an invariant or at the end are findings" {
    cat >inside.c <<'END'
#include <assert.h>
#include <heddle/heddle.h>
#include <stdlib.h>
#include <string.h>

static int *nothing;

static int breaks(void *how)
{
    if (strcmp(how, "crash") == 0)
        return *nothing;
    if (strcmp(how, "abort") == 0)
        abort();
    assert(how == NULL);
    return 1;
}

static void end(void *how)
{
    breaks(how);
}

int main(int argc, char **argv)
{
    (void)argc;
    if (strcmp(argv[1], "end") == 0)
        heddle_at_end(end, argv[2]);
    else
        heddle_always(breaks, argv[2]);
}
END
    heddle cc -g -o inside inside.c
    for where in end always; do
        again crash --strategy dfs ./inside $where crash
        again abort --strategy dfs ./inside $where abort
        again assertion --strategy dfs ./inside $where assert
    done
}

@test "a fault is named, and a replay injects it again" {
    build faults/malloc_bug
    for strategy in dfs dpor random pct ipb; do
        again crash --strategy $strategy --faults malloc ./malloc_bug
        has "malloc at malloc_bug.c:12, by"
        has "failed (fault)"
    done
    build faults/wakeup_bug
    again assertion --strategy dfs --faults spurious-wakeup ./wakeup_bug
    has "the 1st wait on ready at wakeup_bug.c:14, by T1, ended for no reason (fault)"
    build faults/trylock_bug
    again assertion --strategy dpor --faults trylock ./trylock_bug sem
    has "failed (fault)"
}

@test "the count of a fault is that of its place" {
    cat >second.c <<'END'
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    for (int i = 0; i < 3; i++) {
        volatile char *p = malloc(1);

        assert(p != NULL || i != 1);
        free((char *)p);
    }
}
END
    heddle cc -g -o second second.c
    again assertion --strategy dfs --faults malloc ./second
    has "the 2nd malloc at second.c:7, by main, failed (fault)"
}

@test "the verdict says which faults were injected and how many" {
    build faults/malloc_fixed
    run heddle verify --faults malloc --progress none --json r.json ./malloc_fixed
    exits 0
    [[ ${output//$'\n '/} == *"with at most 1 injected fault of: malloc"* ]]
    json r.json 'r["faults"] == ["malloc"] and r["fault_bound"] == 1'
    run heddle verify --faults trylock,malloc --fault-bound 2 --progress none ./malloc_fixed
    [[ ${output//$'\n '/} == *"with at most 2 injected faults of: malloc, trylock"* ]]
    run heddle verify --progress none --json r.json ./malloc_fixed
    absent "fault" <<<"$output"
    json r.json 'r["faults"] == [] and r["fault_bound"] == 0'
}

@test "faults that there are not" {
    run heddle run --faults maloc ./x
    exits 1
    has "did you mean 'malloc'?"
    run heddle run --faults malloc, ./x
    exits 1
    run heddle run --faults malloc --fault-bound 0 ./x
    exits 1
    run heddle run --fault-bound 1 ./x
    exits 1
    has "--fault-bound limits faults, and there are none without --faults"
}

@test "time-outs only when idle are said to be a restriction" {
    build faults/timed_wakeup_fixed
    run heddle run --strategy dfs --timeouts idle --progress none ./timed_wakeup_fixed
    exits 0
    [[ ${output//$'\n '/} == *"time-outs only when nothing else could run"* ]]
}

@test "a claim that depends on a choice in an atomic section is not made" {
    cat >inner.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>

static int x;

static void *work(void *unused)
{
    heddle_atomic_begin();
    x += (int)heddle_choose(2);
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
}
END
    heddle cc -g -o inner inner.c
    run heddle verify --progress none ./inner
    exits 4
    [[ ${output//$'\n '/} == *"inside an atomic section"* ]]
    run heddle verify --strategy dfs --progress none ./inner
    exits 0
}

@test "the odds of pct are about threads only: with choices there are none" {
    build faults/malloc_fixed
    run heddle run --executions 20 --progress none ./malloc_fixed
    has "missed"
    [[ ${output//$'\n'/ } == *"with probability"* ]]
    run heddle run --executions 20 --faults malloc --progress none ./malloc_fixed
    absent "probability" <<<"$output"
    [[ ${output//$'\n '/} == *"how likely a bug is missed is not known"* ]]
    run heddle run --executions 20 --faults trylock --progress none ./malloc_fixed
    [[ ${output//$'\n'/ } == *"with probability"* ]] # there is nothing to try
    build checks/choose_always_fixed
    run heddle run --executions 20 --progress none ./choose_always_fixed
    absent "probability" <<<"$output"
}

@test "an invariant is reported with its condition, at any time" {
    cat >broken.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
static int in, out;
HEDDLE_INVARIANT(not_more_out_than_in, out <= in)
static int positive(void *arg) { return *(int *)arg >= 0; }
static void *work(void *arg)
{
    *(int *)arg += 1;
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t t;

    in = argc > 1 ? -1 : 0;
    (void)argv;
    heddle_always(not_more_out_than_in, 0);
    heddle_always(positive, &in);
    pthread_create(&t, 0, work, argc > 2 ? &in : &out);
    pthread_join(t, 0);
    return 0;
}
END
    heddle cc -o broken broken.c
    run heddle run --json r.json ./broken
    exits 2
    json r.json '"heddle_always(not_more_out_than_in: out <= in) of broken.c:17 does not hold any more" in r["findings"][0]["message"]'
    run heddle run --json r.json ./broken early
    exits 2
    json r.json '"heddle_always(not_more_out_than_in: out <= in) at broken.c:17 does not hold from the beginning" in r["findings"][0]["message"]'
    sed -i 's/heddle_always(not_more_out_than_in, 0)/out = -1/' broken.c
    heddle cc -o broken broken.c
    run heddle run --json r.json ./broken early
    exits 2
    json r.json '"heddle_always(positive) at broken.c:18 does not hold from the beginning" in r["findings"][0]["message"]'
}

@test "a report shows what its own execution has printed, not one that a process ended in" {
    cat >printing.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <heddle/heddle.h>

static int line[64];
static unsigned number;

static void *other(void *arg)
{
    if (number == 29) {
        puts("before");
        line[0] = 2; /* a race that is noticed late: the execution is begun again */
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    number = heddle_choose(30);
    printf("number %u\n", number);
    fflush(stdout);
    if (number == 28)
        *(volatile int *)8 = 1;
    pthread_create(&t, NULL, other, NULL);
    if (number == 29)
        line[0] = 7;
    pthread_join(t, NULL);
    return 0;
}
END
    heddle cc -g -o printing printing.c
    run heddle verify --strategy dfs --keep-going --minimize off --progress none ./printing
    exits 2
    printed=$(sed -n '/^Printed/,/^$/p' <<<"$output")
    [ "$(grep -c 'number 28$' <<<"$printed")" = 1 ]
    [ "$(grep -c 'number 29$' <<<"$printed")" = 1 ]
}
