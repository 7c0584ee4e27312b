/* SPDX-License-Identifier: BSD-2-Clause
 *
 * members.h - finds the member of a variable at an offset, and its type. */
#ifndef HD_REPORT_NAMES_MEMBERS_H
#define HD_REPORT_NAMES_MEMBERS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/names/symbols.h"

/* Appends ".queue[3].lock" to buf for the byte at offset `inside` of the variable, and writes its
 * type to `type`, which may be NULL.  Returns false and leaves both unchanged if the debug
 * information lacks the member. */
bool hd_member_path(Dwarf_Die *variable, uint64_t inside, char *buf, size_t cap, char *type,
                    size_t type_cap);

/* Like hd_member_path, for a type instead of a variable.  `text` becomes "" if the path is
 * empty. */
bool hd_member_of_type(Dwarf_Die *type, uint64_t inside, char *buf, size_t cap, char *text,
                       size_t text_cap);

/* Sets *leaf to the type of the member at offset `inside` of the type, without typedefs and qualifiers.
 * The member of a container or of another class of the library is the whole object.  Returns false if debug
 * information lacks the member, or if it is a bit field. */
bool hd_type_at(Dwarf_Die *type, uint64_t inside, Dwarf_Die *leaf);

/* Appends the path of a pointer at offset `inside` of the type, and sets *pointee to the type that it
 * points to.  The pointer may be inside a smart pointer or a container.  Returns false and leaves buf
 * unchanged if there is no pointer. */
bool hd_member_pointee(Dwarf_Die *type, uint64_t inside, char *buf, size_t cap, Dwarf_Die *pointee);

/* Sets *type to the type of a variable, member or pointer, without typedefs and qualifiers.  Returns
 * false if it has none. */
bool hd_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* Sets *type to the first type argument of a class or function template.  Returns false if it has
 * none. */
bool hd_type_argument(Dwarf_Die *of, Dwarf_Die *type);

/* Finds the variable at that address.  Returns false if there is none in the first MAX_UNITS
 * translation units (members.c). */
bool hd_member_variable(Dwfl_Module *m, uint64_t addr, Dwarf_Die *out);

/* Writes the type of a variable or member in C syntax: "volatile int", "struct node *". */
void hd_type_text(Dwarf_Die *of, char *buf, size_t cap);

/* Finds the variable or parameter at stack address `addr` in the frame, its function (which may be
 * inlined), and the offset of `addr` inside the variable.  Returns false if there is none. */
bool hd_local_find(Dwfl_Module *m, const struct hd_local_frame *f, uint64_t addr, Dwarf_Die *out,
                   Dwarf_Die *function, uint64_t *inside);

/* A static variable at an offset of a module. */
struct hd_static {
    const char *name;   /* valid until hd_symbols_close */
    bool typed;         /* debug information describes it as `variable` */
    Dwarf_Die variable;
    uint64_t inside;    /* offset in the variable */
};
bool hd_static_find(struct hd_symbols *s, unsigned module, uint64_t offset, struct hd_static *out);

/* Sets *type to the type of the object at an address of the heap (an element of the block around
 * it), and *inside to the offset of the address in that object.  Returns false if it is unknown. */
bool hd_block_type(struct hd_symbols *s, const struct hd_heap_view *v, uint64_t addr, Dwarf_Die *type,
                   uint64_t *inside);

/* Like hd_local_find, for a stack.  The variable has a name. */
bool hd_local_at(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr, Dwarf_Die *variable,
                 Dwarf_Die *function, uint64_t *inside);

#endif
