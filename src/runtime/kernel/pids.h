/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pids.h - numbers of processes: those that the target sees, and the kernel's.
 *
 * I1  The numbers that are made up (the target itself, its threads, its parent) are larger than
 *     any that the kernel gives.  Where one reaches the kernel all the same, by a call that nobody
 *     sees or through a program that the target starts, no process has it.
 * I2  A call that takes a number gets the kernel's in its place: for the target and its threads
 *     that of this process.  The parent, which is Heddle, and everybody at once (-1) are refused as
 *     the kernel would refuse them, and named in the verdict.
 * I3  Groups and sessions are made up altogether: the target's own begins as its parent's.  Each
 *     worker is a group of its own in the kernel, so that a child that signals its group
 *     reaches its parent and none of Heddle's. */
#ifndef HD_RUNTIME_KERNEL_PIDS_H
#define HD_RUNTIME_KERNEL_PIDS_H

#include <stdbool.h>
#include <sys/types.h>

/* What getpid gives: the same in every worker and every run.  The kernel's end at 2^22 (I1). */
#define HD_VIRTUAL_PID 4200000
#define HD_VIRTUAL_PARENT (HD_VIRTUAL_PID - 1)

/* The kernel's number for pid, of which 0 means the caller: one that the kernel knows is itself.
 * -1: it is the parent, or nobody. */
pid_t hd_pid_real(pid_t pid);
/* The same for a call that may not touch the parent; errno is set to error then. */
bool hd_pid_allowed(pid_t *pid, int error, const char *why);

/* Whom kill(*pid, number) is to reach: true with the kernel's number in *pid.  False: nobody, and
 * *result is what the call returns (errno is set). */
bool hd_pid_signal(pid_t *pid, int number, int *result);

/* This process is a child that the target has forked: its parent's number is known here. */
void hd_pid_forked(pid_t parent);
/* In such a child, the number that stands for its parent; others as they are. */
pid_t hd_pid_in_child(pid_t pid);
/* ... and what it sees as its parent's. */
pid_t hd_pid_parent_of_child(void);

/* A name below /proc of the target itself, by its number, as one below /proc/self; others as they
 * are.  Holds until the next call. */
const char *hd_pid_path(const char *path);

/* sched_getscheduler and getpriority of what is no thread of the target. */
int hd_pid_getscheduler(pid_t pid);
int hd_pid_getpriority(int which, id_t who);

#endif
