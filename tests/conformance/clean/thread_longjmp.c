/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_longjmp.c - longjmp within a thread, over calls and over a held lock, with
 * switches in between. */
#include <setjmp.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static __attribute__((noinline)) void leap(jmp_buf back)
{
    IS(pthread_mutex_lock(&m), 0);
    x++;
    longjmp(back, 5);
}

static void *worker(void *arg)
{
    jmp_buf back;
    int rc = setjmp(back);

    if (rc == 0)
        leap(back);
    IS(rc, 5);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    worker(NULL);
    finish(t);
    IS(x, 2);
    return 0;
}
