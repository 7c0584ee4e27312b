#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Exit codes, JSON and replay, for all ways in which Heddle gets into a program.
load helper

example() { cp "$BATS_TEST_DIRNAME/../../examples/$1" .; }

# Two threads that take two locks in opposite orders: a deadlock that needs no
# instrumentation to be seen.
crossed_locks() {
    cat >crossed.c <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}
static void *other(void *p) { both(&b, &a); return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    both(&a, &b);
    return pthread_join(t, 0);
}
END
}

@test "0: complete and clean" {
    example bank_fixed.c
    heddle cc -o fixed bank_fixed.c
    run heddle verify --json r.json ./fixed
    exits 0
    json r.json 'r["version"] == 1 and r["verdict"] == "clean" and r["complete"] is True'
    json r.json 'r["findings"] == [] and r["executions"] > 1 and r["first_bug_execution"] is None'
}

@test "4: maple ends when nothing is left to try, and says that this proves nothing" {
    example bank_fixed.c
    heddle cc -o fixed bank_fixed.c
    for tries in 2 5; do
        run heddle run --strategy maple:tries=$tries --json r.json ./fixed
        exits 4
        json r.json "not r['complete'] and 10 <= r['executions'] < 1000"
        json r.json "': every idiom that was predicted was seen, or forced in vain $tries times; that is no proof' in r['guarantee']"
    done
    run heddle run --strategy maple --executions 3 --json r.json ./fixed
    exits 4 # not through yet
    json r.json "'idiom' not in r['guarantee']"
    run heddle run --strategy maple -j 2 --json r.json ./fixed
    exits 4
    json r.json "not r['complete'] and 'every idiom that was predicted was seen' in r['guarantee']"
    run heddle run --strategy stress -j 2 ./fixed
    exits 1
    has "one worker only"
}

@test "2: a finding, which replays twice in a fresh process" {
    example bank.c
    heddle cc -o bank bank.c
    run heddle run --json r.json ./bank
    exits 2
    json r.json 'r["verdict"] == "bug" and r["findings"][0]["kind"] == "assertion"'
    [[ "$output" == *"reproduce: heddle replay "* ]]
    for _ in 1 2; do
        run heddle replay
        exits 2
        has "assertion"
    done
    run heddle replay "$(python3 -c 'import json; print(json.load(open("r.json"))["findings"][0]["schedule"])')"
    exits 2
}

@test "2: every exhaustive strategy finds the bug, and verify does" {
    example bank.c
    heddle cc -o bank bank.c
    for strategy in dfs ipb idb dfs+cache ipb+cache:finish=1 idb+cache:cache=1 bpor bpor-source bpor-lazy; do
        run heddle verify --strategy $strategy ./bank
        exits 2
    done
    run heddle verify --bound 1 ./bank
    exits 2
    run heddle verify ./bank
    exits 2
}

@test "0: verified up to a bound" {
    example bank_fixed.c
    heddle cc -o fixed bank_fixed.c
    run heddle verify --bound 1 --json r.json ./fixed
    exits 0
    has "verified up to 1 preemption"
    [ "$(python3 -c 'import json; r = json.load(open("r.json")); print(r["strategy"], r["bound"], r["complete"])')" = "bpor-lazy 1 True" ]
    run heddle verify --bound iterate ./fixed
    exits 0
    has "all interleavings"
}

@test "4: budget used up" {
    example bank_fixed.c
    heddle cc -o fixed bank_fixed.c
    run heddle run --strategy random --executions 10 --json r.json ./fixed
    exits 4
    json r.json 'r["verdict"] == "budget" and r["complete"] is False and r["executions"] == 10'
    run heddle run --strategy random --budget 300ms ./fixed
    exits 4
}

