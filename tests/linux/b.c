/* SPDX-License-Identifier: BSD-2-Clause
 *
 * b.c - unmounting beside the removal of a watch. */
#include "seeded_test.h"

static long watch;

static void setup(void)
{
    seeded_setup();
    watch = ioctl(device, SEEDED_WATCH);
    ioctl(device, SEEDED_WATCH);
}

static void unmounts(void) { hd_call(ioctl(device, SEEDED_UNMOUNT)); }
static void unwatches(void) { hd_call(ioctl(device, SEEDED_UNWATCH, watch)); }

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { unmounts, unwatches } };
