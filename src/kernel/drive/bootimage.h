/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bootimage.h - makes a file that QEMU can boot from the ELF file of a Pintos kernel.
 *
 * Pintos expects a loader that reads it from a disk to physical address 0x20000, and enters it in real mode.  QEMU's
 * `-kernel` loads files in Linux's oldest boot format in the same way, without a disk; so the kernel is wrapped into
 * that format, with a few instructions that copy its command line to where the kernel looks for it. */
#ifndef HD_KERNEL_DRIVE_BOOTIMAGE_H
#define HD_KERNEL_DRIVE_BOOTIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_PINTOS_BASE UINT32_C(0xc0000000)   /* linear minus physical addresses */
#define HD_PINTOS_KERNEL UINT32_C(0xc0020000) /* linear address at which the kernel begins */

/* Writes the image.  words: the command line.  Returns false after setting `why`. */
bool hd_bootimage_write(const char *elf, const char *words, const char *out, char *why, size_t cap);

#endif
