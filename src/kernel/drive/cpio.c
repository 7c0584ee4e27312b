/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cpio.c - the format "newc": for each file a header of hexadecimal numbers, its name and its contents, both padded
 * to multiples of four bytes. */
#include "kernel/drive/cpio.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CHUNK 65536

static void fill(struct hd_cpio *c, size_t n)
{
    static const char zeros[4];

    if (n % 4 != 0)
        c->failed |= fwrite(zeros, 1, 4 - n % 4, c->out) != 4 - n % 4;
}

static void entry(struct hd_cpio *c, const char *name, unsigned mode, size_t size, unsigned major, unsigned minor)
{
    size_t n = strlen(name) + 1;

    c->failed |= fprintf(c->out, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", ++c->files, mode, 0u, 0u,
                         1u, 0u, (unsigned)size, 0u, 0u, major, minor, (unsigned)n, 0u) != 110;
    c->failed |= fwrite(name, 1, n, c->out) != n;
    fill(c, 110 + n);
}

bool hd_cpio_open(struct hd_cpio *c, const char *path)
{
    *c = (struct hd_cpio){ .out = fopen(path, "we") };
    return c->out != NULL;
}

void hd_cpio_directory(struct hd_cpio *c, const char *name)
{
    entry(c, name, S_IFDIR | 0755, 0, 0, 0);
}

void hd_cpio_device(struct hd_cpio *c, const char *name, unsigned major, unsigned minor)
{
    entry(c, name, S_IFCHR | 0600, 0, major, minor);
}

void hd_cpio_file(struct hd_cpio *c, const char *name, const char *from)
{
    char chunk[CHUNK];
    struct stat st;
    FILE *in = fopen(from, "re");
    size_t left = in != NULL && fstat(fileno(in), &st) == 0 ? (size_t)st.st_size : 0;

    c->failed |= left == 0;
    entry(c, name, S_IFREG | 0755, left, 0, 0);
    for (size_t size = left; left > 0;) {
        size_t n = fread(chunk, 1, left < CHUNK ? left : CHUNK, in);

        if (n == 0 || fwrite(chunk, 1, n, c->out) != n) {
            c->failed = true;
            break;
        }
        left -= n;
        if (left == 0)
            fill(c, size);
    }
    if (in != NULL)
        fclose(in);
}

bool hd_cpio_close(struct hd_cpio *c)
{
    entry(c, "TRAILER!!!", 0, 0, 0, 0);
    return fclose(c->out) == 0 && !c->failed;
}
