/* SPDX-License-Identifier: BSD-2-Clause
 *
 * misc.c - processors, thread ids and other calls about kernel threads.  All fibers share one
 * kernel thread. */
#include <mqueue.h>
#include <netdb.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/misc.h"
#include "runtime/core/ledger.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/hooks/syscalls.h"
#include "runtime/kernel/processor_clock.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/memory_ops.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/tx_cpuid.h"

/* The thread id of main is that of the process, as in a native run. */
pid_t hd_virtual_tid(void)
{
    return (pid_t)(HD_VIRTUAL_PID + hd.cur->slot);
}

/* ---- processors and priorities --------------------------------------------------- */

static int model_getcpu(unsigned *cpu, unsigned *node)
{
    if (cpu != NULL)
        *cpu = 0;
    if (node != NULL)
        *node = 0;
    return 0;
}

/* ---- prctl ------------------------------------------------------------------------ */

int hd_set_name(const char *name)
{
    char *own = hd.exec->threads[hd.cur->tid].name;
    size_t n = 0;

    while (n + 1 < sizeof hd.exec->threads[0].name && name[n] != '\0')
        n++;
    hd_mem_copy(own, name, n);
    own[n] = '\0';
    return 0;
}

/* The death signal that the target has set.  Only the model stores it: the worker must always die
 * with its zygote, because nothing else would end it. */
static struct {
    uint32_t epoch;
    int signal;
} death;

static int death_signal(int option, unsigned long arg)
{
    if (death.epoch != hd.epoch)
        death.signal = 0;
    death.epoch = hd.epoch;
    if (option == PR_SET_PDEATHSIG && arg > 64) {
        errno = EINVAL;
        return -1;
    }
    if (option == PR_SET_PDEATHSIG)
        death.signal = (int)arg;
    else
        *(int *)arg = death.signal;
    return 0;
}

HD_EXPORT int prctl(int option, ...)
{
    unsigned long a[4];
    va_list ap;

    va_start(ap, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(ap, unsigned long);
    va_end(ap);
    if (hd.cur != NULL && option == PR_SET_NAME)
        return hd_attributes_set_name((const char *)a[0], HD_PC);
    if (hd.cur != NULL && option == PR_GET_NAME)
        return NOTED(hd_attributes_get_name((char *)a[0], HD_PC),
                     hd_range_of_call((char *)a[0], result == 0 ? hd_length((char *)a[0]) + 1 : 0, true, pc));
    if (hd.cur != NULL && (option == PR_SET_PDEATHSIG || option == PR_GET_PDEATHSIG))
        return death_signal(option, a[0]);
    if (hd.cur != NULL && (option == PR_SET_TSC || option == PR_GET_TSC)) {
        int error = option == PR_SET_TSC ? hd_processor_clock_set(a[0]) : hd_processor_clock_get((int *)a[0]);

        errno = error != 0 ? error : errno;
        return error != 0 ? -1 : 0;
    }
    if (hd.cur != NULL && (option == PR_GET_CHILD_SUBREAPER || option == PR_GET_TID_ADDRESS))
        hd_snapshot_touch((void *)a[0], sizeof(void *));
    if (hd.cur != NULL)
        hd_syscall_account(SYS_prctl, (const long[]){ option, (long)a[0], (long)a[1], (long)a[2], (long)a[3], 0 },
                           HD_PC);
    return HD_REAL(prctl)(option, a[0], a[1], a[2], a[3]);
}

/* ---- what libc knows of the processor ------------------------------------------------- */

/* Layout of the library's <sys/platform/x86.h>: what cpuid returned, and which features may be used. */
struct cpuid_feature {
    struct hd_cpuid present, usable;
};
const struct cpuid_feature *__x86_get_cpuid_feature_leaf(unsigned leaf);

/* libc executed cpuid before the runtime was loaded (tx_cpuid.h, C5). */
HD_EXPORT const struct cpuid_feature *__x86_get_cpuid_feature_leaf(unsigned leaf)
{
    enum { FEATURES_OF_LEAF_7 = 1 };
    static struct cpuid_feature told;
    const struct cpuid_feature *known = HD_REAL(__x86_get_cpuid_feature_leaf)(leaf);

    if (leaf != FEATURES_OF_LEAF_7 || !hd_tx_used || known == NULL)
        return known;
    told.present = hd_tx_cpuid_told(known->present, hd_tx_told != 0);
    told.usable = hd_tx_cpuid_told(known->usable, hd_tx_told != 0);
    return &told;
}

/* ---- hidden threads ------------------------------------------------------------------ */

/* libc would start a thread of its own, which would run beside the fibers. */
HD_EXPORT int mq_notify(mqd_t queue, const struct sigevent *how)
{
    if (hd.cur == NULL || how == NULL || how->sigev_notify != SIGEV_THREAD)
        return HD_REAL(mq_notify)(queue, how);
    hd_uncontrolled("mq_notify with SIGEV_THREAD fails (ENOSYS)");
    errno = ENOSYS;
    return -1;
}

#define CALLS_MISC
#include "runtime/calls/calls.def"
