/* SPDX-License-Identifier: BSD-2-Clause
 *
 * children.c - ends processes that the target left behind. */
#include "conductor/children.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"

/* Processes to leave alone: inherited children and live targets. */
static pid_t *known;
static size_t nknown;
static pid_t noted_by; /* pid that filled `known`; after a fork the list is not valid */

static void add(pid_t pid)
{
    *HD_PUSH(known, nknown) = pid;
}

static bool is_known(pid_t pid)
{
    for (size_t i = 0; i < nknown; i++)
        if (known[i] == pid)
            return true;
    return false;
}

/* Calls fn for each child of the first thread; no other thread of this process has children.  Returns their
 * number. */
static unsigned each_child(void (*fn)(pid_t))
{
    char path[64];
    int pid;
    unsigned n = 0;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *in = fopen(path, "re");

    while (in != NULL && fscanf(in, "%d", &pid) == 1)
        if (!is_known(pid)) {
            fn(pid);
            n++;
        }
    if (in != NULL)
        fclose(in);
    return n;
}

void hd_children_note(void)
{
    if (noted_by == getpid())
        return;
    noted_by = getpid();
    nknown = 0;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    each_child(add);
}

void hd_children_add(pid_t pid)
{
    add(pid);
}

void hd_children_forget(pid_t pid)
{
    for (size_t i = 0; i < nknown; i++)
        if (known[i] == pid) {
            known[i] = known[--nknown];
            return;
        }
}

/* Kills the process group first: once the leader is reaped, its number may be reused. */
static void end_child(pid_t pid)
{
    if (getpgid(pid) == pid)
        kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

void hd_children_end_others(void)
{
    enum { GENERATIONS = 1000 }; /* gives up on processes that fork faster than they are killed */

    for (int i = 0; i < GENERATIONS && each_child(end_child) > 0; i++)
        continue;
}
