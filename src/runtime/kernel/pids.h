/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pids.h - process ids as the target sees them, and the kernel's.
 *
 * I1  The virtual ids (of the target, its threads, its parent) are larger than any id of the
 *     kernel.  If one reaches the kernel, through an unseen call or a program that the target
 *     starts, no process has it.
 * I2  In calls, an id is replaced by the kernel's id; for the target and its threads that is the id of this process.
 *     Signals to the parent, which is Heddle, and to all processes (-1) are refused as the kernel would refuse them,
 *     and named in the verdict.
 * I3  Process groups and sessions are virtual: the target's group begins as its parent's.  In the
 *     kernel each worker is a group of its own, so a child that signals its group reaches its
 *     parent and no process of Heddle. */
#ifndef HD_RUNTIME_KERNEL_PIDS_H
#define HD_RUNTIME_KERNEL_PIDS_H

#include <stdbool.h>
#include <sys/types.h>

/* The result of getpid, equal in every worker and every run.  Ids of the kernel end at 2^22 (I1). */
#define HD_VIRTUAL_PID 4200000
#define HD_VIRTUAL_PARENT (HD_VIRTUAL_PID - 1)

/* Returns the kernel's id for pid (0: the caller); a kernel id is returned unchanged. -1: the
 * parent, or no process. */
pid_t hd_pid_real(pid_t pid);
/* Like hd_pid_real, in place, for a call that must not affect the parent.  Returns false with errno
 * set to error in that case. */
bool hd_pid_allowed(pid_t *pid, int error, const char *why);

/* Translates the target of kill(*pid, number) in place and returns true.  Returns false if no
 * process is to get the signal; *result is then the result of the call (errno is set). */
bool hd_pid_signal(pid_t *pid, int number, int *result);

/* Sets the kernel's id of the process that has started the zygote. */
void hd_pid_conductor_is(pid_t pid);
/* Call in a child forked by the target; parent is the kernel's id of its parent. */
void hd_pid_forked(pid_t parent);
/* In a child forked by the target: returns the virtual id for the parent's id; other ids
 * unchanged. */
pid_t hd_pid_in_child(pid_t pid);
/* In a child forked by the target: returns its parent as getppid reports it.  If the execution has
 * ended before the child, that is a number that no process has: the child must not send its signals
 * to Heddle. */
pid_t hd_pid_parent_of_child(void);

/* Replaces the virtual pid in a path below /proc by "self"; returns other paths unchanged.  The
 * result is valid until the next call. */
const char *hd_pid_path(const char *path);

/* sched_getscheduler and getpriority for ids that are not threads of the target. */
int hd_pid_getscheduler(pid_t pid);
int hd_pid_getpriority(int which, id_t who);

#endif
