/* SPDX-License-Identifier: BSD-2-Clause
 *
 * small_copy - calls of constant size, for which compilers put instructions in place: into what
 * another thread writes, or beside it. */
#include "races.h"

struct record {
    long first, second, third;
};

static struct record from, to;
static char text[8];

static void *copy(void *arg)
{
    if (is("memcpy") || is("beside"))
        memcpy(&to, &from, sizeof to);
    else if (is("memmove"))
        memmove(&to, &from, sizeof to);
    else if (is("memset"))
        memset(&to, 0, sizeof to);
    else if (is("strcpy"))
        strcpy((char *)&to.third, "ab");
    else if (is("strcat"))
        strcat((char *)&to.third, "ab");
    else if (is("memcmp") && memcmp(&to, &from, sizeof to) != 0)
        from.first = 1;
    else if (is("strcmp") && strcmp((char *)&to.third, "ab") == 0)
        from.first = 1;
    return arg;
}

static void *touch(void *arg)
{
    if (is("beside"))
        PUT(text[0], 1);
    else
        PUT(to.third, 1);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, copy, touch);
}
