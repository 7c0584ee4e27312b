# SPDX-License-Identifier: BSD-2-Clause
#
# --strategy quicksand: many searches over sets of scheduling points share the time.
# shellcheck disable=SC2154 # bats sets output and status
load helper

# Two threads add to a sum: under a lock, or (-DRACE) without.  With WORK they also take the lock so often.
sums() {
    cat >sums.c <<'END'
#include <assert.h>
#include <pthread.h>
#ifndef WORK
#define WORK 0
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum;
static void *add(void *arg)
{
    for (int i = 0; i < WORK; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
#ifndef RACE
    pthread_mutex_lock(&m);
#endif
    sum = sum + 1;
#ifndef RACE
    pthread_mutex_unlock(&m);
#endif
    return arg;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
#ifdef CHECK
    assert(sum == 2);
#endif
    return 0;
}
END
    heddle cc -g -o "$1" "${@:2}" sums.c
}

@test "quicksand proves a small program" {
    sums t -DCHECK
    run heddle run --strategy quicksand ./t
    [ "$status" -eq 0 ]
    has "covers every interleaving of plain accesses"
}

@test "quicksand finds a lost update between plain accesses, and the schedule replays" {
    sums t -DRACE -DCHECK
    run heddle run --strategy quicksand --json r.json ./t
    [ "$status" -eq 2 ]
    has "FOUND assertion"
    run heddle replay
    [ "$status" -eq 2 ]
    has "FOUND assertion"
    python3 -c 'import json; assert "assertion" in [f["kind"] for f in json.load(open("r.json"))["findings"]]'
}

@test "a first finding ends the turns of the others, and a signal those of all" {
    sums t -DRACE -DCHECK -DWORK=12
    run heddle run --strategy quicksand -j 2 --budget 300s --minimize off --json r.json ./t
    [ "$status" -eq 2 ]
    has "FOUND assertion"
    absent "Interrupted" <<<"$output"
    json r.json 'r["seconds"] < 100'
    sums t -DCHECK -DWORK=20
    "$HEDDLE" run --strategy quicksand -j 2 --budget 300s --json r.json ./t >out 2>err 3>&- &
    pid=$!
    eventually grep -q explored err
    kill -TERM $pid
    wait $pid || [ $? -eq 4 ]
    grep -q "Interrupted" out
    grep -q "with --resume continues" err
}

@test "a race without harm is explored to the end" {
    sums t -DRACE
    run heddle verify --strategy quicksand ./t
    [ "$status" -eq 2 ]
    has "no harm comes of them"
}

# Every order in which an update is lost fails, by the assertion that is muted: so the races are harmful.
@test "a failure that is muted still tells of the races" {
    sums t -DRACE -DCHECK
    run heddle verify --points races --mute assertion ./t
    [ "$status" -eq 2 ]
    has "harmful: both orders were seen"
    has "fail with a finding that is"
    [[ $output != *"no harm"* ]]
}

# Two threads of 21 critical sections have 42! / (21! 21!) orders, which are more than 10^11.
# A queue of waiting threads polls plain memory: with racing places as points a reduced search claims nothing there.
@test "a program whose threads poll plain memory is proved at synchronisation alone" {
    heddle cc -O1 -g -o mcs "$BATS_TEST_DIRNAME/../../bench/programs/structures/mcs_lock.c"
    run heddle run --strategy quicksand --budget 30s ./mcs
    [ "$status" -eq 0 ]
    has "none of them race"
}

@test "when the time is up, the table says what was explored" {
    sums t -DCHECK -DWORK=20
    # What cannot be explored is explored up to a bound.  A busy machine needs more time to come so far.
    for budget in 10s 30s 90s; do
        run heddle run --strategy quicksand -j 2 --budget $budget --json r.json ./t
        [ "$status" -eq 4 ]
        has "Sets of scheduling points"
        [[ "$output" != *"verified up to"* ]] || break
    done
    has "verified up to"
    json r.json '[j for j in r["quicksand"]["jobs"] if j["kind"] == "bounded" and j["state"].startswith("explored up to ")]'
    # two workers have their turns at the same time, one of them always at all points
    json r.json 'sum(j["seconds"] for j in r["quicksand"]["jobs"]) > 1.05 * r["quicksand"]["seconds"]'
    # a suspended search is on disk, and holds no memory; of two estimates the larger one is above the other
    json r.json 'all(j["parked"] > 0 for j in r["quicksand"]["jobs"] if j["state"] == "suspended")'
    json r.json 'all(j["seconds_left_least"] <= j["seconds_left"] for j in r["quicksand"]["jobs"] if j["seconds_left"])'
}

# The sets of two threads of 12 critical sections: sampling, the maximal one, and the classes thread, lock, unlock, both.
# The accesses at line 17 do not race, so no search would choose them.
@test "a place that the user adds makes sets of points" {
    sums t -DCHECK -DWORK=20
    run heddle run --strategy quicksand --point-at sums.c:17 --budget 6s --json r.json ./t
    [ "$status" -eq 4 ]
    json r.json '"thread, sums.c:17" in {j["points"] for j in r["quicksand"]["jobs"]}'
}

@test "--maximal proves and does nothing else" {
    sums t -DCHECK
    run heddle verify --strategy quicksand --maximal --json r.json ./t
    [ "$status" -eq 0 ]
    has "covers every interleaving of plain accesses"
    json r.json '{j["kind"] for j in r["quicksand"]["jobs"] if j["executions"] > 0} == {"maximal"}'
    run heddle verify --maximal ./t
    [ "$status" -eq 1 ]
    has "maximal is about"
}

@test "JSON and stats.json have the searches, and choosing among them costs little" {
    sums t -DRACE -DWORK=12
    run heddle run --strategy quicksand --budget 4s --json r.json ./t
    has "Processor time"
    python3 - <<'END'
import json
q = json.load(open("r.json"))["quicksand"]
jobs = {j["points"]: j for j in q["jobs"]}
assert [j["kind"] for j in q["jobs"]][:2] == ["sampling", "maximal"]
assert jobs["thread"]["state"] == "explored" and jobs["thread"]["executions"] > 0, jobs["thread"]
assert jobs["lock, unlock, thread"]["state"] != "explored"
assert all(j["cpu_seconds"] > 0 for j in q["jobs"] if j["executions"] > 0), q["jobs"]
# on a busy machine the searches get little in 4 s, and what the manager does once counts for more
assert q["manager_cpu_seconds"] < max(0.05 * q["cpu_seconds"], 0.06), q
assert "sum" in q["open_races"][0]["places"]
stats = json.load(open(".heddle/stats.json"))
assert stats["strategy"] == "quicksand" and not stats["running"] and "explored" in stats["sets"]
END
}

@test "after Ctrl-C the searches and the open races are listed" {
    sums t -DRACE -DWORK=12
    "$HEDDLE" run --strategy quicksand --budget 60s ./t >out 2>err 3>&- &
    pid=$!
    sleep 3
    kill -TERM $pid
    wait $pid || true
    grep -q "Processor time" out
    grep -q "sum, .* at sums.c:17" out
}

@test "an interrupted campaign continues, and nothing that it has found is lost" {
    sums t -DRACE -DCHECK -DWORK=12
    "$HEDDLE" verify --strategy quicksand --keep-going --minimize off --budget 60s ./t >out 2>err 3>&- &
    pid=$!
    sleep 4
    kill -TERM $pid
    wait $pid || true
    grep -q "with --resume continues" err
    run heddle verify --strategy quicksand --keep-going --minimize off --budget 1s --seed 2 --resume ./t
    [ "$status" -eq 1 ]
    has "option --seed was '1' and is '2' now"
    run heddle verify --strategy quicksand --keep-going --minimize off --budget 1s --resume --json r.json ./t
    [ "$status" -eq 2 ]
    has "the search continues after"
    json r.json '"assertion" in [f["kind"] for f in r["findings"]] and r["resumed"] == 1'
    sums t -DRACE -DCHECK -DWORK=11
    run heddle verify --strategy quicksand --keep-going --minimize off --budget 1s --resume ./t
    [ "$status" -eq 1 ]
    has "has changed"
    run heddle verify --strategy quicksand --budget 10s ./t # without --resume: from the start, and it ends by a bug
    [ "$status" -eq 2 ]
    [ -z "$("$BATS_TEST_DIRNAME/../support/states" .heddle)" ]
}

@test "quicksand refuses what it decides itself" {
    sums t
    for option in "--points all" "--no-points lock" --each "--executions 5" "--races off"; do
        run heddle run --strategy quicksand $option ./t
        [ "$status" -eq 1 ]
        has "quicksand"
    done
    run heddle estimate --strategy quicksand ./t
    [ "$status" -eq 1 ]
}

@test "points that are left out are named, and a schedule obeys them" {
    cat >two.c <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *t(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void)
{
    pthread_t x;
    pthread_create(&x, NULL, t, NULL);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(x, NULL);
    return 0;
}
END
    heddle cc -g two.c -o two
    run heddle verify --no-points lock,unlock ./two
    [ "$status" -eq 0 ]
    has "lock, unlock (--no-points)"
    run heddle verify --no-points unlock ./two
    [ "$status" -eq 2 ]
    has "FOUND deadlock"
    run heddle replay
    [ "$status" -eq 2 ]
    has "FOUND deadlock"
    run heddle verify --strategy dpor-optimal --no-points unlock ./two
    [ "$status" -eq 1 ]
    has "dpor, dfs, ipb or idb"
}

# x is written in two threads, ordered by a flag under the lock: no execution races, and limited happens-before predicts it.
# Twenty critical sections on each side are too many to explore, so the sets have their turns.
@test "predicted races make sets of points" {
    cat >flag.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, flag;
static void *t(void *arg)
{
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    x = 2;
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, t, NULL);
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&m);
        int set = flag;
        pthread_mutex_unlock(&m);
        if (set)
            x = 1;
    }
    pthread_join(a, NULL);
    return 0;
}
END
    heddle cc -g flag.c -o flag
    run heddle run --strategy quicksand --races predict --budget 8s --json r.json ./flag
    [ "$status" -eq 4 ]
    json r.json '{"thread, flag.c:10", "thread, flag.c:25"} <= {j["points"] for j in r["quicksand"]["jobs"]}'
}

@test "the list of races tells initialisation and destruction" {
    cat >life.c <<'END'
#include <pthread.h>
static volatile int x;
static void *use(void *arg) { x = x + 1; return arg; }
static void x_init(void) { x = 1; }
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, use, NULL);
    x_init();
    pthread_join(a, NULL);
    return 0;
}
END
    heddle cc -g life.c -o life
    run heddle verify --json r.json ./life
    [ "$status" -eq 2 ]
    has "the earlier access in an initialisation"
    json r.json 'r["findings"][0]["phase"] == "initialisation"'
}

@test "--dry lists the points of one execution" {
    sums t -DRACE -DWORK=3
    run heddle run --dry ./t
    [ "$status" -eq 0 ]
    grep -qE '^lock +6  mutex lock +sums.c:11$' <<<"$output"   # two threads, three times each
    grep -qE '^unlock +6  mutex unlock +sums.c:12$' <<<"$output"
    grep -qE '^thread +2  thread create +sums.c:27$' <<<"$output"
    grep -qE '^access +[0-9]+  racing access +sums.c:17$' <<<"$output"
    grep -qE '^always +2  thread join +sums.c:29$' <<<"$output"
    run heddle run --dry --each ./t
    [ "$status" -eq 1 ]
}
