/* SPDX-License-Identifier: BSD-2-Clause
 *
 * new_delete_fixed.cc - the lock is held over both, and the pointer is checked. */
#define FIXED
#include "new_delete_bug.cc"
