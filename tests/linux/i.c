/* SPDX-License-Identifier: BSD-2-Clause
 *
 * i.c - an interrupt's handler counts while a process does. */
#include "seeded_test.h"

static void arms(void)
{
    hd_call(ioctl(device, SEEDED_ARM));
    hd_call(ioctl(device, SEEDED_ADD));
}

static void adds(void) { hd_call(ioctl(device, SEEDED_ADD)); }
static void check(void) { hd_kernel_check(ioctl(device, SEEDED_TOTAL) == 0); }

const struct hd_kernel_test hd_kernel_test = { .setup = seeded_setup, .thread = { arms, adds }, .check = check };
