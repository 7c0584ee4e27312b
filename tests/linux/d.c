/* SPDX-License-Identifier: BSD-2-Clause
 *
 * d.c - two connect the same socket: one succeeds, the other one is told that it is connected. */
#include "seeded_test.h"

static long result[2];
static int error[2];

static void connects(int who)
{
    errno = 0;
    result[who] = hd_call(ioctl(device, SEEDED_CONNECT));
    error[who] = errno;
}

static void first(void) { connects(0); }
static void second(void) { connects(1); }

static void check(void)
{
    for (int who = 0; who < 2; who++)
        hd_kernel_check(result[who] == 0 || error[who] == EISCONN);
    hd_kernel_check(result[0] == 0 || result[1] == 0);
}

const struct hd_kernel_test hd_kernel_test = { .setup = seeded_setup, .thread = { first, second }, .check = check };
