/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inherits.c - descriptor 9 is inherited by the search, and is there in
 * every execution, also after one that has closed it. */
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char c;
    int p[2];

    assert(pread(9, &c, 1, 0) == 1 && c == '0');
    assert(pipe(p) == 0); /* what it leaves open is closed before the next execution */
    assert(p[0] < 9);
    if (argc > 1 && strcmp(argv[1], "close") == 0)
        close(9);
    return 0;
}
