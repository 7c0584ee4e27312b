/* SPDX-License-Identifier: BSD-2-Clause
 *
 * radbench_bug1 - threads that each open a context of a script engine, look up
 * names in the engine's hash table and close the context again; the first makes the
 * table, the last destroys it (SCT study, row 43: radbench.bug1, of which is public
 * that SpiderMonkey uses a hash table after it was destroyed).
 *
 * Claim: no thread uses the table after it was destroyed.  Defect: that one is the
 * last is decided under the engine's lock, but the table is destroyed after it was
 * given back; one that comes in between finds the table and uses it.  The pointer
 * to the table races and is visible.  Shorter than the study's run (21,889 points).
 * Fix: the table is destroyed under the lock under which that was decided. */
#include "../program.h"

enum { THREADS = 3, ROUNDS = 2, LOOKUPS = 6, BUCKETS = 4 };

struct table {
    pthread_mutex_t lock;
    int names[BUCKETS];
};

static pthread_mutex_t engine_lock = PTHREAD_MUTEX_INITIALIZER;
static int contexts;
static struct table *table;

static void make_table(void)
{
    struct table *made = calloc(1, sizeof *made);

    pthread_mutex_init(&made->lock, NULL);
    visible_write(table, made);
}

static void destroy_table(void)
{
    struct table *old = visible_read(table);

    visible_write(table, NULL);
    pthread_mutex_destroy(&old->lock);
    free(old);
}

static struct table *open_context(void)
{
    pthread_mutex_lock(&engine_lock);
    contexts++;
    if (!visible_read(table))
        make_table();
    pthread_mutex_unlock(&engine_lock);
    return visible_read(table);
}

static void close_context(void)
{
    bool last;

    pthread_mutex_lock(&engine_lock);
    last = --contexts == 0;
#ifdef FIXED
    if (last)
        destroy_table();
    pthread_mutex_unlock(&engine_lock);
#else
    pthread_mutex_unlock(&engine_lock);
    if (last)
        destroy_table();
#endif
}

static void look_up(struct table *t, int name)
{
    pthread_mutex_lock(&t->lock);
    t->names[name % BUCKETS]++;
    pthread_mutex_unlock(&t->lock);
}

static void *script(void *arg)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct table *t = open_context();

        assert(t != NULL);
        for (int i = 0; i < LOOKUPS; i++)
            look_up(t, number_of(arg) + i);
        close_context();
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn_numbered(script, i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}
