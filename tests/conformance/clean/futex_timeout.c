/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_timeout.c - futex waits time out: relative, and absolute with a bit set. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../conform.h"

static int word;

int main(void)
{
    struct timespec relative = {.tv_nsec = 2000000};
    struct timespec end = in_ms(CLOCK_MONOTONIC, 2), later = in_ms(CLOCK_MONOTONIC, 5);

    FAILS(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &relative, NULL, 0), ETIMEDOUT);
    IS(reached(CLOCK_MONOTONIC, end), 1);
    FAILS(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &later, NULL,
                  FUTEX_BITSET_MATCH_ANY),
          ETIMEDOUT);
    IS(reached(CLOCK_MONOTONIC, later), 1);
    FAILS(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 1, &later, NULL, FUTEX_BITSET_MATCH_ANY),
          EAGAIN);
    return 0;
}
