/* SPDX-License-Identifier: BSD-2-Clause
 *
 * own_sections - four threads with a section each of one mutex, in which each changes
 * something of its own.
 *
 * Claim: none.  4! = 24 orders of the sections, which are one order lazily. */
#include "classes.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int own[4];

static void *work(void *arg)
{
    pthread_mutex_lock(&mutex);
    own[numbered(arg)]++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    run_threads(4, work);
    return 0;
}
