/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signals.c - blocks the user's signals. */
#include "conductor/signals.h"

#include <stddef.h>
#include <time.h>

void hd_signals_ours(sigset_t *out)
{
    sigemptyset(out);
    sigaddset(out, SIGINT);
    sigaddset(out, SIGTERM);
    sigaddset(out, SIGHUP);
    sigaddset(out, SIGQUIT);
}

void hd_signals_hold(sigset_t *before)
{
    sigset_t ours;

    hd_signals_ours(&ours);
    sigprocmask(SIG_BLOCK, &ours, before);
}

bool hd_signals_wait(void)
{
    sigset_t waiting;

    sigpending(&waiting);
    return sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1 ||
           sigismember(&waiting, SIGHUP) == 1 || sigismember(&waiting, SIGQUIT) == 1;
}

bool hd_signals_take(void)
{
    struct timespec now = { 0, 0 };
    sigset_t ours;
    bool some = false;

    hd_signals_ours(&ours);
    while (sigtimedwait(&ours, NULL, &now) > 0)
        some = true;
    return some;
}
