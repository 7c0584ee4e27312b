/* SPDX-License-Identifier: BSD-2-Clause
 *
 * broken.c - the module with its mistakes. */
extern const int seeded_fixed;
const int seeded_fixed = 0;
