#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Hardware transactions: verdicts and reports.
load helper

programs=$BATS_TEST_DIRNAME/../litmus/transactions

# build NAME
build() {
    heddle cc -O1 -g -mrtm -o "$1" "$programs/$1.c"
}

@test "transactions: a conflict with a transaction that is aborted itself is named as not tried" {
    build tx_counter
    run heddle verify --tm-aborts all --progress none ./tx_counter
    [ "$status" -eq 0 ]
    [[ $(tr -s '\n ' ' ' <<<"$output") == *"a conflict with one that is aborted itself"* ]]
    # Where the status does not count, a spurious abort takes its place.
    run heddle verify --progress none ./tx_counter
    [ "$status" -eq 0 ]
    [[ "$output" != *"a conflict with one"* ]]
}

@test "transactions: the verdict names transactions that were never aborted" {
    build tx_disjoint
    run heddle verify --tm stm --progress none --json stm.json ./tx_disjoint
    [ "$status" -eq 0 ]
    [[ $(tr -s '\n ' ' ' <<<"$output") == *"no execution aborted the transaction at tx_disjoint.c:"*"what it falls back to never ran"* ]]
    grep -q '"never_aborted": \["tx_disjoint.c:' stm.json
    run heddle verify --progress none ./tx_disjoint
    [ "$status" -eq 0 ]
    [[ "$output" != *"no execution aborted"* ]]
}

@test "transactions: the verdict names statuses of conflicts that --tm stm does not try" {
    build tx_counter
    run heddle verify --tm stm --progress none ./tx_counter
    [ "$status" -eq 0 ]
    [[ $(tr -s '\n ' ' ' <<<"$output") == *"a conflict whose status has no retry bit (--tm-aborts all)"* ]]
    run heddle verify --tm stm --tm-aborts all --progress none ./tx_counter
    [ "$status" -eq 0 ]
    [[ "$output" != *"no retry bit"* ]]
    build tx_disjoint # has no conflict
    run heddle verify --tm stm --progress none ./tx_disjoint
    [ "$status" -eq 0 ]
    [[ "$output" != *"no retry bit"* ]]
}

@test "transactions: text and page show begin, commit, and abort with status and cause" {
    cat >cause.c <<'END_OF_C'
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;
static int seen;
static void *store(void *arg)
{
    x = 1;
    return arg;
}
static void *transact(void *arg)
{
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED) {
        seen += x;
        _xend();
    } else if (status & _XABORT_CONFLICT) {
        if (_xbegin() == _XBEGIN_STARTED) {
            seen++;
            _xend();
        }
        if (_xbegin() == _XBEGIN_STARTED)
            _xabort(7);
        abort();
    }
    return arg;
}
int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, transact, NULL);
    pthread_create(&t[1], NULL, store, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
END_OF_C
    heddle cc -O1 -g -mrtm -o cause cause.c
    run heddle run --strategy dpor --tm stm --progress none -v --html page.html ./cause
    [ "$status" -eq 2 ]
    for words in "transaction begin" "transaction end" "transaction aborted (explicit 7)" "transaction aborted by T2's store x" "(retry conflict)"; do
        [[ "$output" == *"$words"* ]]
    done
    tr -d '\n' <page.html | sed 's/<[^>]*>//g; s/&#39;/'"'"'/g' >page.txt
    for words in "transaction begin" "transaction end" "transaction aborted (explicit 7)" "transaction aborted by T2's" "(retry conflict)"; do
        grep -qF "$words" page.txt
    done
}

# faults STRATEGY: number of page faults of a search, in all its processes.  It grows with the number of processes
# and does not depend on the load of the machine.
faults() {
    python3 - "$HEDDLE" "$1" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], 'verify', '--strategy', sys.argv[2], '--progress', 'none', './waits'], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt)
END
}

@test "transactions: a wait before a transaction is learnt once" {
    cat >waits.c <<'END'
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int y;

static void *waits(void *arg)
{
    while (x == 0)
        continue;
    if (_xbegin() == _XBEGIN_STARTED) {
        y++;
        _xend();
    }
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, waits, NULL);
    x = 1;
    x = 2;
    pthread_join(thread, NULL);
    return 0;
}
END
    heddle cc -O1 -g -mrtm -o waits waits.c
# A thread chooses the outcome of a begin before it announces its next operation.  Earlier the runtime did not learn
# there what the wait had led to, and each execution began 1,000 times, in a process of its own.
    [ "$(faults dfs+cache)" -lt "$((4 * $(faults dpor)))" ]
}

