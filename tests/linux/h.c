/* SPDX-License-Identifier: BSD-2-Clause
 *
 * h.c - two locks in two orders. */
#include "seeded_test.h"

static void one(void) { hd_call(ioctl(device, SEEDED_BOTH, 0)); }
static void two(void) { hd_call(ioctl(device, SEEDED_BOTH, 1)); }

const struct hd_kernel_test hd_kernel_test = { .setup = seeded_setup, .thread = { one, two } };
