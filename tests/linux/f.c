/* SPDX-License-Identifier: BSD-2-Clause
 *
 * f.c - a request that fails, beside its cancellation: it is freed once. */
#include "seeded_test.h"

static void submits(void) { hd_call(ioctl(device, SEEDED_SUBMIT, 1)); }
static void cancels(void) { hd_call(ioctl(device, SEEDED_CANCEL)); }

const struct hd_kernel_test hd_kernel_test = { .setup = seeded_setup, .thread = { submits, cancels } };
