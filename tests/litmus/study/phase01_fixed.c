/* SPDX-License-Identifier: BSD-2-Clause
 *
 * phase01_fixed - phase01 with the missing unlock put in.
 *
 * Claim: both threads finish.  True.  Twin: phase01.c. */
#include "../litmus.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int arrived, done;

static void *work(void *arg)
{
    pthread_mutex_lock(&first);
    arrived++;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&first);
    arrived--;
    pthread_mutex_unlock(&first);

    pthread_mutex_lock(&second);
    done++;
    pthread_mutex_unlock(&second);
    pthread_mutex_lock(&second);
    done--;
    pthread_mutex_unlock(&second);
    return arg;
}

int main(void)
{
    pthread_t a = spawn(work);
    pthread_t b = spawn(work);

    join(a);
    join(b);
    return 0;
}
