/* SPDX-License-Identifier: BSD-2-Clause
 *
 * symbols.h - maps addresses of the target to function, source file and line, or to variables.
 * Reads the files of the modules that the target had loaded; does not access the target. */
#ifndef HD_REPORT_NAMES_SYMBOLS_H
#define HD_REPORT_NAMES_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

#define HD_MAX_FRAMES 64

struct hd_symbols;

/* One line of a call stack.  The strings are valid until hd_symbols_close. */
struct hd_frame {
    const char *function; /* "?" if unknown */
    const char *file;     /* "" if unknown */
    const char *module;   /* base name of the file that contains the code; "?" if unknown */
    uint64_t offset;      /* offset of the address in that module */
    int line;
    bool inlined;         /* inlined into the function of the next frame */
    bool runtime;         /* code of Heddle or of a sanitizer's runtime */
};

/* Never fails: the symbols of modules that cannot be read are unknown.  `modules` must outlive the
 * result. */
struct hd_symbols *hd_symbols_open(const struct hd_module *modules, uint32_t n);
/* Call when the program has loaded libraries: there are n modules now. */
void hd_symbols_add(struct hd_symbols *s, uint32_t n);
void hd_symbols_close(struct hd_symbols *s);

/* Stores the functions at an address, the innermost inlined one first.  Returns their number, at
 * least 1 and at most max.  is_return: the address is a return address, and the frames are those of
 * the call before it. */
unsigned hd_symbols_frames(struct hd_symbols *s, uint64_t addr, bool is_return,
                           struct hd_frame *out, unsigned max);

/* The owner of the code at an address: no module, Heddle or a sanitizer's runtime, or the target
 * with its libraries.  It is determined without symbols, because the runtime has many. */
enum hd_owner { HD_OWNER_NONE, HD_OWNER_RUNTIME, HD_OWNER_TARGET };
enum hd_owner hd_symbols_owner(const struct hd_symbols *s, uint64_t addr);

/* hd_symbols_own_frame returns the first frame in the user's source, i.e. not in a header of the
 * compiler or the system; f[0] if there is none.  hd_is_system_file is true for such headers. */
const struct hd_frame *hd_symbols_own_frame(const struct hd_frame *f, unsigned n);
bool hd_is_system_file(const char *file);

/* Returns "file.c:12" for the frame of hd_symbols_own_frame, or "module+0x12" if it has no line; ""
 * for 0.  pc is a return address.  The string is valid until hd_symbols_close. */
const char *hd_symbols_site(struct hd_symbols *s, uint64_t pc);
/* True if the call before pc is in the user's source. */
bool hd_symbols_is_own(struct hd_symbols *s, uint64_t pc);

/* Returns the variable at an offset of a module: "name", "name.member[2]" or "name+0x8", or
 * "module+0x12" if it is unknown. */
const char *hd_symbols_variable(struct hd_symbols *s, unsigned module, uint64_t offset);

/* Returns the variable or function that begins at an offset of a module, NULL if there is none. */
const char *hd_symbols_object(struct hd_symbols *s, unsigned module, uint64_t offset);

/* Writes the type of that variable in C syntax; "" if it is unknown. */
void hd_symbols_type(struct hd_symbols *s, unsigned module, uint64_t offset, char *buf, size_t cap);

/* Writes the local variable at a stack address, "sum (in main)", and its type.  Returns false if it
 * is unknown. */
bool hd_symbols_local(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr,
                      char *buf, size_t cap, char *type, size_t type_cap);

/* The heap of a finding: the blocks that have to be named, and the stacks of threads by their slot (NULL
 * if unknown). */
struct hd_heap_view {
    const struct hd_named_block *blocks;
    uint32_t n;
    const struct hd_stack_image *(*stack)(const void *ctx, unsigned slot);
    const void *ctx;
};

/* Writes the name of the memory at an address of the heap, "map->buckets[3].lock", and its type ("" if
 * unknown).  Returns false if it has no name. */
bool hd_symbols_heap(struct hd_symbols *s, const struct hd_heap_view *v, uint64_t addr, char *buf, size_t cap,
                     char *type, size_t type_cap);

/* Writes the type that the block was allocated for, "node".  Returns false if it is unknown. */
bool hd_symbols_block(struct hd_symbols *s, const struct hd_named_block *b, char *buf, size_t cap);

/* Writes the text constant at an address of a module, in quotes and shortened.  Returns false if there is
 * none. */
bool hd_symbols_string(struct hd_symbols *s, uint64_t addr, char *buf, size_t cap);

/* Stores the code ranges (begin, end) of the functions with that name, including copies made by the
 * compiler (name.part.0).  C++ names match without their parameters.  Returns the number of ranges,
 * at most max. */
unsigned hd_symbols_functions(struct hd_symbols *s, const char *name, uint64_t (*out)[2],
                              unsigned max);

/* Stores the code ranges (begin, end) of a line.  file: the end of the path of its source file.
 * Returns the number of ranges, at most max. */
unsigned hd_symbols_line(struct hd_symbols *s, const char *file, int line, uint64_t (*out)[2], unsigned max);

/* Returns the part of the path after the last slash. */
const char *hd_base_name(const char *path);

/* Stores the call stack of a stopped thread, innermost first: its position, then return addresses.
 * Returns their number, 0 if the stack is unknown. */
unsigned hd_unwind(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t *pcs,
                   unsigned max);

/* One frame of a stack: an address inside its current instruction, its canonical frame address, and
 * two registers. */
struct hd_local_frame {
    uint64_t pc, cfa, rsp, rbp;
};

/* Finds the frame that contains a stack address.  Returns false if there is none. */
bool hd_unwind_frame(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr,
                     struct hd_local_frame *out);

/* For the other files of this folder: a cached text, NULL if there is none for the key. */
const char *hd_symbols_known(const struct hd_symbols *s, uint64_t key);
void hd_symbols_remember(struct hd_symbols *s, uint64_t key, const char *text);

/* For unwind.c: returns the handle of libdwfl, NULL if there is none. */
struct Dwfl;
struct Dwfl *hd_symbols_dwfl(struct hd_symbols *s);

#endif
