/* SPDX-License-Identifier: BSD-2-Clause
 *
 * image.h - a linked object as its code sees it: bytes of instructions, what memory is
 * constant, and which name lies behind a slot of the table of imports. */
#ifndef HD_SCAN_IMAGE_H
#define HD_SCAN_IMAGE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_IMAGE_SECTIONS 128

struct hd_image_section {
    uint64_t addr, size;
    const uint8_t *bytes; /* NULL: none in the file */
    bool code;            /* instructions of functions */
    bool stubs;           /* ... of the procedure linkage table */
    bool constant;        /* not written once the object is loaded */
};

struct hd_image_slot {
    uint64_t addr;
    const char *name;
};

struct hd_image_function {
    uint64_t addr, size;
    const char *name; /* NULL: known by its unwind information only */
    bool certain;     /* it is a function, and not a label of something else */
};

/* Another name of a function. */
struct hd_image_alias {
    uint64_t addr;
    const char *name;
};

struct hd_image {
    int fd;
    Elf *elf;
    bool fixed; /* linked to a fixed address: absolute operands mean something */
    struct hd_image_section section[HD_IMAGE_SECTIONS];
    unsigned nsections;
    struct hd_image_slot *slot; /* by address */
    size_t nslots;
    struct hd_image_function *function; /* by address; no two begin at the same one */
    size_t nfunctions;
    struct hd_image_alias *alias; /* by address */
    size_t naliases;
};

bool hd_image_open(struct hd_image *im, const char *path);
void hd_image_close(struct hd_image *im);

const struct hd_image_section *hd_image_section(const struct hd_image *im, uint64_t addr);

/* The name behind that slot; NULL: it is none. */
const char *hd_image_import(const struct hd_image *im, uint64_t addr);

/* The bytes of a section by name; NULL: there is none. */
const uint8_t *hd_image_bytes(const struct hd_image *im, const char *section, size_t *size);

#endif
