/* SPDX-License-Identifier: BSD-2-Clause
 *
 * a.c - the last close of a pipe-like device beside an open. */
#include "seeded_test.h"

static int held, opened;

static void setup(void)
{
    seeded_setup();
    held = open("/dev/seeded-pipe", O_RDWR);
}

static void closes(void) { hd_call(close(held)); }
static void opens(void) { opened = (int)hd_call(open("/dev/seeded-pipe", O_RDWR)); }

static void check(void)
{
    hd_kernel_check(opened >= 0);
    close(opened);
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { closes, opens }, .check = check };
