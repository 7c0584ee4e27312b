/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel_fills.c - system calls that write into data of the program find it writable.
 * Denied: child processes */
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../conform.h"

static cpu_set_t processors;
static struct sched_param priority;
static uid_t ids[3];
static int status;

int main(void)
{
    IS(pthread_getaffinity_np(pthread_self(), sizeof processors, &processors), 0);
    IS(sched_getparam(0, &priority), 0);
    IS(getresuid(&ids[0], &ids[1], &ids[2]), 0);
    pid_t child = fork();

    if (child == 0)
        _exit(5);
    IS(wait4(child, &status, 0, NULL), child);
    IS(WEXITSTATUS(status), 5);
    return 0;
}
