/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ids.c - calls that change who the process is (setuid, setgroups …).
 *
 * libc changes every kernel thread's identity, and asks each by a signal to do so.  Donors
 * listen to no signal, so it would wait for ever.  All of the target's code runs on one kernel
 * thread (or, for gdb, one at a time): that one's identity is what counts. */
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/calls/intercept.h"
#include "runtime/core/real.h"
#include "runtime/sys/mem.h"

enum { GROUPS = 64 };

struct identity {
    uid_t uid[3], gid[3]; /* real, effective, saved */
    long ngroups;
    gid_t groups[GROUPS];
};

/* Unused parts are 0, so that two can be compared. */
static void look(struct identity *now)
{
    hd_mem_zero(now, sizeof *now);
    hd_sys(SYS_getresuid, &now->uid[0], &now->uid[1], &now->uid[2]);
    hd_sys(SYS_getresgid, &now->gid[0], &now->gid[1], &now->gid[2]);
    now->ngroups = hd_sys(SYS_getgroups, GROUPS, now->groups, 0);
}

/* The system call; a change outlives the execution. */
static int change(long nr, long a, long b, long c)
{
    static struct identity before, after;

    look(&before);
    long result = hd_sys(nr, a, b, c);

    look(&after);
    hd_sys(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0); /* the kernel takes that back with the identity */
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
        n = GROUPS; /* as many as there is room for */
    return change(SYS_setgroups, n, (long)list, 0);
}

#define CALLS_IDS
#include "runtime/calls/calls.def"
