/* SPDX-License-Identifier: BSD-2-Clause
 *
 * itm_alone.c - see itm_alone.h. */
#include "runtime/watch/itm_alone.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "base/sys.h"

static long owner; /* kernel id of the thread in a transaction; 0: none */
static unsigned depth;

void hd_itm_alone_begin(void)
{
    long self = hd_sys(SYS_gettid, 0, 0, 0), none = 0;

    while (__atomic_load_n(&owner, __ATOMIC_RELAXED) != self &&
           !__atomic_compare_exchange_n(&owner, &none, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        none = 0;
        hd_sys(SYS_sched_yield, 0, 0, 0);
    }
    depth++;
}

void hd_itm_alone_commit(void)
{
    if (--depth == 0)
        __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
}

static _Noreturn void stop(const char *text, size_t n)
{
    hd_sys(SYS_write, 2, text, n);
    hd_sys(SYS_kill, hd_sys(SYS_getpid, 0, 0, 0), SIGABRT, 0);
    for (;;)
        hd_sys(SYS_exit_group, 134, 0, 0);
}

_Noreturn void hd_itm_alone_cancel(void)
{
    static const char text[] = "heddle: a transaction cancels itself; without Heddle this program cannot undo it. "
                               "Run it with 'heddle run', or build it without 'heddle cc'.\n";

    stop(text, sizeof text - 1);
}

_Noreturn void hd_itm_alone_act(void)
{
    static const char text[] = "heddle: a transaction registers a function for its end (_ITM_addUserCommitAction, "
                               "_ITM_addUserUndoAction), which is not supported. Build the program without 'heddle cc'.\n";

    stop(text, sizeof text - 1);
}
