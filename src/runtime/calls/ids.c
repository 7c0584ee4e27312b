/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ids.c - calls that change the user or groups of the process (setuid, setgroups …). libc changes
 * the identity of every kernel thread, and asks each thread to do so by a signal.  Donors handle no
 * signals, so libc would wait for ever.  All code of the target runs on one kernel thread (with
 * gdb, on one at a time), so it is enough to change the identity of that thread. */
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/core/ledger.h"
#include "runtime/core/real.h"
#include "runtime/sys/mem.h"

enum { GROUPS = 64 };

struct identity {
    uid_t uid[3], gid[3]; /* real, effective, saved */
    long ngroups;
    gid_t groups[GROUPS];
};

/* Reads the identity of the calling kernel thread.  Unused parts are 0, so that two identities can
 * be compared bytewise. */
static void look(struct identity *now)
{
    hd_mem_zero(now, sizeof *now);
    hd_sys(SYS_getresuid, &now->uid[0], &now->uid[1], &now->uid[2]);
    hd_sys(SYS_getresgid, &now->gid[0], &now->gid[1], &now->gid[2]);
    now->ngroups = hd_sys(SYS_getgroups, GROUPS, now->groups, 0);
}

/* Makes the system call.  A change outlives the execution, so it requires fork isolation. */
static int change(long nr, long a, long b, long c)
{
    static struct identity before, after;

    look(&before);
    long result = hd_sys(nr, a, b, c);

    look(&after);
    hd_sys(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0); /* the kernel clears this setting when the identity
                                                      * changes */
    if (before.ngroups < 0 || !hd_mem_equal(&before, &after, sizeof before))
        hd_needs_fork("it changes its user or groups");
    if (result == 0)
        return 0;
    errno = (int)-result;
    return -1;
}

static int set_groups_of(const char *user, gid_t group)
{
    static gid_t list[GROUPS];
    int n = GROUPS;

    if (HD_REAL(getgrouplist)(user, group, list, &n) < 0)
        n = GROUPS; /* limit them to as many as fit */
    return change(SYS_setgroups, n, (long)list, 0);
}

#define CALLS_IDS
#include "runtime/calls/calls.def"
