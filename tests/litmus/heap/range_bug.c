/* SPDX-License-Identifier: BSD-2-Clause
 *
 * range_bug.c - memcpy, memset and strcpy run over the end of a block, by the
 * argument. */
#include "../litmus.h"

#include <string.h>

#ifdef FIXED
enum { ROOM = 24 };
#else
enum { ROOM = 20 };
#endif

int main(int argc, char **argv)
{
    static const char text[] = "twenty-three characters";
    static const char *volatile source = text; /* unknown, or the calls would be inline */
    static volatile size_t n = sizeof text;    /* 24 */
    char *p = malloc(ROOM);

    if (argc > 1 && strcmp(argv[1], "memcpy") == 0)
        memcpy(p, source, n);
    else if (argc > 1 && strcmp(argv[1], "memset") == 0)
        memset(p, 1, n);
    else if (argc > 1 && strcmp(argv[1], "strcpy") == 0)
        strcpy(p, source);
    else
        return 77;
    int wrong = p[3] == 0; /* or a compiler drops writes that are never read */

    free(p);
    return wrong;
}
