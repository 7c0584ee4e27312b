/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check.c - reports a broken invariant and exits at once.  Works everywhere, also in a signal handler of the
 * target. */
#include "base/check.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static long raw_syscall3(long nr, long a, long b, long c)
{
    long ret;

    __asm__ volatile("syscall"
                     : "=a"(ret)
                     : "a"(nr), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return ret;
}

static size_t append(char *buf, size_t at, size_t cap, const char *text)
{
    while (*text != '\0' && at + 1 < cap)
        buf[at++] = *text++;
    return at;
}

void (*hd_invariant_hook)(const char *text, unsigned long n);

_Noreturn void hd_invariant_failed(const char *cond, const char *what,
                                   const char *file, int line)
{
    char buf[512];
    char num[16];
    size_t n = 0, d = sizeof num;

    num[--d] = '\0';
    do
        num[--d] = (char)('0' + line % 10);
    while ((line /= 10) != 0 && d > 0);
    n = append(buf, n, sizeof buf, "heddle: internal error: ");
    n = append(buf, n, sizeof buf, what);
    n = append(buf, n, sizeof buf, " (");
    n = append(buf, n, sizeof buf, cond);
    n = append(buf, n, sizeof buf, ") at ");
    n = append(buf, n, sizeof buf, file);
    n = append(buf, n, sizeof buf, ":");
    n = append(buf, n, sizeof buf, num + d);
    n = append(buf, n, sizeof buf, "\nThis is a bug in Heddle, not in your program.\n");
    if (hd_invariant_hook != NULL)
        hd_invariant_hook(buf, n);
    raw_syscall3(SYS_write, 2, (long)buf, (long)n);
    for (;;)
        raw_syscall3(SYS_exit_group, HD_EXIT_INTERNAL, 0, 0);
}
