#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# estimate.bats - `heddle estimate` on programs whose number of interleavings is known
# (tests/litmus/expected.tsv has the reasons).

load helper

litmus=${HEDDLE_SOURCE:-$BATS_TEST_DIRNAME/../..}/tests/litmus

# program NAME: compile it
program() {
    heddle cc -O1 -I"$litmus" -o "$(basename "$1")" "$litmus/$1.c"
}

# value SECTION KEY: from result.json
value() {
    tr -d '\n' <result.json | grep -o "\"$1\": {[^}]*}" | grep -o "\"$2\": [^,}]*" | sed 's/.*: //'
}

# near SIZE: the mean of the descents is within four standard errors, and these are small
near() {
    awk -v mean="$(value interleavings mean)" -v error="$(value interleavings standard_error)" \
        -v size="$1" 'BEGIN { off = mean > size ? mean - size : size - mean
                              print mean, error, size
                              exit !(off <= 4 * error + 1e-6 && error < size / 20) }'
}

@test "descents measure what dfs counts" {
    while read -r name size; do
        program "study/$name"
        heddle estimate -q --convention study --json result.json "./$name"
        near "$size"
    done <<EOT
account_fixed 28
bluetooth_fixed 147
reorder_3_fixed 184
phase01_fixed 3499
EOT
}

@test "a reduced search that ends is counted, one that does not is estimated" {
    cat >mutex.c <<'EOT'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int rounds;
static void *work(void *arg)
{
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t t[4];
    rounds = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
EOT
    heddle cc -O1 -o mutex mutex.c
    run heddle estimate --json result.json ./mutex 2
    exits 0
    has "all interleavings: about "
    has "with dpor-optimal: 90 executions, counted in "
    [ "$(value reduced exact)" = true ]
    [ "$(value reduced estimate)" = 90 ]
    # (3*9)!/(9!)^3 orders of sections: too many for three seconds
    run heddle estimate --budget 3s --executions 100 --json result.json ./mutex 9
    exits 0
    has "of them in "
    [ "$(value reduced exact)" = false ]
    [ "$(value interleavings probes)" = 100 ]
}

@test "failures are counted, not shown" {
    program study/account
    run heddle estimate --convention study ./account
    exits 0
    has "executions failed on the way"
    [[ "$output" != *reproduce* ]]
    [ ! -e .heddle ]
}

@test "a seed gives one estimate" {
    program study/account_fixed
    for i in 1 2; do
        heddle estimate -q --seed 5 --json result.json ./account_fixed
        value interleavings mean >"mean$i"
    done
    cmp mean1 mean2
    heddle estimate -q --seed 6 --json result.json ./account_fixed
    [ "$(value interleavings mean)" != "$(cat mean1)" ]
}

@test "workers divide the descents and the reduced search" {
    program study/account_fixed
    for jobs in 1 2 3; do
        heddle estimate -q --seed 5 -j$jobs --json result.json ./account_fixed
        # of the sums only the rounding depends on who adds what
        printf '%.6g %s %s\n' "$(value interleavings mean)" "$(value interleavings probes)" "$(value reduced executions)" >"all$jobs"
        [ "$(value reduced exact)" = true ]
    done
    cmp all1 all2
    cmp all1 all3
}

@test "workers that do not end estimate the whole tree" {
    cat >big.c <<'EOT'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < 9; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
EOT
    heddle cc -O1 -o big big.c
    for strategy in dpor-optimal dpor dfs; do
        run heddle estimate --strategy $strategy --budget 2s --executions 100 -j3 --json result.json ./big
        exits 0
        has "of them in "
        [[ "$output" != *siblings* ]]
        [ "$(value reduced exact)" = false ]
        [ "$(value reduced recursive)" = null ]
        # 27!/(9!)^3 is 2.3e11; by weights it is some orders of magnitude either way
        python3 -c 'import sys; v = float(sys.argv[1]); sys.exit(not (1e4 < v < 1e18))' "$(value reduced estimate)"
    done
}

@test "estimate refuses strategies without a tree" {
    run heddle estimate --strategy pct ./t
    exits 1
    has "estimate wants a strategy that searches a tree"
}
