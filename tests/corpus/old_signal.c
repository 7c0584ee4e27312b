/* SPDX-License-Identifier: BSD-2-Clause
 *
 * old_signal - a handler for SIGSEGV, set by one of libc's older functions (SETTER).
 *
 * Claim: nothing calls it.  True: the program makes no mistake. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>

#ifndef SETTER
#define SETTER signal
#endif

extern sighandler_t SETTER(int, sighandler_t);
static int large[4096];

static void handler(int number)
{
    (void)number;
    _Exit(9);
}

int main(void)
{
    SETTER(SIGSEGV, handler);
    large[0] = 1;
    return 0;
}
