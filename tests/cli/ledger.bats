#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# What is not known to be controlled takes the claim away, in every output.
load helper

# A child process tells the thread that reads when it likes.
child_that_writes() {
    cat >child.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
#include <pthread.h>
static int pipes[2];
static void *reads(void *p)
{
    char c;
    return read(pipes[0], &c, 1) == 1 ? p : p;
}
int main(void)
{
    pthread_t t;
    if (pipe(pipes) != 0)
        return 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(write(pipes[1], "x", 1) != 1);
    pthread_create(&t, 0, reads, 0);
    waitpid(pid, 0, 0);
    return pthread_join(t, 0);
}
END
    heddle cc -o child child.c
}

@test "what denies: verdict, exit code, JSON, JUnit, SARIF, HTML" {
    child_that_writes
    run heddle verify --strategy dfs --json r.json --junit r.xml --sarif r.sarif --html r.html ./child
    exits 4
    has "INCOMPLETE: nothing proved: "
    has "not seen (child processes"
    json r.json 'r["verdict"] == "budget" and not r["complete"] and "child processes" in r["uncontrolled"]'
    json r.json '{"effect": "denies", "text": "child processes"} in r["ledger"]'
    json r.json '[e["text"] for e in r["ledger"]] == r["uncontrolled"]'
    grep -q 'name="uncontrolled" value="child processes' r.xml
    grep -q 'name="complete" value="false"' r.xml
    grep -q '"level": "warning", "message": {"text": "child processes' r.sarif
    grep -q 'nothing proved: .*not seen (child processes' r.html
}

@test "what denies: no sampler tells a probability" {
    child_that_writes
    run heddle run --strategy pct --executions 20 ./child
    exits 4
    has "not seen (child processes"
    echo "$output" | absent probability
}

@test "a plain binary proves nothing" {
    cat >one.c <<'END'
int main(void) { return 0; }
END
    gcc -o plain one.c
    heddle cc -o seen one.c
    run heddle verify --strategy dfs --json r.json ./plain
    exits 4
    has "1 place is not seen (plain binary:"
    json r.json 'r["ledger"][0]["effect"] == "denies"'
    run heddle verify --strategy dfs --json r.json ./seen
    exits 0
    json r.json 'r["ledger"] == []'
}

# One operation that C11 allows to fail, or to end, for no reason; what is asserted of it
# holds unless it does.
c11_allows() {
    cat >allows.c <<'END'
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <threads.h>
static atomic_int x;
static mtx_t m;
static cnd_t c;
static int ready;
static void handler(int s) { (void)s; }
static int other(void *unused)
{
    (void)unused;
#if defined WAKEUP
    mtx_lock(&m);
    if (!ready)
        cnd_wait(&c, &m);
    assert(ready);
    mtx_unlock(&m);
#elif defined TRYLOCK
    assert(mtx_trylock(&m) == thrd_success);
    mtx_unlock(&m);
#elif defined WEAK_CAS
    int e = 0;
    assert(atomic_compare_exchange_weak(&x, &e, 1));
#elif defined HANDLER
    signal(SIGUSR1, handler);
#else
    int e = 0;
    assert(atomic_compare_exchange_strong(&x, &e, 1));
#endif
    return 0;
}
int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, other, 0);
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return thrd_join(t, 0);
}
END
    heddle cc -D"$1" -o allows allows.c
}

@test "C11 is claimed only where what it allows was tried, or cannot happen" {
    c11_allows NONE
    run heddle verify --strategy dfs --json r.json ./allows
    exits 0
    json r.json 'r["guarantee"].endswith("so it holds for C11")'
    for what in WAKEUP WEAK_CAS HANDLER; do
        c11_allows $what
        run heddle verify --strategy dfs --json r.json ./allows
        exits 0
        json r.json '"holds for C11" not in r["guarantee"] and "C11 allows more" in r["guarantee"]'
    done
    c11_allows WAKEUP
    run heddle verify --strategy dfs --faults=spurious-wakeup ./allows
    exits 2
}

@test "weak atomics of the program's own code come first" {
    cat >own.cc <<'END'
#include <atomic>
#include <memory>
#include <thread>
static std::atomic<int> flag;
int main()
{
    auto shared = std::make_shared<int>(1);
    std::thread t([shared] { flag.store(1, std::memory_order_relaxed); });
    t.join();
    return flag.load(std::memory_order_relaxed) - 1;
}
END
    heddle c++ -O1 -o own own.cc
    run heddle verify --json r.json ./own
    json r.json 'r["weak_atomics"][0].startswith("own.cc:")'
}

declares() { # DECLARATION...: how the two threads say that they are ordered
    cat >declares.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
void __tsan_acquire(void *);
void __tsan_release(void *);
static int data;
static char word;
static atomic_int flag;
static void *other(void *unused)
{
    data = 1;
    RELEASE(&word);
    atomic_fetch_add(&flag, 1);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    if (atomic_load(&flag) == 1) {
        ACQUIRE(&word);
        data = 2;
    }
    return pthread_join(t, 0);
}
END
    heddle cc "$@" -o declares declares.c
}

@test "an order that the program declares is on the ledger, and costs the claim for C11" {
    declares '-DRELEASE(a)=' '-DACQUIRE(a)='
    run heddle verify --json r.json ./declares
    exits 0
    json r.json '"holds for C11" in r["guarantee"] and r["ledger"] == []'
    for way in '-DRELEASE(a)=heddle_release(a) -DACQUIRE(a)=heddle_acquire(a)' \
        '-DRELEASE(a)=__tsan_release(a) -DACQUIRE(a)=__tsan_acquire(a)'; do
        # shellcheck disable=SC2086
        declares $way
        run heddle verify --json r.json ./declares
        exits 0
        json r.json '"holds for C11" not in r["guarantee"]'
        json r.json 'any("assumed to be true" in e["text"] and e["effect"] == "qualifies" for e in r["ledger"])'
    done
}

@test "without the atomic, a declared order hides the race, and is named" {
    declares '-DRELEASE(a)=' '-DACQUIRE(a)='
    sed -i 's/atomic_fetch_add(&flag, 1)/atomic_fetch_add_explicit(\&flag, 1, memory_order_relaxed)/' declares.c
    heddle cc '-DRELEASE(a)=' '-DACQUIRE(a)=' -o declares declares.c
    run heddle verify ./declares
    exits 2
    heddle cc '-DRELEASE(a)=heddle_release(a)' '-DACQUIRE(a)=heddle_acquire(a)' -o declares declares.c
    run heddle verify ./declares
    exits 0
    has 'are assumed to be'
}
