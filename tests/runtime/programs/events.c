/* SPDX-License-Identifier: BSD-2-Clause
 *
 * events.c ROUNDS - two threads with 4 * ROUNDS locks and unlocks each, in the middle of which the
 * first must come before the second: that hangs on who came when, all the way there. */
#include <stdlib.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds, halfway;

static void section(int *what, int more)
{
    pthread_mutex_lock(&mutex);
    *what += more;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *second)
{
    int done = 0;

    for (int i = 0; i < rounds; i++) {
        section(&done, 1);
        if (i == rounds / 2) {
            assert(second == NULL || halfway == 1);
            section(&halfway, 1);
        }
        section(&done, -1);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    (void)argc;
    rounds = atoi(argv[1]);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, &halfway);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
