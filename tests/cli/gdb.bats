#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# heddle replay --gdb: where it stops, what is visible there, going to steps and back.
# What is expected follows from the program's text, or from the schedule file.
load helper

setup() {
    : "${HEDDLE:=$BATS_TEST_DIRNAME/../../build/bin/heddle}"
    unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX HEDDLE_GDB NO_COLOR COLUMNS LINES
    cd "$BATS_TEST_TMPDIR" || return 1
    export HOME=$PWD # without the user's .gdbinit
    command -v gdb >/dev/null || skip "gdb is not installed"
    gdb -q -batch -ex 'python print(1)' >/dev/null 2>&1 || skip "gdb has no Python"
}

# gdb COMMAND...: at the failure of the newest finding; output and status as of `run`
gdb_does() {
    local arguments=()
    for command; do arguments+=(--gdb-command "$command"); done
    run heddle replay "${arguments[@]}"
    echo "$output"
    [[ "$output" != *"Python Exception"* && "$output" != *Traceback* ]]
}

# line TEXT [FILE]: the number of the one line of the program with that comment
line() { grep -n "/\* $1 \*/" "${2:-kinds.c}" | cut -d: -f1; }

# One way to fail for each argument.  `mine` and errno are 100 and 50 in main, and more by
# the thread's number elsewhere.
kinds() {
    cat >kinds.c <<'C'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static struct { int id; pthread_mutex_t lock; } pair[2] = {
    { 1, PTHREAD_MUTEX_INITIALIZER }, { 2, PTHREAD_MUTEX_INITIALIZER } };
static __thread int mine;
static int shared, *block;
static atomic_int flag;
static const char *what;

static int add(int x)
{
    pthread_mutex_lock(&a);
    int sum = x + mine;
    pthread_mutex_unlock(&a);
    return sum;
}

static void both(int first, int second)
{
    pthread_mutex_lock(&pair[first].lock);
    pthread_mutex_lock(&pair[second].lock); /* waits */
    pthread_mutex_unlock(&pair[second].lock);
    pthread_mutex_unlock(&pair[first].lock);
}

static void fail(int id)
{
    int local = 7 * id;

    if (!strcmp(what, "assert") && id == 2)
        assert(local != 14); /* asserts */
    if (!strcmp(what, "crash"))
        *(volatile int *)0 = local; /* crashes */
    if (!strcmp(what, "deadlock"))
        both(id - 1, 2 - id); /* calls both */
    if (!strcmp(what, "race"))
        shared = local; /* races */
    if (!strcmp(what, "uaf")) {
        pthread_mutex_lock(&a);
        if (id == 1)
            free(block);
        pthread_mutex_unlock(&a);
        *block = local; /* uses */
    }
    while (!strcmp(what, "livelock") && atomic_load(&flag) == 0) /* polls */
        sched_yield();
    local = !strcmp(what, "spin");
    for (volatile int i = 0; local; i++) /* spins */
        ;
}

static void *worker(void *p)
{
    int id = (int)(long)p;

    mine = 100 + id;
    errno = 50 + id;
    fail(id); /* calls fail */
    return p;
}

int main(int argc, char **argv)
{
    pthread_t t[2];

    what = argv[argc - 1];
    mine = 100;
    errno = 50;
    block = malloc(sizeof *block);
    puts("begun");
    fflush(stdout);
    add(0);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); /* joins */
    return 0;
}
C
    heddle cc -w -g -o kinds kinds.c
}

finds() { # KIND ARGUMENT [OPTION...]
    local kind=$1 argument=$2
    shift 2
    run heddle run "$@" ./kinds "$argument"
    exits 2
    grep -qx "kind $kind" .heddle/latest
}

