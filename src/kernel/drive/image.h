/* SPDX-License-Identifier: BSD-2-Clause
 *
 * image.h - functions, variables and source lines of a kernel, from its ELF file or, for Linux, from the kernel's
 * own list of symbols. */
#ifndef HD_KERNEL_DRIVE_IMAGE_H
#define HD_KERNEL_DRIVE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_kimage;

/* Returns NULL after setting `why` if the file cannot be used. */
struct hd_kimage *hd_kimage_open(const char *path, char *why, size_t cap);
/* text: in the format of /proc/kallsyms; freed with the image. hash: identifies the kernel to which the symbols
 * belong. */
struct hd_kimage *hd_kimage_of_symbols(char *text, uint64_t hash);
void hd_kimage_close(struct hd_kimage *m);

/* True if the file is a kernel of Pintos: it has no multiboot header, and is entered in real mode (bootimage.h). */
bool hd_kimage_is_pintos(const struct hd_kimage *m);
/* Finds where a member of a structure lies, from debug information. */
bool hd_kimage_member(const struct hd_kimage *m, const char *structure, const char *member, uint32_t *offset);

uint64_t hd_kimage_hash(const struct hd_kimage *m); /* hash of the file */
uint64_t hd_kimage_low(const struct hd_kimage *m);  /* code has addresses in [low, high) */
uint64_t hd_kimage_high(const struct hd_kimage *m);

/* Functions are numbered by address. */
size_t hd_kimage_functions(const struct hd_kimage *m);
const char *hd_kimage_function(const struct hd_kimage *m, size_t i, uint64_t *address, uint32_t *size);
/* Returns the address of the function or variable, or 0 if there is none of this name. */
uint64_t hd_kimage_find(const struct hd_kimage *m, const char *name);

/* Returns the size of the function or variable that begins at the address, or 0 if none does. */
uint32_t hd_kimage_size(const struct hd_kimage *m, uint64_t address);

/* Writes "lock_acquire+0x3" ("start@1+0x3" for the second function with that name), or the number if no symbol
 * contains the address. */
void hd_kimage_symbol(const struct hd_kimage *m, uint64_t address, char *buf, size_t cap);
/* Returns the name without an offset, for example "lock_acquire"; NULL: unknown. */
const char *hd_kimage_function_at(const struct hd_kimage *m, uint64_t address);
/* Writes for example "sync.c:57"; "" without debug information. */
void hd_kimage_line(const struct hd_kimage *m, uint64_t address, char *buf, size_t cap);
/* Returns the address of symbol+offset in this image, or 0 if there is no such function. */
uint64_t hd_kimage_parse(const struct hd_kimage *m, const char *symbol);

#endif
