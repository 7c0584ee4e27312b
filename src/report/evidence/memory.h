/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.h - names of the target's memory in a finding. */
#ifndef HD_REPORT_EVIDENCE_MEMORY_H
#define HD_REPORT_EVIDENCE_MEMORY_H

#include "report/evidence/report.h"
#include "report/names/value.h"

struct hd_memory {
    char name[256]; /* "accounts[3].lock", "l->len" */
    char type[128]; /* in C syntax; "" if unknown */
    char function[128]; /* a local variable: its function; otherwise "" */
};

/* Names the memory at an address, whose canonical name is `name`.  If debug information does not know it, writes a
 * name made of thread and offset and returns false. */
bool hd_memory_name(const struct hd_report *r, hd_cname name, uint64_t addr, struct hd_memory *out);

/* Like hd_memory_name, without debug information. */
void hd_memory_unnamed(const struct hd_report *r, hd_cname name, uint64_t addr, struct hd_memory *out);

/* Writes bytes of that memory as a value of its type. */
enum hd_value_kind hd_memory_value(const struct hd_report *r, hd_cname name, uint64_t addr,
                                   const struct hd_bytes *b, char *buf, size_t cap);

/* Returns the address of a canonical name in the heap. */
uint64_t hd_memory_heap_address(hd_cname name);

/* Returns the heap block around the address, or NULL if it is unknown. */
const struct hd_block_info *hd_memory_block(const struct hd_report *r, uint64_t addr);

/* Writes the block around the address as the value of a pointer: "node#2", "char+4".  Different blocks
 * have different texts.  Returns false if the block is unknown. */
bool hd_memory_block_text(const struct hd_report *r, uint64_t addr, char *buf, size_t cap);

#endif
