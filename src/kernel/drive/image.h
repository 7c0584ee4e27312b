/* SPDX-License-Identifier: BSD-2-Clause
 *
 * image.h - a kernel's functions, variables and source lines: from its ELF file, or, for Linux, from its own
 * list of symbols. */
#ifndef HD_KERNEL_DRIVE_IMAGE_H
#define HD_KERNEL_DRIVE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_kimage;

/* NULL: `why` says what is wrong with the file. */
struct hd_kimage *hd_kimage_open(const char *path, char *why, size_t cap);
/* text: as in /proc/kallsyms; it is freed with the image.  hash: names what the symbols belong to. */
struct hd_kimage *hd_kimage_of_symbols(char *text, uint64_t hash);
void hd_kimage_close(struct hd_kimage *m);

uint64_t hd_kimage_hash(const struct hd_kimage *m); /* of the file */
uint64_t hd_kimage_low(const struct hd_kimage *m);  /* code lies in [low, high) */
uint64_t hd_kimage_high(const struct hd_kimage *m);

/* Functions, by address. */
size_t hd_kimage_functions(const struct hd_kimage *m);
const char *hd_kimage_function(const struct hd_kimage *m, size_t i, uint64_t *address, uint32_t *size);
/* Address of the function or variable; 0: there is none of this name. */
uint64_t hd_kimage_find(const struct hd_kimage *m, const char *name);

/* Size of the function or variable that begins here; 0: none does. */
uint32_t hd_kimage_size(const struct hd_kimage *m, uint64_t address);

/* "lock_acquire+0x3", "start@1+0x3" of the second function with that name, or the number if no symbol contains it. */
void hd_kimage_symbol(const struct hd_kimage *m, uint64_t address, char *buf, size_t cap);
/* "lock_acquire" without the offset; NULL: unknown. */
const char *hd_kimage_function_at(const struct hd_kimage *m, uint64_t address);
/* "sync.c:57"; "" without debug information. */
void hd_kimage_line(const struct hd_kimage *m, uint64_t address, char *buf, size_t cap);
/* What symbol+offset means in this image; 0: no such function. */
uint64_t hd_kimage_parse(const struct hd_kimage *m, const char *symbol);

#endif
