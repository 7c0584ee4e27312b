/* SPDX-License-Identifier: BSD-2-Clause
 *
 * syscalls_test.c - the table of system calls is complete, and says of each number one thing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "runtime/hooks/syscalls.h"

/* How often each number has a row. */
static unsigned rows[HD_SYSCALLS];
static const char *names[HD_SYSCALLS];
static enum hd_syscall_class classes[HD_SYSCALLS];
static enum hd_syscall_inside inside[HD_SYSCALLS];

static void put(unsigned nr, const char *name, enum hd_syscall_class class, enum hd_syscall_inside in_libc)
{
    assert_true(nr < HD_SYSCALLS);
    rows[nr]++;
    names[nr] = name;
    classes[nr] = class;
    inside[nr] = in_libc;
}

static int read_table(void **state)
{
    (void)state;
#define HD_SYSCALL(nr, name, class, inside) put(nr, #name, HD_SYSCALL_##class, HD_SYSCALL_##inside);
#define HD_SYSCALL_NONE(first, last)         \
    for (unsigned i = first; i <= last; i++) \
        put(i, "", HD_SYSCALL_UNUSED, HD_SYSCALL_QUIET);
#include "runtime/hooks/syscalls.def"
    return 0;
}

static void every_number_has_one_row(void **state)
{
    (void)state;
    for (unsigned i = 0; i < HD_SYSCALLS; i++)
        if (rows[i] != 1 || classes[i] == HD_SYSCALL_UNKNOWN)
            fail_msg("system call %u has %u rows", i, rows[i]);
}

/* The names are those of this system's headers: a number in the wrong row would be taken for
 * another call. */
static void names_are_the_systems(void **state)
{
    static const struct {
        unsigned nr;
        const char *name;
    } some[] = {
        { SYS_read, "read" }, { SYS_futex, "futex" }, { SYS_clone, "clone" },
        { SYS_openat, "openat" }, { SYS_prlimit64, "prlimit64" }, { SYS_renameat2, "renameat2" },
        { SYS_rseq, "rseq" }, { SYS_clone3, "clone3" }, { SYS_futex_waitv, "futex_waitv" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_string_equal(names[some[i].nr], some[i].name);
    for (unsigned i = 0; i < HD_SYSCALLS; i++)
        for (unsigned k = 0; k < i && names[i][0] != '\0'; k++)
            if (strcmp(names[i], names[k]) == 0)
                fail_msg("%u and %u are both %s", k, i, names[i]);
}

/* What waits, or asks for the time, must not reach the kernel from libc either: all threads would
 * wait, and the answer would be another one in each run. */
static void libc_does_not_wait_unseen(void **state)
{
    static const unsigned waits[] = {
        SYS_futex, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_gettimeofday, SYS_time,
        SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6, SYS_epoll_wait, SYS_epoll_pwait, SYS_pause,
        SYS_sched_yield, SYS_wait4, SYS_waitid, SYS_flock, SYS_getrandom, SYS_fork, SYS_clone,
    };

    (void)state;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        assert_int_equal(classes[waits[i]], HD_SYSCALL_MODELLED);
        assert_int_equal(inside[waits[i]], HD_SYSCALL_LED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_one_row),
        cmocka_unit_test(names_are_the_systems),
        cmocka_unit_test(libc_does_not_wait_unseen),
    };

    return cmocka_run_group_tests(tests, read_table, NULL);
}
