/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.h - what the harnesses of compressors compress: words of a small vocabulary in an order
 * without a pattern, so that matches, literals and the entropy coder all have work. */
#ifndef REAL_TEXT_H
#define REAL_TEXT_H

#include <stddef.h>
#include <stdint.h>

static void make_text(uint8_t *text, size_t size)
{
    static const char *const words[] = { "warp ", "weft ", "reed ", "shed ", "pick ",
                                         "shaft ", "treadle\n", "heddle " };
    uint32_t random = 1;
    size_t n = 0;

    while (n < size) {
        const char *w;

        random = random * 1664525 + 1013904223;
        for (w = words[random >> 29]; *w != '\0' && n < size; w++)
            text[n++] = (uint8_t)*w;
    }
}

#endif
