/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mem.c - see mem.h. */
#include "runtime/sys/mem.h"

uintptr_t hd_own_next __attribute__((visibility("hidden"))) = HD_OWN_BASE;
