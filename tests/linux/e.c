/* SPDX-License-Identifier: BSD-2-Clause
 *
 * e.c - two append to a file: its size is the sum. */
#include "seeded_test.h"

static void four(void) { hd_call(ioctl(device, SEEDED_APPEND, 4)); }
static void eight(void) { hd_call(ioctl(device, SEEDED_APPEND, 8)); }
static void check(void) { hd_kernel_check(ioctl(device, SEEDED_SIZE) == 12); }

const struct hd_kernel_test hd_kernel_test = { .setup = seeded_setup, .thread = { four, eight }, .check = check };
