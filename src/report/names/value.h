/* SPDX-License-Identifier: BSD-2-Clause
 *
 * value.h - formats a value by its type: signed and unsigned numbers, booleans, characters, floating point numbers
 * and the constants of an enumeration. */
#ifndef HD_REPORT_NAMES_VALUE_H
#define HD_REPORT_NAMES_VALUE_H

#include "report/names/symbols.h"

enum hd_value_kind {
    HD_VALUE_UNKNOWN, /* debug information does not say what the memory contains */
    HD_VALUE_OPAQUE,  /* a part of a number, a bit field, or a whole object: not a value to print */
    HD_VALUE_TEXT,    /* it was written to buf */
    HD_VALUE_POINTER, /* the caller names what it points to */
    HD_VALUE_STRING,  /* a pointer to characters */
};

/* `bytes` bytes that were read from memory or written there. */
struct hd_bytes {
    uint64_t value;
    unsigned bytes;
};

/* Each function formats the bytes by the type of the memory: at an offset of a module, at an address of the stack,
 * at an address of the heap. */
enum hd_value_kind hd_value_static(struct hd_symbols *s, unsigned module, uint64_t offset,
                                   const struct hd_bytes *b, char *buf, size_t cap);
enum hd_value_kind hd_value_local(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr,
                                  const struct hd_bytes *b, char *buf, size_t cap);
enum hd_value_kind hd_value_heap(struct hd_symbols *s, const struct hd_heap_view *v, uint64_t addr,
                                 const struct hd_bytes *b, char *buf, size_t cap);

#endif