@test "an assertion: its frame, its variables, its thread's own, and the end of it" {
    kinds
    finds assertion assert
    gdb_does bt 'info locals' 'print id' 'print mine' 'print errno' 'heddle output' continue
    exits 2
    has "assertion: assertion \`local != 14' failed"
    has "fail (id=2) at kinds.c:$(line asserts)"
    has "worker (p=0x2) at kinds.c:$(line 'calls fail')"
    has "local = 14"
    has "\$1 = 2"
    has "\$2 = 102"
    has "\$3 = 52"
    has $'\nbegun'
    has "The replay is over: the same assertion again."
    echo "$output" | absent hd_ # bt leaves the runtime out
}

@test "a crash: the frame that the signal has interrupted" {
    kinds
    finds crash crash
    gdb_does bt 'print local == 7 * id' 'print mine == 100 + id' 'bt -no-filters' continue
    exits 2
    has "at kinds.c:$(line crashes)"
    has "\$1 = 1"
    has "\$2 = 1"
    has "<signal handler called>"
    has "The replay is over: the same crash again."
}

@test "a deadlock: both stacks, who holds what, everybody's variables" {
    kinds
    finds deadlock deadlock
    gdb_does 'heddle threads' 'thread apply all bt' \
        'heddle thread T1' 'print mine' 'print errno' 'heddle thread 2' 'print mine' 'print errno' \
        'heddle thread main' 'print mine' continue
    exits 2
    waits="kinds.c:$(line waits) in both"
    [[ "$output" =~ T1\ +[0-9]+\ +blocked\ +mutex\ lock\ pair\[1\]\.lock,\ held\ by\ T2\ +"$waits" ]]
    [[ "$output" =~ T2\ +[0-9]+\ +blocked\ +mutex\ lock\ pair\[0\]\.lock,\ held\ by\ T1\ +"$waits" ]]
    [[ "$output" =~ main\ +1\ +blocked\ +thread\ join\ T1\ +kinds.c:$(line joins)\ in\ main ]]
    has "both (first=0, second=1) at kinds.c:$(line waits)"
    has "both (first=1, second=0) at kinds.c:$(line waits)"
    has "fail (id=1) at kinds.c:$(line 'calls both')"
    has "fail (id=2) at kinds.c:$(line 'calls both')"
    [ "$(grep -o '^\$[0-9] = .*' <<<"$output" | paste -s -d ' ')" = \
        "\$1 = 101 \$2 = 51 \$3 = 102 \$4 = 52 \$5 = 100" ]
    has "The replay is over: the same deadlock again."
}

