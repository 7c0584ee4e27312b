/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fixed.c - the module without its mistakes. */
extern const int seeded_fixed;
const int seeded_fixed = 1;