@test "a cache saves executions, and proves what race detection allows" {
    example bank_fixed.c
    heddle cc -o fixed bank_fixed.c
    run heddle verify --strategy dfs --json plain.json ./fixed
    exits 0
    run heddle verify --strategy dfs+cache --races off ./fixed
    exits 4
    [[ ${output//$'\n'/} == *"not looked"* ]]
    run heddle verify --strategy dfs+cache --json r.json ./fixed
    exits 0
    json r.json 'r["strategy"] == "dfs+cache" and r["redundant"] > 0'
    json r.json 'r["executions"] < __import__("json").load(open("plain.json"))["executions"]'
    run heddle verify --strategy ipb+cache --bound 1 --json r.json ./fixed
    exits 0
    json r.json 'r["strategy"] == "ipb+cache"'
    run heddle verify --strategy dfs+cache:cache=none ./fixed
    exits 1
    has "cache wants a whole number, 1 to 16384"
}

@test "1: nothing to replay, a file that is no schedule, a damaged schedule" {
    run heddle replay
    exits 1
    echo nonsense >nonsense.heddle
    run heddle replay nonsense.heddle
    exits 1
    example bank.c
    heddle cc -o bank bank.c
    run heddle run ./bank
    exits 2
    file=$(echo .heddle/*.heddle)
    sed 's/assertion/deadlock/' "$file" >changed.heddle
    run heddle replay changed.heddle
    exits 1
    head -c 200 "$file" >cut.heddle
    run heddle replay cut.heddle
    exits 1
}

@test "the same seed gives the same search" {
    example bank.c
    heddle cc -o bank bank.c
    for n in 1 2; do
        run heddle run --strategy random --seed 7 -o out$n --json $n.json ./bank
        exits 2
    done
    json 1.json 'r["seed"] == 7'
    [ "$(python3 -c 'import json; print(json.load(open("1.json"))["first_bug_execution"])')" = \
        "$(python3 -c 'import json; print(json.load(open("2.json"))["first_bug_execution"])')" ]
}

@test "a plain binary, an existing TSan build of gcc, one of clang" {
    crossed_locks
    gcc -pthread -g -o plain crossed.c
    gcc -fsanitize=thread -g -o tsan-gcc crossed.c
    programs="plain tsan-gcc"
    if clang -fsanitize=thread -shared-libsan -g -o tsan-clang crossed.c 2>/dev/null; then
        programs="$programs tsan-clang"
    fi
    heddle cc -o heddles crossed.c
    for program in $programs heddles; do
        run heddle verify --json r.json ./$program
        exits 2
        json r.json 'r["findings"][0]["kind"] == "deadlock"'
        run heddle replay
        exits 2
    done
}

@test "gcc and clang builds have the same executions" {
    command -v clang >/dev/null || skip "clang is not installed"
    example bank_fixed.c
    for compiler in gcc clang; do
        HEDDLE_CC=$compiler heddle cc -o $compiler bank_fixed.c
        run heddle verify --json $compiler.json ./$compiler
        exits 0
    done
    json gcc.json "r['executions'] == json.load(open('clang.json'))['executions']"
}

@test "arguments and environment reach the program" {
    cat >arguments.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    return !(argc == 3 && strcmp(argv[1], "--seed") == 0 && strcmp(argv[2], "a b") == 0 &&
             strcmp(getenv("FLAVOUR"), "vanilla") == 0);
}
END
    heddle cc -o arguments arguments.c
    FLAVOUR=vanilla run heddle verify ./arguments --seed "a b"
    exits 0
    FLAVOUR=vanilla run heddle verify -- ./arguments --seed ab
    exits 2
}

@test "the public header under Heddle: every alternative is explored" {
    cat >choose.c <<'END'
#include <heddle/heddle.h>
int main(void)
{
    unsigned n = heddle_choose(3) * 3 + heddle_choose(3);
    heddle_point("chosen");
    return heddle_active() && n == 7;
}
END
    heddle cc -o choose choose.c
    ./choose
    run heddle verify --keep-going --json r.json ./choose
    exits 2
    json r.json 'r["executions"] == 9 and r["findings"][0]["kind"] == "exit-code"'
}

@test "the demo does what it says" {
    build=$(cd "$(dirname "$HEDDLE")/.." && pwd)
    [ -f "$build/CMakeCache.txt" ] || skip "not a build tree"
    run "$BATS_TEST_DIRNAME/../../tools/demo" "$build"
    exits 0
    has "reproduce: heddle replay"
    has "CLEAN"
}

@test "4: a reduction claims nothing of atomics that share bytes" {
    cat >overlap.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static union { uint64_t whole; uint32_t half[2]; uint8_t byte[8]; } u;
static void *store(void *p)
{
    __atomic_store_n(&u.whole, UINT64_C(1) << 32, __ATOMIC_SEQ_CST);
    return p;
}
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, 0, store, 0);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: assert(__atomic_load_n(&u.half[1], __ATOMIC_SEQ_CST) == 0); break;
    case 1: assert(__atomic_load_n(&u.byte[4], __ATOMIC_SEQ_CST) == 0); break;
    case 2: assert(__atomic_load_n(&u.half[0], __ATOMIC_SEQ_CST) == 0); break;
    }
    return pthread_join(t, 0);
}
END
    heddle cc -o overlap overlap.c
    for which in 0 1; do
        run heddle verify --strategy dfs ./overlap $which
        exits 2
        for strategy in dpor dpor-optimal dfs+cache; do
            run heddle verify --strategy $strategy --keep-going --json r.json ./overlap $which
            json r.json 'r["complete"] is False and "share bytes" in r["guarantee"]'
        done
    done
    # at the same address, the sizes do not matter: the load comes first or second
    for strategy in dpor dpor-optimal; do
        run heddle verify --strategy $strategy --json r.json ./overlap 2
        exits 0
        json r.json 'r["complete"] is True and r["executions"] == 2'
    done
}

@test "4: no search is complete that has cut threads after exit" {
    cat >busy.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return p;
}
int main(void)
{
    pthread_t t;
    return pthread_create(&t, 0, work, 0);
}
END
    heddle cc -o busy busy.c
    for strategy in dfs ipb idb dpor-optimal; do
        run heddle verify --strategy $strategy --json r.json ./busy
        exits 0
        run heddle verify --strategy $strategy --exit-grace 2 --json r.json ./busy
        exits 4
        json r.json 'r["complete"] is False and r["grace_cuts"] > 0 and "cut off after exit" in r["guarantee"]'
    done
}

@test "4: a claim says first up to how many rounds of which loop it holds" {
    cat >impatient.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static void *get_ready(void *p)
{
    ready = 1;
    return p;
}
int main(void)
{
    pthread_t t;
    int rounds = 0;
    pthread_create(&t, 0, get_ready, 0);
    while (!ready && rounds < 6) /* line 15 */
        rounds++;
    assert(ready);
    return pthread_join(t, 0);
}
END
    heddle cc -o impatient impatient.c
    claim="3 idle rounds of the loop at impatient.c:15: all interleavings "
    for strategy in dfs dpor; do
        run heddle verify --strategy $strategy --json r.json ./impatient
        exits 4
        json r.json 'r["complete"] is False and r["loop_cuts"] > 0 and r["cut_loops"] == ["impatient.c:15"]'
        json r.json 'r["guarantee"].startswith("nothing proved beyond '"$claim"'")'
        [[ $(tr -s '\n ' ' ' <<<"$output") == *"INCOMPLETE: nothing proved beyond $claim"* ]]
    done
    run heddle verify --strategy ipb --bound 1 --json r.json ./impatient
    exits 4
    json r.json 'r["guarantee"].startswith("nothing proved beyond 1 preemption and '"$claim"'")'
    run heddle run --strategy pct --executions 1000 ./impatient
    exits 4
    echo "$output" | absent probability
    run heddle verify --loop-bound 5 ./impatient # within the bound it is found
    exits 2
}

@test "4: threads that wait and count do not drive each other to the step limit" {
    cat >crowd.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int ready, rounds;
static void *wait_for_it(void *p)
{
    for (; !ready; rounds++)
        sched_yield();
    return p;
}
static void *get_ready(void *p)
{
    ready = 1;
    return p;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, i < 3 ? wait_for_it : get_ready, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
END
    heddle cc -o crowd crowd.c
    run heddle run --strategy pct --executions 1000 --json r.json ./crowd
    exits 4
    json r.json 'r["loop_cuts"] > 0 and r["too_long"] == 0 and r["executions"] == 1000'
}

@test "one thread is no threads" {
    printf 'int x;\nint main(void) { x++; return 0; }\n' >t.c
    heddle cc -o t t.c
    run heddle verify --progress none ./t
    exits 0
    [[ ${output//$'\n '/} == *"; at most 1 thread, 0 steps"* ]]
    run heddle estimate --progress none ./t
    [[ ${output//$'\n '/} == *"; at most 1 thread, 0 steps"* ]]
}

@test "where nothing can be decided, sampling ends early" {
    printf 'int x;\nint main(void) { x++; return 0; }\n' >t.c
    heddle cc -o t t.c
    for strategy in pct random surw; do
        run heddle run --strategy $strategy --executions 50000 --progress none --json r.json ./t
        exits 4
        json r.json 'r["executions"] == 100'
        [[ ${output//$'\n '/} == *"one thread and no choice: every execution is the same"* ]]
    done
    run heddle run --executions 50 --progress none --json r.json ./t
    json r.json 'r["executions"] == 50'
    absent "every execution" <<<"$output"
    run heddle run -j2 --strategy mix --executions 50000 --progress none --json r.json ./t
    exits 4
    json r.json 'r["executions"] == 200'
    cat >choice.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
    pthread_mutex_lock(&m);
    heddle_assert(heddle_choose(5000) != 4321);
    return pthread_mutex_unlock(&m);
}
END
    heddle cc -o choice choice.c
    run heddle run --progress none ./choice
    exits 2
}

@test "a broken invariant inside the program is shown, and is not the program's fault" {
    # no worker can be forked: a filter of system calls refuses clone
    cat >noclone.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((constructor)) static void forbid(void)
{
    struct sock_filter f[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog p = { sizeof f / sizeof *f, f };
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p);
}
int main(void) { return 0; }
END
    "$HEDDLE" cc -o noclone noclone.c
    run heddle run ./noclone
    exits 3
    has "heddle: internal error: cannot fork"
    has "This is a bug in Heddle, not in your program."
}

@test "a loop that yields before there are other threads does not end the search" {
    # not instrumented, so that Heddle does not see that the state changes in each round
    cat >alone.c <<'E'
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *u) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return u; }
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 30; i++)
        sched_yield();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return n != 2;
}
E
    gcc -pthread -o alone alone.c
    run "$HEDDLE" verify --progress none --json result.json ./alone
    "$HEDDLE_SOURCE/tests/support/result" result.json >values
    grep -qx 'executions 2' values # both orders of the critical sections
    grep -qx 'loop_cuts 0' values
}
