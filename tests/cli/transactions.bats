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
