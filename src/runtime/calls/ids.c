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
#include "runtime/core/mem.h"
#include "runtime/core/real.h"

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

#define CHANGES(name, params, args, nr, a, b, c)             \
    HD_EXPORT int name params                                \
    {                                                        \
        if (hd.cur == NULL)                                  \
            return HD_REAL(name) args;                       \
        return change(nr, (long)(a), (long)(b), (long)(c));  \
    }
CHANGES(setuid, (uid_t u), (u), SYS_setuid, u, 0, 0)
CHANGES(setgid, (gid_t g), (g), SYS_setgid, g, 0, 0)
CHANGES(seteuid, (uid_t u), (u), SYS_setresuid, -1, u, -1)
CHANGES(setegid, (gid_t g), (g), SYS_setresgid, -1, g, -1)
CHANGES(setreuid, (uid_t r, uid_t e), (r, e), SYS_setreuid, r, e, 0)
CHANGES(setregid, (gid_t r, gid_t e), (r, e), SYS_setregid, r, e, 0)
CHANGES(setresuid, (uid_t r, uid_t e, uid_t s), (r, e, s), SYS_setresuid, r, e, s)
CHANGES(setresgid, (gid_t r, gid_t e, gid_t s), (r, e, s), SYS_setresgid, r, e, s)
CHANGES(setgroups, (size_t n, const gid_t *list), (n, list), SYS_setgroups, n, list, 0)

HD_EXPORT int initgroups(const char *user, gid_t group)
{
    static gid_t list[GROUPS];
    int n = GROUPS;

    if (hd.cur == NULL)
        return HD_REAL(initgroups)(user, group);
    if (HD_REAL(getgrouplist)(user, group, list, &n) < 0)
        n = GROUPS; /* as many as there is room for */
    return change(SYS_setgroups, n, (long)list, 0);
}
