# SPDX-License-Identifier: BSD-2-Clause
#
# --count: how many happens-before classes, lazy classes and final states a search has reached.
# shellcheck disable=SC2154 # bats sets output and status
load helper

# Figure 4.1 of the thesis on lazy happens-before relations: four threads with one critical section each.  It
# has 24 orders of the sections, each a class of its own, and 11 lazy classes.  The last of the sections that
# write y decides the final state: x is 1, y is 2, 3 or 4.
figure() {
    cat >figure.c <<'END'
#include <pthread.h>
#include <stdint.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *set_x(void *p) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return p; }
static void *set_y(void *p) { pthread_mutex_lock(&m); y = 2; pthread_mutex_unlock(&m); return p; }
static void *look(void *p)
{
    pthread_mutex_lock(&m);
    if (x == 0)
        y = (int)(intptr_t)p;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], NULL, set_x, NULL);
    pthread_create(&t[1], NULL, set_y, NULL);
    pthread_create(&t[2], NULL, look, (void *)3);
    pthread_create(&t[3], NULL, look, (void *)4);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
END
    heddle cc -g -o figure figure.c
}

@test "an exhaustive search reaches all classes, lazy classes and states, with any number of workers" {
    figure
    for how in "dpor" "dpor -j 2" "dpor-optimal" "dfs+cache" "dpor --isolation fork"; do
        # shellcheck disable=SC2086 # several words
        run heddle verify --progress none --points every --count classes,lazy,states --json r.json --strategy $how ./figure
        exits 0
        has "Reached: 24 classes, 11 lazy classes, 3 final states."
        json r.json 'r["reached"] == {"classes": 24, "lazy": 11, "states": 3, "at_least": []}'
    done
}

@test "a lazy reduction leaves classes out, but no lazy class and no state" {
    figure
    run heddle verify --progress none --points every --count classes,lazy,states --json r.json --strategy dpor-lazy ./figure
    exits 0
    json r.json 'r["reached"]["lazy"] == 11 and r["reached"]["states"] == 3'
    # states <= lazy classes <= classes <= executions
    json r.json '11 <= r["reached"]["classes"] <= r["executions"] < 24'
}

@test "a sampler counts what it has met; what is not asked for is not counted" {
    figure
    run heddle run --progress none --strategy random --executions 7 --count classes --json r.json ./figure
    exits 4
    json r.json 'list(r["reached"]) == ["classes", "at_least"] and 1 <= r["reached"]["classes"] <= 7'
    run heddle run --progress none --strategy random --executions 7 --json r.json ./figure
    json r.json '"reached" not in r'
}

@test "a mutex that is tried has an order that lazy classes cannot do without" {
    figure
    sed -i 's/static void \*set_y(void \*p) { pthread_mutex_lock(&m);/static void *set_y(void *p) { if (pthread_mutex_trylock(\&m)) return p;/' figure.c
    heddle cc -g -o figure figure.c
    run heddle verify --progress none --points every --count lazy,states --json r.json ./figure
    has "an unknown number of lazy classes"
    json r.json 'r["reached"]["lazy"] is None and r["reached"]["states"] > 0'
}

@test "lazy classes need the accesses, and native threads have none" {
    figure
    run heddle verify --count lazy ./figure
    exits 1
    has "--points every"
    run heddle run --strategy stress --count states ./figure
    exits 1
    has "--count"
    run heddle run --count clases ./figure
    exits 1
    has "did you mean 'classes'"
}