@test "a data race stops at the second access" {
    kinds
    finds data-race race
    second=$(sed -n 's/^message "\(T[12]\) .*/\1/p' .heddle/latest)
    gdb_does 'heddle threads' 'info locals' 'print shared' continue
    exits 2
    has "at kinds.c:$(line races)"
    [[ "$output" =~ \*\ $second\ +[0-9]+\ +running ]]
    first=$((3 - ${second#T}))
    has "local = $((7 * ${second#T}))"
    has "\$1 = $((7 * first))" # the first has written, the second has not
    has "The replay is over"
}

@test "use after free, livelock" {
    kinds
    finds use-after-free uaf --keep-going --executions 200 --points races ||
        finds use-after-free uaf --races off
    gdb_does bt continue
    exits 2
    has "at kinds.c:$(line uses)"
    finds livelock livelock
    gdb_does 'heddle threads' continue
    exits 2
    has "kinds.c:$(line polls)"
    has "polls in vain"
}

@test "an endless loop without operations is interrupted" {
    [ -n "${HEDDLE_DEEP:-}" ] || skip "the watchdog takes minutes on a busy machine: make check-deep"
    kinds
    finds livelock spin --budget 8m --livelock 100000
    gdb_does bt 'print id' kill
    exits 2
    has "No step for 10 seconds"
    has "at kinds.c:$(line spins)"
}

@test "programs of clang, plain ones, C++" {
    kinds
    gcc -w -g -pthread -o kinds kinds.c
    finds deadlock deadlock
    gdb_does 'heddle threads' 'heddle thread T2' 'print mine' continue
    exits 2
    has "held by T2"
    has "\$1 = 102"
    has "The replay is over"
    if command -v clang >/dev/null; then
        HEDDLE_CC=clang kinds
        finds assertion assert
        gdb_does bt 'print mine' 'print local' continue
        exits 2
        has "fail (id=2) at kinds.c:$(line asserts)"
        has "\$1 = 102"
        has "\$2 = 14"
    fi
    cat >account.cc <<'CC'
#include <mutex>
#include <stdexcept>
#include <thread>
struct Account {
    std::mutex lock;
    int balance = 10;
    void take(int n)
    {
        bool enough;
        {
            std::lock_guard<std::mutex> guard(lock);
            enough = balance >= n;
        }
        std::lock_guard<std::mutex> guard(lock);
        balance -= enough ? n : 0;
        if (balance < 0)
            throw std::runtime_error("overdrawn"); /* throws */
    }
};
thread_local int mine;
int main()
{
    Account account;
    std::thread one([&] { mine = 1; account.take(6); }), two([&] { mine = 2; account.take(7); });
    one.join();
    two.join();
}
CC
    heddle c++ -g -o account account.cc
    run heddle run ./account
    exits 2
    gdb_does 'print balance' 'print n + 10 * mine' 'heddle back' continue continue
    exits 2
    has "Account::take (this="
    has "at account.cc:$(line throws account.cc)"
    has "\$1 = -3"
    [[ "$output" == *'$2 = 16'* || "$output" == *'$2 = 27'* ]] # the one that came last
    has "The replay is over: the same abort again."
}

# A lock in the heap has no symbol; its name is the report's.
@test "objects have the names of the report" {
    cp "$BATS_TEST_DIRNAME/../report/programs/hashmap.c" .
    heddle cc -g -O1 -o hashmap hashmap.c
    run heddle run --strategy ipb ./hashmap
    exits 2
    has "main waits at hashmap.c:56 for mutex m->buckets[2].lock"
    gdb_does 'heddle threads' 'heddle events 1'
    has "mutex lock m->buckets[2].lock, held by T1"
    has "mutex lock m->buckets[1].lock, held by main"
    absent "mutex lock 0x"
}

# In a frame of Rust gdb reads expressions and types as those of Rust.
@test "programs of Rust" {
    local home
    home=$(getent passwd "$(id -u)" | cut -d: -f6) # HOME is the test's own, and rustup looks for its toolchain there
    export RUSTUP_HOME=${RUSTUP_HOME:-$home/.rustup}
    rustc --version >/dev/null 2>&1 || skip "no rustc"
    cp "$BATS_TEST_DIRNAME/../report/programs/transfer.rs" .
    rustc -g -o transfer transfer.rs
    run heddle run --strategy ipb ./transfer
    exits 2
    gdb_does 'heddle threads' 'heddle thread T1' 'bt' 'heddle events 3' 'show language'
    [[ "$output" =~ \ T1\ +[0-9]+\ +blocked\ +futex\ wake-up\ other-\>savings.balance ]]
    has "transfer::transfer (from=0x"
    has "futex wait other->"
    has '"auto; currently rust"'
}

# T1 counts to four; main only looks at the end.
counter() {
    cat >counter.c <<'C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, looked;
static void *counts(void *p)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m);
        count++; /* counts */
        pthread_mutex_unlock(&m); /* unlocks */
    }
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, counts, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        looked++;
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    assert(count != 4);
    return 0;
}
C
    heddle cc -g -o counter counter.c
    run heddle run --strategy random --seed "${1:-3}" ./counter
    exits 2
    steps=$(sed -n 's/^steps //p' .heddle/latest)
}

# How often the thread had locked before each step: the value of its variable there.
locked_before() { # THREAD
    awk -v who="$1" '$1 ~ /^[0-9]+$/ { printf "%d ", n; n += $2 == who && $3 == "MUTEX_LOCK" } END { print "" }' .heddle/latest
}

