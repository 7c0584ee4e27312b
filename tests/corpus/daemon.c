/* SPDX-License-Identifier: BSD-2-Clause
 *
 * daemon - leaves its parent by daemon(), then starts threads.
 *
 * Claim: no increment is lost.  True; another process continues the program. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    if (daemon(1, 1) != 0)
        return 1;
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    return sum != 6;
}
