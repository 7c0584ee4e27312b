/* SPDX-License-Identifier: BSD-2-Clause
 *
 * syscalls.h - how Heddle treats each system call, in one table.  It serves the trap of calls that
 * bypass the interposers (dispatch.h), the interposed syscall(), and interposers that pass on a
 * request that they do not know.
 *
 * Y1  A number that is not in the table, or whose model cannot be reached from here, is named in
 *     the verdict.
 * Y2  Process ids are virtual: every id is translated before it reaches the kernel. */
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

/* Never returns NULL. */
const struct hd_syscall *hd_syscall_row(long nr);

/* Returns the class of the call with these arguments: a query by a call that can change things is
 * harmless. */
enum hd_syscall_class hd_syscall_judge(long nr, const long a[6]);

/* Handles a system call that a controlled thread makes at pc: models it or passes it on, as the
 * table says.  Returns the kernel's result (errors are negative) and leaves errno unchanged. */
long hd_syscall(long nr, const long a[6], uint64_t pc);
/* Like hd_syscall, for a call that libc makes in a function that is not interposed. */
long hd_syscall_inside(long nr, const long a[6], uint64_t pc);
/* Adds what the verdict must say about a call that an interposer is about to pass on.  Returns the
 * result of a refused call, or 0. */
long hd_syscall_account(long nr, const long a[6], uint64_t pc);

#endif
