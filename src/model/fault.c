/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.c - spelling of the faults. */
#include "model/fault.h"

#include <stddef.h>

const char *const hd_fault_words[HD_FAULTS + 1] = { "malloc", "spurious-wakeup", "trylock", "eintr", "weak-cas",
                                                   NULL };