@test "goto and back: the values at every step, forwards and backwards" {
    counter
    read -r -a count < <(locked_before t1)
    read -r -a looked < <(locked_before t0)
    [ "${#count[@]}" -eq "$steps" ]
    commands=()
    for ((k = 1; k <= steps; k++)); do commands+=("heddle goto $k" 'printf "%d %d|", count, looked'); done
    for ((k = steps - 1; k >= 1; k -= 3)); do
        commands+=("heddle back $((k == steps - 1 ? 1 : 3))" 'printf "%d %d|", count, looked')
    done
    commands+=("heddle goto $((steps / 2))" 'printf "%d %d|", count, looked' continue)
    gdb_does "${commands[@]}"
    exits 2
    expected='' stops=''
    for ((k = 1; k <= steps; k++)); do expected+="${count[k - 1]} ${looked[k - 1]}|" stops+="$k "; done
    for ((k = steps - 1; k >= 1; k -= 3)); do expected+="${count[k - 1]} ${looked[k - 1]}|" stops+="$k "; done
    ((k = steps / 2)) && expected+="${count[k - 1]} ${looked[k - 1]}|" stops+="$k "
    [ "$(sed -n 's/.*Step \([0-9]*\) of .*/\1/p' <<<"$output" | paste -s -d ' ') " = "$stops" ]
    [ "$(grep -o '[0-9]* [0-9]*|' <<<"$output" | tr -d '\n')" = "$expected" ]
    has "After $steps of $steps steps: assertion"
}

@test "next-switch stops at every switch and nowhere else" {
    for seed in 1 2; do
        counter $seed
        switches=$(awk '$1 ~ /^[0-9]+$/ { if ($1 > 1 && $2 != last) printf "%d ", $1; last = $2 }' .heddle/latest)
        [ "$(wc -w <<<"$switches")" -ge 2 ] || continue
        commands=('heddle goto 1')
        for _ in $switches; do commands+=('heddle next-switch'); done
        gdb_does "${commands[@]}" 'heddle next-switch' continue
        exits 2
        [ "$(sed -n 's/^Step \([0-9]*\) of .*/\1/p' <<<"$output" | paste -s -d ' ') " = "1 $switches" ]
        [ "$(grep -c "^After $steps of $steps steps" <<<"$output")" -eq 2 ] # at the start, and past the last switch
        has "The replay is over"
    done
}

@test "where and events agree with the schedule" {
    counter
    gdb_does 'heddle goto 5' 'heddle where' 'heddle events 3' 'heddle goto 1' 'heddle where'
    exits 2
    kind() { sed -n "s/^$1 t[01] \([A-Z_]*\) .*/\1/p" .heddle/latest | tr 'A-Z_' 'a-z '; }
    who() { sed -n "s/^$1 t\([01]\) .*/\1/p" .heddle/latest | sed 's/0/main/; s/1/T1/'; }
    has "4 of $steps steps are done."
    [[ "$output" =~ =\>\ +5\ $(who 5)\ +$(kind 5) ]]
    [[ "$output" =~ $'\n'\ +4\ $(who 4)\ +$(kind 4) ]]
    # the last event is the last step that is done
    events=$(sed -n '/^event /,/^Step/p' <<<"$output" | sed '/^Step/d' | tail -n 1)
    [[ "$events" =~ $(who 4)(\ \(preempts\))?\ +$(kind 4) ]]
    has "0 of $steps steps are done."
}

@test "next and step go through the program, in threads that have to wait, too" {
    counter
    # the second unlock of T1
    k=$(awk '$1 ~ /^[0-9]+$/ && $2 == "t1" && $3 == "MUTEX_UNLOCK" && ++n == 2 { print $1 }' .heddle/latest)
    gdb_does "heddle goto $k" 'print count' next next next 'print count' \
        'heddle goto 1' 'heddle thread main' 'break counts' continue 'print count' 'heddle threads'
    exits 2
    has "\$1 = 2"
    # unlock; for; lock; count++: the third step stands before the next count
    has "$(line counts counter.c)	        count++"
    has "\$2 = 2"
    has "hit Breakpoint 1, counts (p=0x0)"
    [[ "$output" =~ \*\ T1\ +[0-9]+\ +running ]]
    k=$(awk '$1 ~ /^[0-9]+$/ && $3 == "THREAD_START" { print $1 }' .heddle/latest)
    gdb_does "heddle goto $k" next 'bt' next next 'heddle thread main' next 'heddle threads'
    exits 2
    has "T1 is about to begin, counter.c:"
    has "counts (p=0x0) at counter.c:"
}

