/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The twin of tx_unchecked. */
#define CHECKED
#include "tx_unchecked.c"
