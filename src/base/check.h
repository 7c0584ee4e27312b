/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check.h - invariants that are always checked.  A violation is a bug of Heddle, never of the target or the
 * user: the process prints the place and exits with HD_EXIT_INTERNAL.  The check is async-signal-safe and uses
 * only raw system calls, so the runtime inside the target may use it anywhere. */
#ifndef HD_BASE_CHECK_H
#define HD_BASE_CHECK_H

#define HD_LIKELY(x) __builtin_expect(!!(x), 1)
#define HD_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Exit codes of all commands. */
enum {
    HD_EXIT_CLEAN = 0,
    HD_EXIT_USAGE = 1,
    HD_EXIT_FINDING = 2,
    HD_EXIT_INTERNAL = 3,
    HD_EXIT_BUDGET = 4,
    HD_EXIT_DIVERGED = 5,
    HD_EXIT_SKIPPED = 77,
};

#define HD_INVARIANT(cond, what)                                          \
    do {                                                                  \
        if (HD_UNLIKELY(!(cond)))                                         \
            hd_invariant_failed(#cond, what, __FILE__, __LINE__);         \
    } while (0)

/* If not NULL, called with the message before the exit.  The standard error of the target is captured, so the
 * runtime uses this to store the message where the tool finds it. */
extern void (*hd_invariant_hook)(const char *text, unsigned long n);

_Noreturn void hd_invariant_failed(const char *cond, const char *what,
                                   const char *file, int line);

#endif
