/* SPDX-License-Identifier: BSD-2-Clause
 *
 * diverges.c - does something else every time, in a way that Heddle cannot see:
 * it asks the kernel for the time itself.  With "fail", it also fails when the
 * second thread is first. */
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first;

static unsigned long real_nanoseconds(void)
{
    struct timespec now;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_clock_gettime), "D"(CLOCK_MONOTONIC), "S"(&now)
                     : "rcx", "r11", "memory");
    return (unsigned long)now.tv_nsec / 64;
}

static void *worker(void *arg)
{
    echo(real_nanoseconds());
    pthread_mutex_lock(&mutex);
    if (first == 0)
        first = (int)(intptr_t)arg;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(argc < 2 || strcmp(argv[1], "fail") != 0 || first == 1);
    return 0;
}
