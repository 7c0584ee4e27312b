/* SPDX-License-Identifier: BSD-2-Clause
 *
 * figure41 - four threads with one section each under a single mutex: x = 1; y = 2;
 * and twice: if x is 0, y = the thread's number.
 *
 * Claim: none.  4! = 24 classes, as many as orders of the sections, of which 11
 * remain when the order of sections that do not conflict is left out (lazily). */
#include "classes.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *work(void *arg)
{
    int i = numbered(arg);

    pthread_mutex_lock(&mutex);
    if (i == 0)
        visible_write(x, 1);
    else if (i == 1)
        visible_write(y, 2);
    else if (visible_read(x) == 0)
        visible_write(y, i + 1);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    run_threads(4, work);
    return 0;
}
