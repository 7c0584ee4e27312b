/* SPDX-License-Identifier: BSD-2-Clause
 *
 * used_block.h - the message of a misuse of the heap. */
#ifndef HD_REPORT_EVIDENCE_USED_BLOCK_H
#define HD_REPORT_EVIDENCE_USED_BLOCK_H

#include "report/evidence/report.h"

/* Writes "T2 writes it->refcount at cache.c:92, at offset 8 of a block of 64 bytes that T1 has freed at
 * cache.c:54".  This is the runtime's message with places added and, if memory was used, with its name instead of
 * its size ("4 bytes"). */
void hd_used_block_message(const struct hd_report *r, char *buf, size_t cap);

#endif
