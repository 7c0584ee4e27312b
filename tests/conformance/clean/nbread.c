/* SPDX-License-Identifier: BSD-2-Clause
 *
 * nbread.c - a loop of reads that do not block ends when something was written.
 * Reduction: threads share pipes, sockets or locks of files
 * Denied: idle rounds of the loop */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include "../conform.h"

int p[2];
sem_t s;
int stop;
void *t1(void *a)
{
    sched_yield();
    sched_yield();
    write(p[1], "x", 1);
    return 0;
}
int main(void)
{
    pthread_t a;
    char c;
    pipe2(p, O_NONBLOCK);
    pthread_create(&a, 0, t1, 0);
    while (read(p[0], &c, 1) < 0 && !stop)
        sched_yield();
    pthread_join(a, 0);
    return 0;
}