@test "a function called from gdb is no part of the execution" {
    kinds
    finds deadlock deadlock
    gdb_does 'print add(1)' 'heddle thread T1' 'print add(1)' 'heddle thread main' 'print add(1)' \
        'heddle goto 4' 'print add(1000)' continue continue
    exits 2
    has "\$2 = 102"
    has "\$3 = 101"
    has "\$4 = 11" # 1100 or so, by the thread that comes next
    has "The replay is over: the same deadlock again."
}

@test "gdb by hand: commands from standard input" {
    counter
    run heddle replay --gdb <<<$'heddle threads\nhelp heddle\nheddle goto 2\nheddle goto 99\nheddle thread T9\ncontinue\nquit\n'
    exits 2
    has "thread gdb state"
    has "heddle next-switch"
    has "Step 2 of $steps comes next"
    has "There are steps 1 to $steps"
    has "Which thread? There are main, T1"
}

@test "the program sees nothing of gdb and Heddle, and another file is replayed by its id" {
    counter
    id=$(basename "$(readlink .heddle/latest)" .heddle)
    run heddle replay "$id" --gdb-command 'print (long)getenv("HEDDLE_GDB_FILE")' \
        --gdb-command 'print (long)getenv("LINES")' --gdb-command 'print (long)getenv("HEDDLE_WIRE")'
    exits 2
    has "\$1 = 0"
    has "\$2 = 0"
    has "\$3 = 0"
}

@test "a program that does not repeat itself: stops there, exit 5" {
    cat >depends.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static void *takes(void *p)
{
    pthread_mutex_t *l = getenv("OTHER") ? &other : &m;
    pthread_mutex_lock(l);
    pthread_mutex_unlock(l);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, takes, 0);
    pthread_join(t, 0);
    assert(0);
}
C
    heddle cc -g -o depends depends.c
    run heddle run ./depends
    exits 2
    OTHER=1 gdb_does 'heddle threads'
    exits 5
    k=$(awk '$1 ~ /^[0-9]+$/ && $2 == "t1" && $3 == "MUTEX_LOCK" { print $1 }' .heddle/latest)
    has "The program did not repeat itself; recorded is step $k, T1, mutex lock m at depends.c:8"
}

@test "no gdb, one that is none: exit 1 and the remedy; another build is refused as ever" {
    counter
    HEDDLE_GDB=$PWD/nowhere run heddle replay --gdb
    exits 1
    has "install it"
    HEDDLE_GDB=true run heddle replay --gdb
    exits 1
    has "did not load Heddle's extension"
    heddle cc -g -O2 -DOTHER -o counter counter.c
    run heddle replay --gdb
    exits 1
    has "another build"
}

@test "an installation without symbols, in a place with a space" {
    prefix=$(dirname "$HEDDLE")/..
    [ -f "$prefix/CMakeCache.txt" ] || skip "not a build tree"
    cmake --install "$prefix" --prefix "$PWD/a place" >/dev/null
    strip "a place"/lib/libheddle.so
    HEDDLE="$PWD/a place/bin/heddle"
    kinds
    finds crash crash
    gdb_does bt 'heddle threads' 'print mine == 100 + id' 'heddle back' next continue continue
    exits 2
    has "at kinds.c:$(line crashes)"
    [[ "$output" =~ main\ +1\ +blocked\ +thread\ join\ T1\ +kinds.c:$(line joins)\ in\ main ]]
    has "\$1 = 1"
    has "comes next: "
    has "The replay is over"
    [ -z "$(find "a place" -name __pycache__)" ]
}
