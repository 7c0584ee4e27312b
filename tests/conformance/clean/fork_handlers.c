/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fork_handlers.c - pthread_atfork: before fork in reverse order, after it in order.
 * Denied: child processes */
#include <sys/wait.h>
#include <unistd.h>

#include "../conform.h"

static int trace;

#define HANDLER(name, digit)                  \
    static void name(void)                    \
    {                                         \
        trace = trace * 10 + (digit);         \
    }
HANDLER(prepare1, 1)
HANDLER(prepare2, 2)
HANDLER(parent1, 3)
HANDLER(parent2, 4)
HANDLER(child1, 5)
HANDLER(child2, 6)

int main(void)
{
    int status = 0;

    IS(pthread_atfork(prepare1, parent1, child1), 0);
    IS(pthread_atfork(prepare2, parent2, child2), 0);
    pid_t pid = fork();

    if (pid == 0)
        _exit(trace == 2156 ? 0 : 1);
    IS(trace, 2134);
    IS(waitpid(pid, &status, 0), pid);
    IS(status, 0);
    return 0;
}
