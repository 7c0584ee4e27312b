/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counter.c [wrong] - two clients that add to a counter.  With `wrong`, the read and the write are two critical
 * sections.  The counter begins with the environment variable OFFSET, so that machines can be given different
 * sequential outcomes. */
#include <heddle/linear.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, wrong;

static int add(void)
{
    pthread_mutex_lock(&lock);
    int before = counter;

    if (wrong) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    counter = before + 1;
    pthread_mutex_unlock(&lock);
    return before;
}

static void work(void)
{
    for (int i = 0; i < 3; i++)
        heddle_op("%d", add());
}

int main(int argc, char **argv)
{
    const char *offset = getenv("OFFSET");

    (void)argv;
    wrong = argc > 1;
    counter = offset != NULL ? atoi(offset) : 0;
    heddle_clients(work, work);
    return 0;
}
