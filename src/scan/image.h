/* SPDX-License-Identifier: BSD-2-Clause
 *
 * image.h - what the analysis needs to know about a linked object: the bytes of the instructions, which memory
 * is constant, and the name of each import slot. */
#ifndef HD_SCAN_IMAGE_H
#define HD_SCAN_IMAGE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_IMAGE_SECTIONS 128

/* The section of code that announces what it does (heddle/mail.h), so that there is nothing to see in it. */
#define HD_IMAGE_ANNOUNCES "heddle_announces"

struct hd_image_section {
    uint64_t addr, size;
    const uint8_t *bytes; /* NULL: they are not in the file */
    bool code;            /* it contains instructions of functions, and is not HD_IMAGE_ANNOUNCES */
    bool stubs;           /* it is the procedure linkage table */
    bool constant;        /* it is not written after the object has been loaded */
    bool trusted;         /* it contains functions that the source declares with HEDDLE_TRUSTED
                           * (heddle/heddle.h) */
};

struct hd_image_slot {
    uint64_t addr;
    const char *name;
};

struct hd_image_function {
    uint64_t addr, size;
    const char *name; /* NULL: known from its unwind information only */
    bool certain;     /* certainly a function, not a label */
};

/* Another name of a function. */
struct hd_image_alias {
    uint64_t addr;
    const char *name;
};

struct hd_image {
    int fd;
    Elf *elf;
    bool fixed; /* linked to a fixed address, so absolute operands are meaningful */
    struct hd_image_section section[HD_IMAGE_SECTIONS];
    unsigned nsections;
    struct hd_image_slot *slot; /* sorted by address */
    size_t nslots;
    struct hd_image_function *function; /* sorted by address; all addresses differ */
    size_t nfunctions;
    struct hd_image_alias *alias; /* sorted by address */
    size_t naliases;
};

bool hd_image_open(struct hd_image *im, const char *path);
void hd_image_close(struct hd_image *im);

const struct hd_image_section *hd_image_section(const struct hd_image *im, uint64_t addr);

/* Returns the name of that import slot; NULL if there is no slot at the address. */
const char *hd_image_import(const struct hd_image *im, uint64_t addr);

/* Returns the bytes of the section with that name; NULL if there is none. */
const uint8_t *hd_image_bytes(const struct hd_image *im, const char *section, size_t *size);

#endif
