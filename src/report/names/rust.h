/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rust.h - names of Rust programs as their users write them. */
#ifndef HD_REPORT_NAMES_RUST_H
#define HD_REPORT_NAMES_RUST_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes the path of a function or variable, "bank::transfer".  Returns false if it is not Rust. */
bool hd_rust_name(Dwarf_Die *die, char *buf, size_t cap);

/* The owner of a type.  HD_RUST_NONE: not Rust, or a type without a path, such as an array. */
enum hd_rust_owner { HD_RUST_NONE, HD_RUST_LIBRARY, HD_RUST_USER };
enum hd_rust_owner hd_rust_owner_of(Dwarf_Die *type);

/* True for a source file of Rust's standard library or of a package from a registry. */
bool hd_rust_is_library_file(const char *file);

/* Cleans a name in Rust's older mangling, which a demangler for C++ has split into parts:
 * "bank::_$LT$impl$GT$::h0123456789abcdef" becomes "bank::<impl>".  Leaves other names unchanged. */
void hd_rust_clean(char *name);

/* Writes the path of a symbol in Rust's newer mangling (_RNv...), without type arguments.  Returns false for other
 * symbols, or if the path is unknown without these arguments. */
bool hd_rust_demangle(const char *symbol, char *buf, size_t cap);

#endif
