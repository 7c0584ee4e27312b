/* SPDX-License-Identifier: BSD-2-Clause
 *
 * symbols.h - maps addresses of the target to function, source file and line, or variable.
 * Works on the files of the modules that the target had loaded, after the fact and outside
 * of it. */
#ifndef HD_REPORT_NAMES_SYMBOLS_H
#define HD_REPORT_NAMES_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

#define HD_MAX_FRAMES 64

struct hd_symbols;

/* One line of a call stack; strings live as long as the symbols. */
struct hd_frame {
    const char *function; /* "?" when unknown */
    const char *file;     /* "" when unknown */
    const char *module;   /* base name of the file that holds the code */
    uint64_t offset;      /* of the address within that module */
    int line;
    bool inlined;         /* into the frame after it */
    bool runtime;         /* code of Heddle itself */
};

/* Never fails: modules that cannot be read have no names. */
struct hd_symbols *hd_symbols_open(const struct hd_module *modules, uint32_t n);
void hd_symbols_close(struct hd_symbols *s);

/* The functions at an address, innermost inlined one first; at least one.  is_return: the
 * address follows a call, and the call is meant. */
unsigned hd_symbols_frames(struct hd_symbols *s, uint64_t addr, bool is_return,
                           struct hd_frame *out, unsigned max);

/* The first of these frames in source code of the user, not in a header of the compiler or
 * system; the first of all if there is none. */
const struct hd_frame *hd_symbols_own_frame(const struct hd_frame *f, unsigned n);
bool hd_is_system_file(const char *file);

/* "file.c:12" (without directories; see hd_symbols_own_frame), or "module+0x12"; "" for 0.
 * pc follows a call. */
const char *hd_symbols_site(struct hd_symbols *s, uint64_t pc);
/* Is that in source code of the user? */
bool hd_symbols_is_own(struct hd_symbols *s, uint64_t pc);

/* The variable at an offset of a module: "name", "name.member[2]" or "name+0x8", or
 * "module+0x12" if unknown. */
const char *hd_symbols_variable(struct hd_symbols *s, unsigned module, uint64_t offset);

/* Its type in C syntax; "" if unknown. */
void hd_symbols_type(struct hd_symbols *s, unsigned module, uint64_t offset, char *buf, size_t cap);

/* The local variable at a stack address: "sum (in main)", and its type.  False if unknown. */
bool hd_symbols_local(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr,
                      char *buf, size_t cap, char *type, size_t type_cap);

/* Code ranges (lo and hi) of the functions of that name, including copies made by the
 * compiler (name.part.0) and C++ names without their parameters; returns their number. */
unsigned hd_symbols_functions(struct hd_symbols *s, const char *name, uint64_t (*out)[2],
                              unsigned max);

/* The part of a path after the last slash. */
const char *hd_base_name(const char *path);

/* The call stack of a stopped thread: return addresses, innermost first; the first is its
 * position.  0 if unknown. */
unsigned hd_unwind(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t *pcs,
                   unsigned max);

/* One frame of a stack: an address inside the current instruction, its canonical frame
 * address, its registers. */
struct hd_local_frame {
    uint64_t pc, cfa, rsp, rbp;
};

/* The frame that contains a stack address.  False if there is none. */
bool hd_unwind_frame(struct hd_symbols *s, const struct hd_stack_image *image, uint64_t addr,
                     struct hd_local_frame *out);

/* For unwind.c: the handle of libdw. */
struct Dwfl;
struct Dwfl *hd_symbols_dwfl(struct hd_symbols *s);

#endif
