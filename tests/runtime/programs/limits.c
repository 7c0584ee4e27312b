/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limits.c - executions of a size that no table of Heddle's is made for.  Nothing
 * is wrong with any of them. */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void *nothing(void *arg)
{
    return arg;
}

static void fences(void)
{
    for (int i = 0; i < 9000000; i++)
        atomic_thread_fence(memory_order_seq_cst);
}

static void inits(void)
{
    pthread_mutex_t m;

    for (int i = 0; i < 9000000; i++)
        pthread_mutex_init(&m, NULL);
}

static void choices(void)
{
    for (int i = 0; i < 5000000; i++)
        heddle_choose(2);
}

/* ---- a condition variable for each of many hand-overs ----------------------------- */

enum { ROUNDS = 4200 };

static struct turn {
    pthread_mutex_t m;
    pthread_cond_t c;
    int mine;
} turns[2 * ROUNDS];

static void give(struct turn *t)
{
    pthread_mutex_lock(&t->m);
    t->mine = 1;
    pthread_cond_signal(&t->c);
    pthread_mutex_unlock(&t->m);
}

static void await(struct turn *t)
{
    pthread_mutex_lock(&t->m);
    while (!t->mine)
        pthread_cond_wait(&t->c, &t->m);
    pthread_mutex_unlock(&t->m);
}

static void *player(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        give(&turns[2 * i]);
        await(&turns[2 * i + 1]);
    }
    return arg;
}

static void conditions(void)
{
    pthread_t t;

    for (int i = 0; i < 2 * ROUNDS; i++) {
        pthread_mutex_init(&turns[i].m, NULL);
        pthread_cond_init(&turns[i].c, NULL);
    }
    pthread_create(&t, NULL, player, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        await(&turns[2 * i]);
        give(&turns[2 * i + 1]);
    }
    pthread_join(t, NULL);
}

/* ---- objects, threads ---------------------------------------------------------------- */

static atomic_int cells[1200000];

static void objects(int n)
{
    for (int i = 0; i < n; i++)
        atomic_store(&cells[i], 1);
}

static void threads(void)
{
    pthread_t t;

    for (int i = 0; i < 1400; i++) {
        int rc = pthread_create(&t, NULL, nothing, NULL);

        assert(rc == 0);
        pthread_join(t, NULL);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "fences") == 0)
        fences();
    else if (strcmp(what, "inits") == 0)
        inits();
    else if (strcmp(what, "choices") == 0)
        choices();
    else if (strcmp(what, "conditions") == 0)
        conditions();
    else if (strcmp(what, "objects") == 0)
        objects(atoi(argv[2]));
    else if (strcmp(what, "threads") == 0)
        threads();
    else
        abort();
    return 0;
}
