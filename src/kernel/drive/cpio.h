/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cpio.h - writes the archive that Linux unpacks as its first file system. */
#ifndef HD_KERNEL_DRIVE_CPIO_H
#define HD_KERNEL_DRIVE_CPIO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct hd_cpio {
    FILE *out;
    uint32_t files; /* number of files so far */
    bool failed;
};

bool hd_cpio_open(struct hd_cpio *c, const char *path);
void hd_cpio_directory(struct hd_cpio *c, const char *name);
void hd_cpio_device(struct hd_cpio *c, const char *name, unsigned major, unsigned minor);
/* Adds a copy of the file `from`, as an executable. */
void hd_cpio_file(struct hd_cpio *c, const char *name, const char *from);
/* Returns false if a file could not be read or written. */
bool hd_cpio_close(struct hd_cpio *c);

#endif
