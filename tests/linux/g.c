/* SPDX-License-Identifier: BSD-2-Clause
 *
 * g.c - one waits until the other one lets it go on. */
#include "seeded_test.h"

static void takes(void) { hd_call(ioctl(device, SEEDED_TAKE)); }
static void posts(void) { hd_call(ioctl(device, SEEDED_POST)); }

const struct hd_kernel_test hd_kernel_test = { .setup = seeded_setup, .thread = { takes, posts } };
