/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The mistake of tx_heap.c. */
#define TWICE
#include "tx_heap.c"
