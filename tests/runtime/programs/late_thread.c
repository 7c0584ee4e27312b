/* SPDX-License-Identifier: BSD-2-Clause
 *
 * late_thread.c - threads that first appear after hundreds of executions. */
#include "heddle/heddle.h"
#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static __thread int mine = 7;

static void *bump(void *arg)
{
    assert(mine == 7);
    mine++;
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

/* Threads below a thread: their names are new, too. */
static void *family(void *arg)
{
    pthread_t child[4];

    bump(NULL);
    for (int i = 0; i < 4; i++)
        pthread_create(&child[i], NULL, bump, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(child[i], NULL);
    return arg;
}

int main(void)
{
    pthread_t a, b, late[3];
    int expected = 2;

    assert(count == 0 && mine == 7);
    mine = 8;
    pthread_create(&a, NULL, bump, NULL);
    pthread_create(&b, NULL, bump, NULL);
    if (heddle_choose(600) == 17) {
        for (int i = 0; i < 3; i++)
            pthread_create(&late[i], NULL, family, NULL);
        for (int i = 0; i < 3; i++)
            pthread_join(late[i], NULL);
        expected += 3 * 5;
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == expected);
    return 0;
}
