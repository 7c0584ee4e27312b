/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sys.h - raw system calls: no interposer sees them, and they do not set errno. */
#ifndef HD_BASE_SYS_H
#define HD_BASE_SYS_H

static inline long hd_sys6(long nr, long a, long b, long c, long d, long e, long f)
{
    long ret;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;

    __asm__ volatile("syscall"
                     : "=a"(ret)
                     : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return ret;
}
#define hd_sys(nr, a, b, c) hd_sys6((nr), (long)(a), (long)(b), (long)(c), 0, 0, 0)

#endif
