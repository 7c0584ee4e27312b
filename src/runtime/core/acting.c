/* SPDX-License-Identifier: BSD-2-Clause
 *
 * acting.c - see acting.h. */
#include "runtime/core/acting.h"

uint64_t hd_acting_for[HD_MAX_THREADS];
