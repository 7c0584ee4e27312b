/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reorder_3 - bench/programs/sct/reorder.c with two setters and one checker (SCT study,
 * row 21).  Twin: reorder_3_fixed.c. */
#define SETTERS 2
#include "../../../bench/programs/sct/reorder.c"
