/* SPDX-License-Identifier: BSD-2-Clause
 *
 * realloc_bug.c - one thread keeps the address of a table that another one makes
 * larger. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;
static int seen;

static void *user(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    int *mine = table;

    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#ifdef FIXED
    mine = table;
#endif
    seen = mine[1];
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    table = calloc(4, sizeof *table);
    table[1] = 5;
    pthread_t t = spawn(user);

    pthread_mutex_lock(&lock);
    table = realloc(table, 8 * sizeof *table);
    pthread_mutex_unlock(&lock);
    join(t);
    int wrong = seen != 5;

    free(table);
    return wrong;
}
