/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_scheduling.c - scheduling parameters, affinity and concurrency level can be
 * asked for; they steer nothing here. */
#include <sched.h>

#include "../conform.h"

static void *worker(void *arg)
{
    struct sched_param param;
    cpu_set_t cpus;
    int policy;

    IS(pthread_getschedparam(pthread_self(), &policy, &param), 0);
    IS(pthread_setschedparam(pthread_self(), policy, &param), 0);
    IS(pthread_getaffinity_np(pthread_self(), sizeof cpus, &cpus), 0);
    IS(CPU_COUNT(&cpus) > 0, 1);
    IS(pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus), 0);
    IS(sched_getcpu() >= 0, 1);
    return arg;
}

int main(void)
{
    IS(pthread_setconcurrency(3), 0);
    IS(pthread_getconcurrency(), 3);
    pthread_t t = start(worker, NULL);
    worker(NULL);
    finish(t);
    return 0;
}