@test "transactions: a search with retry sets claims nothing, and goes with one status only" {
    heddle cc -O1 -g -mrtm -DTHREADS=2 -DROUNDS=1 -o fig63 "${HEDDLE_SOURCE:-$BATS_TEST_DIRNAME/../..}/bench/programs/tm/fig63.c"
    run heddle verify --progress none --json plain.json --strategy dpor-classic ./fig63
    [ "$status" -eq 0 ]
    run heddle verify --progress none --json sets.json --tm-retry-sets ./fig63
    [ "$status" -eq 4 ]
    [[ $(tr -s '\n ' ' ' <<<"$output") == *"strategy dpor-classic"*"it is not proved that nothing is lost by that"* ]]
    python3 - <<'END'
import json
plain, sets = (json.load(open(name)) for name in ('plain.json', 'sets.json'))
# No class is lost here: each pair of outcomes in one order, and two where one thread reads what the other writes.  A
# thread is not run first with an outcome with which nothing conflicts.
assert sets['executions'] == plain['executions'] == 6 and sets['redundant'] < plain['redundant'], (sets, plain)
END
    run heddle verify --tm-retry-sets --tm-aborts all ./fig63
    [ "$status" -eq 1 ]
    has "leave '--tm-aborts all' and '--tm stm' out"
    run heddle verify --tm-retry-sets --strategy dpor ./fig63
    [ "$status" -eq 1 ]
    has "use --strategy dpor-classic"
    run heddle verify --tm weak ./fig63
    [ "$status" -eq 1 ]
    has "--tm wants htm|off|stm, not 'weak'"
}

# asks_cpuid: ./asks asks in five ways whether there are transactions, at two times; ./replaced in the one way that heddle cc
# replaces
asks_cpuid() {
    cat >asks.c <<'END'
#include <assert.h>
#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>
#include <sys/platform/x86.h>

static bool by_instruction(void)
{
    unsigned a, b, c, d;

    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_RTM;
}

static bool early;
__attribute__((constructor(150))) static void asks_early(void)
{
    early = by_instruction();
}

#ifdef HERE
bool elsewhere(void) /* in a library or object that heddle cc has not compiled */
{
    return early && by_instruction();
}
#else
bool elsewhere(void);
static int counter;
int main(void)
{
    bool told = by_instruction();

#ifndef ONLY
    __builtin_cpu_init();
    assert(early == told && !!__builtin_cpu_supports("rtm") == told && CPU_FEATURE_PRESENT(RTM) == told && elsewhere() == told);
#endif
    if (told && _xbegin() == _XBEGIN_STARTED) {
        counter++;
        _xend();
    } else {
        counter = 1;
    }
    return counter != 1;
}
#endif
END
    gcc -O1 -c -DHERE -o object.o asks.c
    gcc -O1 -fPIC -shared -DHERE -o liblibrary.so asks.c
    heddle cc -O1 -g -w -mrtm -o with_object asks.c object.o
    heddle cc -O1 -g -w -mrtm -o with_library asks.c ./liblibrary.so
    heddle cc -O1 -g -mrtm -DONLY -o replaced asks.c
}

@test "transactions: what cpuid says does not depend on the machine" {
    grep -qw 'cpuid_fault\|rtm' /proc/cpuinfo || skip "the processor cannot trap cpuid"
    asks_cpuid
    for program in with_object with_library replaced; do
        run heddle verify --progress none "./$program"
        [ "$status" -eq 0 ]
        [[ "$output" == *"2 executions, none fails"* ]]
        run heddle verify --progress none --tm off "./$program"
        [ "$status" -eq 0 ]
        [[ "$output" == *"1 execution, none fails"* ]]
    done
}

@test "transactions: code that asks a machine that cannot trap cpuid is named" {
    cat >deny.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Runs a command on a machine where arch_prctl(ARCH_SET_CPUID) fails. */
int main(int argc, char **argv)
{
    enum { SET_CPUID = 0x1012 };
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SET_CPUID, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENODEV),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = { sizeof code / sizeof *code, code };

    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        return 77;
    execv(argv[1], argv + 1);
    return 77;
}
END
    gcc -o deny deny.c
    ./deny /bin/true || skip "no filters of system calls here"
    ! grep -qw rtm /proc/cpuinfo || skip "this machine has transactions"
    asks_cpuid
    run ./deny "$HEDDLE" verify --progress none ./replaced
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 executions, none fails"* ]]
    run ./deny "$HEDDLE" verify --progress none ./with_object
    [ "$status" -ne 0 ]
    [[ $(tr -s '\n ' ' ' <<<"$output") == *"this machine cannot trap cpuid, so the code at with_object+0x"* ]]
}

# Both compilers must call a hook for the read of counter, because an aborted transaction has written nothing.
reads_before_it_writes() {
    cat >reads.c <<'END'
#include <immintrin.h>
#include <pthread.h>
static int counter, ended[2];
static void *transact(void *arg)
{
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED) {
        counter++;
        if (counter == 2)
            _xabort(7);
        _xend();
        ended[(long)arg] = 1;
    } else {
        ended[(long)arg] = status & _XABORT_EXPLICIT ? 2 : 3;
    }
    return arg;
}
int main(void)
{
    pthread_t thread[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, transact, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 10 * ended[0] + ended[1];
}
END
    heddle cc -O2 -g -mrtm -o reads reads.c
    run heddle verify --strategy dpor --keep-going --minimize off --progress none --json reads.json ./reads
    # One is aborted by itself after the other one, in both orders; one spuriously, or both.
    python3 - <<'END'
import json
ends = sorted(int(f['message'].split()[-1]) for f in json.load(open('reads.json'))['findings'])
assert ends == [12, 13, 21, 31, 33], ends
END
}

