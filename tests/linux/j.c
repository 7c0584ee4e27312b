/* SPDX-License-Identifier: BSD-2-Clause
 *
 * j.c - a setting is read while it is replaced. */
#include "seeded_test.h"

static long value;

static void sets(void) { hd_call(ioctl(device, SEEDED_SET)); }
static void gets(void) { value = hd_call(ioctl(device, SEEDED_GET)); }
static void check(void) { hd_kernel_check(value == 1); }

const struct hd_kernel_test hd_kernel_test = { .setup = seeded_setup, .thread = { sets, gets }, .check = check };
