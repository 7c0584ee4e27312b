/* SPDX-License-Identifier: BSD-2-Clause
 *
 * c.c - two accounts in /proc, between which money is moved: the sum never changes. */
#include "seeded_test.h"

static char text[64];

static void reads(void)
{
    int fd = (int)hd_call(open("/proc/seeded", O_RDONLY));
    long n = hd_call(read(fd, text, sizeof text - 1));

    text[n > 0 ? n : 0] = '\0';
    close(fd);
}

static void moves(void) { hd_call(ioctl(device, SEEDED_MOVE, 30)); }

static void check(void)
{
    long first = 0, second = 0;

    hd_kernel_check(sscanf(text, "%ld %ld", &first, &second) == 2);
    hd_kernel_check(first + second == 100);
}

const struct hd_kernel_test hd_kernel_test = { .setup = seeded_setup, .thread = { reads, moves }, .check = check };
