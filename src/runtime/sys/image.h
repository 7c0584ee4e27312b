/* SPDX-License-Identifier: BSD-2-Clause
 *
 * image.h - the address range of the runtime's own code. */
#ifndef HD_RUNTIME_SYS_IMAGE_H
#define HD_RUNTIME_SYS_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Linker symbols: the first byte of this library, and a place in its data.  All code of the library
 * lies between the two. */
extern const char hd_image_start[] __asm__("__ehdr_start") __attribute__((visibility("hidden")));
extern const char hd_image_data[] __asm__("_DYNAMIC") __attribute__((visibility("hidden")));

static inline bool hd_image_has(uintptr_t pc)
{
    return pc - (uintptr_t)hd_image_start < (uintptr_t)hd_image_data - (uintptr_t)hd_image_start;
}

#endif
