/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bootimage.c - see bootimage.h.  The image: a boot sector that only says how long the next part is, one sector of
 * code for real mode, 64 KB that are not used (QEMU loads what follows the code to 0x10000), and the kernel. */
#include "kernel/drive/bootimage.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum {
    SECTOR = 512,
    SKIPPED = 0x10000,
    LARGEST = 0x60000, /* of the kernel: QEMU needs the memory from 0x90000 on */
    SETUP_SECTORS = 0x1f1,
    SIGNATURE = 0x1fe,
    ARGUMENTS = SECTOR + 64,
    ARGUMENT_BYTES = 128,
};

static void put(uint8_t *at, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* What the loader of Pintos leaves behind: SS:ESP is 0:0xf000, and the command line is at 0x7d3a. */
static void put_code(uint8_t *image, uint32_t entry)
{
    static const uint8_t code[] = {
        0xfc,                               /* cld */
        0x0e, 0x1f,                         /* push %cs; pop %ds */
        0x31, 0xc0, 0x8e, 0xc0, 0x8e, 0xd0, /* xor %ax, %ax; mov %ax, %es; mov %ax, %ss */
        0x66, 0xbc, 0x00, 0xf0, 0x00, 0x00, /* mov $0xf000, %esp */
        0xbe, ARGUMENTS - SECTOR, 0x00,     /* mov $arguments, %si */
        0xbf, 0x3a, 0x7d,                   /* mov $0x7d3a, %di */
        0xb9, ARGUMENT_BYTES + 4, 0x00,     /* mov $132, %cx */
        0xf3, 0xa4,                         /* rep movsb */
        0xea, 0x00, 0x00, 0x00, 0x20,       /* ljmp $0x2000, $entry */
    };

    image[SETUP_SECTORS] = 1;
    put(image + SIGNATURE, 0xaa55, 2);
    memcpy(image + SECTOR, code, sizeof code);
    put(image + SECTOR + sizeof code - 4, entry, 2);
}

/* The number of words, and the words, each with a NUL. */
static bool put_words(uint8_t *at, const char *words)
{
    uint32_t count = 0;
    size_t used = 0;

    for (const char *w = words + strspn(words, " "); *w != '\0'; w += strspn(w, " ")) {
        size_t n = strcspn(w, " ");

        if (used + n + 1 > ARGUMENT_BYTES)
            return false;
        memcpy(at + 4 + used, w, n);
        used += n + 1;
        w += n;
        count++;
    }
    put(at, count, 4);
    return true;
}

/* Copies the segments.  Returns how many bytes the kernel has, or 0 if it does not fit. */
static size_t put_kernel(uint8_t *image, Elf *elf)
{
    size_t nbytes, nheaders, end = 0;
    const char *bytes = elf_rawfile(elf, &nbytes);

    if (bytes == NULL || elf_getphdrnum(elf, &nheaders) != 0)
        return 0;
    for (size_t i = 0; i < nheaders; i++) {
        GElf_Phdr h;

        if (gelf_getphdr(elf, (int)i, &h) == NULL || h.p_type != PT_LOAD || h.p_filesz == 0)
            continue;
        uint64_t at = h.p_vaddr - HD_PINTOS_KERNEL;

        if (h.p_vaddr < HD_PINTOS_KERNEL || at > LARGEST || h.p_filesz > LARGEST - at || h.p_offset > nbytes ||
            h.p_filesz > nbytes - h.p_offset)
            return 0;
        memcpy(image + 2 * SECTOR + SKIPPED + at, bytes + h.p_offset, h.p_filesz);
        end = at + h.p_filesz > end ? at + h.p_filesz : end;
    }
    return end;
}

static bool write_file(const char *path, const uint8_t *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = fd != -1 && write(fd, bytes, n) == (ssize_t)n;

    if (fd != -1)
        good &= close(fd) == 0;
    return good;
}

bool hd_bootimage_write(const char *path, const char *words, const char *out, char *why, size_t cap)
{
    uint8_t *image = hd_zeroed(2 * SECTOR + SKIPPED + LARGEST, 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd == -1 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
    GElf_Ehdr header;
    const char *wrong = NULL;
    size_t n = elf == NULL || gelf_getehdr(elf, &header) == NULL ? 0 : put_kernel(image, elf);

    if (n == 0 || header.e_entry - HD_PINTOS_KERNEL > 0xffff)
        wrong = "it does not lie between 0xc0020000 and 0xc0080000, as kernels of Pintos do";
    else if (!put_words(image + ARGUMENTS, words))
        wrong = "its command line is longer than 128 bytes";
    if (wrong == NULL) {
        put_code(image, (uint32_t)(header.e_entry - HD_PINTOS_KERNEL));
        if (!write_file(out, image, 2 * SECTOR + SKIPPED + n))
            wrong = "the file to boot from cannot be written";
    }
    if (wrong != NULL)
        snprintf(why, cap, "%s", wrong);
    elf_end(elf);
    if (fd != -1)
        close(fd);
    free(image);
    return wrong == NULL;
}
