/* SPDX-License-Identifier: BSD-2-Clause
 *
 * before.c - a constructor that does what BEFORE_MAIN says, so that main is not reached;
 * without it all is well. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void before(void)
{
    const char *how = getenv("BEFORE_MAIN");

    if (how == NULL)
        return;
    if (strcmp(how, "segv") == 0)
        *(volatile int *)8 = 1;
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "exit") == 0)
        exit(3);
    while (strcmp(how, "loop") == 0)
        continue;
    for (;;)
        pause();
}

int main(void)
{
    return 0;
}
