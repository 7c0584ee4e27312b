/* SPDX-License-Identifier: BSD-2-Clause
 *
 * interrupt.h - what the tool adds to the page allocator uses it. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

enum intr_level { INTR_OFF, INTR_ON };

int intr_set_level(int level);

#endif
