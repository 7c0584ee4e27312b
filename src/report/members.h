/* SPDX-License-Identifier: BSD-2-Clause
 *
 * members.h - which member of a variable lies at an offset of it. */
#ifndef HD_REPORT_MEMBERS_H
#define HD_REPORT_MEMBERS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Append ".queue[3].lock" to buf for the byte `inside` bytes into the variable
 * at address `variable`.  False, and buf as it was, when debug information does
 * not tell. */
bool hd_member_path(Dwfl_Module *m, uint64_t variable, uint64_t inside, char *buf, size_t cap);

#endif
