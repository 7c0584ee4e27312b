/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wronglock_3 - bench/programs/sct/wronglock.c with three others (SCT study, row 30).
 * Twin: wronglock_3_fixed.c. */
#define OTHERS 3
#include "../../../bench/programs/sct/wronglock.c"
