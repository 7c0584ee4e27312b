/* SPDX-License-Identifier: BSD-2-Clause
 *
 * utf8.h - validates UTF-8: names and output of the tested program may contain any bytes,
 * but the files that Heddle writes must be valid. */
#ifndef HD_BASE_UTF8_H
#define HD_BASE_UTF8_H

#include <stddef.h>

static inline size_t hd_utf8_tail(const unsigned char *s, size_t room, size_t n)
{
    if (room < n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* Returns the length of the well-formed sequence at s, of which `room` bytes may be read.  Returns 0 if there
 * is none; overlong forms, surrogates and values beyond U+10FFFF are not well-formed. */
static inline size_t hd_utf8_length(const unsigned char *s, size_t room)
{
    if (room == 0)
        return 0;
    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf)
        return hd_utf8_tail(s, room, 2);
    if (s[0] >= 0xe0 && s[0] <= 0xef) {
        if (room > 1 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)))
            return 0;
        return hd_utf8_tail(s, room, 3);
    }
    if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        if (room > 1 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)))
            return 0;
        return hd_utf8_tail(s, room, 4);
    }
    return 0;
}

#endif