@test "transactions: what they read before they write counts, with both compilers" {
    HEDDLE_CC=gcc reads_before_it_writes
    command -v clang >/dev/null || return 0
    HEDDLE_CC=clang reads_before_it_writes
}

@test "transactions: instructions that heddle cc has not replaced abort at once where the processor has none" {
    ! grep -qw 'rtm\|rtm_always_abort' /proc/cpuinfo || skip "this processor executes them"
    cat >other.c <<'END'
#include <immintrin.h>
int entered;
int enter(void) /* a transaction of its own */
{
    unsigned status = _xbegin();

    if (status != _XBEGIN_STARTED)
        return (int)status;
    entered = 1;
    _xend();
    return -1;
}
int inside(void) { return _xtest(); }
void leave(void) { _xabort(33); }
END
    cat >main.c <<'END'
#include <assert.h>
#include <immintrin.h>
extern int entered;
int enter(void), inside(void), written;
void leave(void);
int main(void)
{
    unsigned status;

    assert(enter() == 0 && entered == 0 && !inside());
    leave(); /* outside: nothing */
    status = _xbegin();
    if (status == _XBEGIN_STARTED) {
        written = 1;
        if (inside())
            leave();
        _xend();
    }
    assert(written == 0 && (status == _XABORT_RETRY || (status & _XABORT_EXPLICIT && _XABORT_CODE(status) == 33)));
    status = _xbegin();
    if (status == _XBEGIN_STARTED) {
        written = 1;
        enter(); /* aborts the transaction around it */
        _xend();
    }
    assert(written == 0 && (status == _XABORT_RETRY || status == 0));
    return 0;
}
END
    gcc -O1 -mrtm -c other.c
    gcc -O1 -mrtm -fPIC -shared -o libother.so other.c
    for other in other.o ./libother.so; do
        heddle cc -O1 -g -mrtm -o mixed main.c "$other"
        run heddle verify --progress none ./mixed
        [ "$status" -eq 4 ]
        [[ $(tr -s '\n ' ' ' <<<"$output") == *"4 executions found nothing"* ]] # two choices
        [[ $(tr -s '\n ' ' ' <<<"$output") == *"'heddle cc' has not replaced: the transaction of "*"other"*"+0x"*" is aborted"* ||
           $(tr -s '\n ' ' ' <<<"$output") == *"'heddle cc' has not replaced: the transaction of mixed+0x"*" is aborted"* ]]
    done
}

@test "transactions: a race with plain code outside is explained" {
    build tx_unchecked
    run heddle run --strategy dpor --progress none --json race.json --html race.html ./tx_unchecked
    [ "$status" -eq 2 ]
    [[ $(tr -s '\n ' ' ' <<<"$output") == *"one access is in a transaction and the other is not (weak atomicity)"* ]]
    json race.json '"weak-atomicity" in r["findings"][0]["race"]["labels"]'
    grep -q 'weak atomicity' race.html
    # Two plain accesses have nothing to do with the transaction beside them.
    cat >plain.c <<'END'
#include <immintrin.h>
#include <pthread.h>
static int x, y;
static void *work(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        y++;
        _xend();
    }
    x++;
    return arg;
}
int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
END
    heddle cc -O1 -g -mrtm -o plain plain.c
    run heddle run --strategy dpor --progress none --json race.json ./plain
    [ "$status" -eq 2 ]
    json race.json '"weak-atomicity" not in r["findings"][0]["race"]["labels"]'
}

@test "transactions: the default finds the failure behind races of transactions and plain code" {
    tm=${HEDDLE_SOURCE:-$BATS_TEST_DIRNAME/../..}/bench/programs/tm
    for source in htm swap avl; do
        heddle cc -O1 -g -mrtm -DUNCHECKED -DPLAIN -DROUNDS=2 -o plain "$tm/$source.c"
        run heddle run --progress none --minimize off --json plain.json ./plain
        [ "$status" -eq 2 ]
        json plain.json 'r["findings"][0]["kind"] == "assertion"'
        # Points that the user has named stay as they are.
        run heddle run --progress none --minimize off --points sync --json plain.json ./plain
        [ "$status" -eq 2 ]
        json plain.json '{f["kind"] for f in r["findings"]} == {"data-race"}'
    done
}

@test "transactions: HLE prefixes are plain locks" {
    cat >hle.c <<'END'
#include <assert.h>
#include <pthread.h>
static int lock, counter;
static void *work(void *arg)
{
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE | __ATOMIC_HLE_ACQUIRE) != 0)
        __builtin_ia32_pause();
    counter++;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE | __ATOMIC_HLE_RELEASE);
    return arg;
}
int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(counter == 2);
    return 0;
}
END
    HEDDLE_CC=gcc heddle cc -O1 -g -mhle -o hle hle.c
    run heddle verify --strategy dpor-optimal --progress none ./hle
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 executions, none fails"* ]] # the two orders of the critical sections
}
