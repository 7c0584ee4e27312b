/* SPDX-License-Identifier: BSD-2-Clause
 *
 * In the place of liburcu's header of this name: its port for the compiler's own atomics
 * instead of inline assembly. */
#include <urcu/uatomic/gcc.h>
