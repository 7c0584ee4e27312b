/* SPDX-License-Identifier: BSD-2-Clause
 *
 * syscalls.h - the one table of system calls: what Heddle makes of each.  It serves the trap of
 * calls that pass by the interposers (dispatch.h), the interposed syscall(), and interposers that
 * pass something on that they do not know.
 *
 * Y1  A number that is not in the table, or whose model cannot be reached from here, is named.
 * Y2  Numbers of processes are virtual: none reaches the kernel as it is. */
#ifndef HD_RUNTIME_HOOKS_SYSCALLS_H
#define HD_RUNTIME_HOOKS_SYSCALLS_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_SYSCALLS = 461 };

enum hd_syscall_class {
    HD_SYSCALL_UNKNOWN,
    HD_SYSCALL_MODELLED,
    HD_SYSCALL_HARMLESS,
    HD_SYSCALL_FORK,
    HD_SYSCALL_OUTSIDE,
    HD_SYSCALL_REFUSED,
    HD_SYSCALL_UNUSED,
};

enum hd_syscall_inside { HD_SYSCALL_NAMED, HD_SYSCALL_QUIET, HD_SYSCALL_LED };

struct hd_syscall {
    const char *name;
    uint8_t class;  /* enum hd_syscall_class */
    uint8_t inside; /* enum hd_syscall_inside */
};

/* Never NULL. */
const struct hd_syscall *hd_syscall_row(long nr);

/* The same call by a function of a library that is told what to do by its arguments: a query of
 * a call that changes things is harmless. */
enum hd_syscall_class hd_syscall_judge(long nr, const long a[6]);

/* A controlled thread makes this call at pc.  By its model, or passed on as the table says; the
 * result is the kernel's (an error is negative), errno stays. */
long hd_syscall(long nr, const long a[6], uint64_t pc);
/* The same of a call that a function of libc makes which nobody interposes. */
long hd_syscall_inside(long nr, const long a[6], uint64_t pc);
/* An interposer is about to pass this on: say what there is to say.  The result of a call that is
 * refused, or 0. */
long hd_syscall_account(long nr, const long a[6], uint64_t pc);

/* The models (raw.c), by the interposers of libc's functions: they set errno.  *known:
 * there is one. */
long hd_raw(long nr, const long a[6], uint64_t pc, bool *known);
long hd_raw_futex(const long a[6], uint64_t pc);

#endif
