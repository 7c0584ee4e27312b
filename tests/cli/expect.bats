#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Output that is a finding: --expect and --expect-same.
load helper

# Two threads add to a total without care; main prints it.  With an argument they use the lock.
prepare() {
    cat >total.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int careful;

static void *add(void *arg)
{
    if (careful)
        pthread_mutex_lock(&lock);
    atomic_store(&total, atomic_load(&total) + 1);
    if (careful)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[2];

    careful = argc > 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    puts("begin");
    printf("total %d\nend\n", total);
    return 0;
}
C
    heddle cc -g -O1 -o total total.c
    printf 'begin\ntotal 2\nend\n' >right
}

@test "wrong output is a finding, with the lines that differ" {
    prepare
    for verb in run verify; do
        run heddle $verb --expect right --json r.json --html r.html --sarif r.sarif ./total
        exits 2
        has "FOUND wrong-output"
        has "the output differs from the expected one in line 2"
        has "  - total 2"
        has "  + total 1"
        [[ "$output" != *"- end"* ]]
        json r.json 'r["findings"][0]["kind"] == "wrong-output"'
        json r.json 'r["findings"][0]["output"] == {"line": 2, "expected": "total 2\n", "printed": "total 1\n", "cut": False}'
        grep -q "total 1" r.html
        grep -q "wrong-output" r.sarif
    done
}

@test "right output is proved" {
    prepare
    for verb in run verify; do
        run heddle $verb --expect right ./total careful
        exits 0
        run heddle $verb --expect-same ./total careful
        exits 0
    done
}

@test "output that is always wrong is a finding of the first execution" {
    prepare
    printf 'begin\ntotal 3\nend\n' >never
    run heddle verify --expect never --json r.json ./total careful
    exits 2
    json r.json 'r["first_bug_execution"] == 1'
    : >empty
    run heddle verify --expect empty ./total careful
    exits 2
    has "in line 1"
    has "- (nothing more)"
    has "+ begin"
    printf 'begin\ntotal 2\nend\nand more\n' >longer
    run heddle verify --expect longer ./total careful
    exits 2
    has "in line 4"
    has "- and more"
    has "+ (nothing more)"
}

@test "replay, minimize and report know what was expected" {
    prepare
    heddle verify --expect-same -o out ./total || true
    rm -f right
    grep -q '^option expect same$' out/*.heddle
    grep -q '^expected "begin' out/*.heddle
    run heddle replay -o out
    exits 2
    has "differs from that of another execution in line 2"
    run heddle replay --output -o out
    exits 2
    has "total "
    run heddle minimize -o out
    exits 0
    run heddle report -o out --json r.json
    json r.json 'r["findings"][0]["kind"] == "wrong-output"'
    # the program without the mistake passes the same schedule
    sed -i 's/careful = argc > 1/careful = argc >= 1/' total.c
    heddle cc -g -O1 -o total total.c
    run heddle replay -o out
    [ "$status" -ne 2 ]
    [[ "$output" != *"FOUND wrong-output"* ]]
}

@test "with several workers there is one first output" {
    prepare
    run heddle verify -j 2 --expect-same ./total
    exits 2
    has "wrong-output"
    run heddle verify -j 2 --expect-same ./total careful
    exits 0
}

@test "mistakes of the user" {
    prepare
    run heddle run --expect right --expect-same ./total
    exits 1
    has "give one of them"
    run heddle run --expect missing ./total
    exits 1
    has "--expect missing: No such file"
    printf 'a\0b' >zero
    run heddle run --expect zero ./total
    exits 1
    has "zero bytes"
    head -c 1100000 /dev/zero | tr '\0' x >large
    run heddle run --expect large ./total
    exits 1
    has "larger than 1 MiB"
    run heddle run --strategy stress --expect-same ./total
    exits 1
    has "leave them out"
}
