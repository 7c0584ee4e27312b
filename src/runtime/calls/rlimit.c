/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rlimit.c - resource limits of the process.  They are restored after the execution.  The model
 * keeps limits of memory and never passes them to the kernel: most of the memory belongs to the
 * runtime, which needs thousands of times as much as the program. */
#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/core/execution.h"
#include "runtime/core/ledger.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/hooks/syscalls.h"
#include "runtime/kernel/pids.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/restore/process.h"

static struct {
    bool changed;
    struct rlimit before;
} limits[RLIMIT_NLIMITS];
static bool any;

static struct held {
    uint32_t epoch; /* the execution that has set it */
    struct rlimit value;
} of_memory, of_data;

/* Returns the entry of a limit that the model keeps, or NULL if the kernel keeps it. */
static struct held *held(unsigned what)
{
    return hd.cur == NULL ? NULL : what == RLIMIT_AS ? &of_memory : what == RLIMIT_DATA ? &of_data : NULL;
}

static bool is_set(const struct held *h)
{
    return h != NULL && h->epoch == hd.epoch;
}

static int hold(struct held *h, const struct rlimit *r)
{
    if (r->rlim_cur > r->rlim_max) {
        errno = EINVAL;
        return -1;
    }
    *h = (struct held){ hd.epoch, *r };
    if (r->rlim_cur != RLIM_INFINITY)
        hd_uncontrolled(h == &of_memory ? "the limit of memory that it sets (RLIMIT_AS) is not enforced"
                                        : "the limit of memory that it sets (RLIMIT_DATA) is not enforced");
    return 0;
}

static int set(__rlimit_resource_t what, const struct rlimit *limit, uint64_t pc)
{
    unsigned i = (unsigned)what;
    struct rlimit before, after;
    struct held *h = held(i);

    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_LIMITS, pc);
    if (h != NULL)
        return hold(h, limit);
    if (hd.cur == NULL || i >= RLIMIT_NLIMITS || hd_sys(SYS_getrlimit, i, &before, 0) != 0)
        return HD_REAL(setrlimit)(what, limit);
    if (!limits[i].changed) {
        limits[i].before = before;
        limits[i].changed = any = hd_changes.kernel = true;
    }
    int rc = HD_REAL(setrlimit)(what, limit);

    /* Only a privileged process can raise a hard limit again. */
    if (hd_sys(SYS_getrlimit, i, &after, 0) == 0 && after.rlim_max < before.rlim_max) {
        hd_needs_fork("it lowers a hard limit (setrlimit)");
        hd_execution_taint(); /* also if the user asked for isolation in process */
    }
    return rc;
}

static int get(__rlimit_resource_t what, struct rlimit *limit, uint64_t pc)
{
    const struct held *h = held((unsigned)what);

    hd_io_writes(limit, sizeof *limit);
    hd_state_use(HD_EV_STATE_READ, HD_STATE_LIMITS, pc);
    if (!is_set(h))
        return HD_REAL(getrlimit)(what, limit);
    *limit = h->value;
    return 0;
}

/* prlimit.  Unlike with setrlimit, changes of limits that the kernel keeps are not undone. */
static int change(pid_t pid, __rlimit_resource_t what, const struct rlimit *r, struct rlimit *old, uint64_t pc)
{
    struct held *h = held((unsigned)what);

    if (hd.cur == NULL)
        return HD_REAL(prlimit)(pid, what, r, old);
    hd_io_writes(old, sizeof *old);
    if (!hd_pid_allowed(&pid, EPERM, "prlimit of the parent process, which is Heddle: refused"))
        return -1;
    if (h != NULL && (pid == 0 || pid == (pid_t)hd_sys(SYS_getpid, 0, 0, 0))) {
        if (old != NULL && get(what, old, pc) != 0)
            return -1;
        return r != NULL ? set(what, r, pc) : 0;
    }
    hd_syscall_account(SYS_prlimit64, (const long[]){ pid, what, (long)r, 0, 0, 0 }, pc);
    return HD_REAL(prlimit)(pid, what, r, old);
}

void hd_limits_restore(void)
{
    for (unsigned i = 0; any && i < RLIMIT_NLIMITS; i++)
        if (limits[i].changed) {
            hd_sys(SYS_setrlimit, i, &limits[i].before, 0);
            limits[i].changed = false;
        }
    any = false;
}

#define CALLS_RLIMIT
#include "runtime/calls/calls.def"
