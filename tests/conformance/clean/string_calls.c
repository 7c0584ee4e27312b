/* SPDX-License-Identifier: BSD-2-Clause
 *
 * string_calls.c - the string and memory functions, which see every access, compute what
 * libc's do. */
#include <string.h>

#include "../conform.h"

static void *worker(void *arg)
{
    volatile size_t n = 8; /* keeps the compiler from computing the calls away */
    char a[32], b[32];

    memset(a, 'x', n);
    a[n] = 0;
    IS(strlen(a), 8);
    IS(strnlen(a, n - 3), 5);
    memcpy(b, a, n + 1);
    IS(memcmp(a, b, n + 1), 0);
    b[n - 1] = 'y';
    IS(memcmp(a, b, n) < 0, 1);
    IS(memcmp(a, b, n - 1), 0);
    IS(strcmp(b, a) > 0, 1);
    IS(strncmp(b, a, n - 1), 0);
    IS(strchr(b, 'y') == b + n - 1, 1);
    IS(strrchr(b, 'x') == b + n - 2, 1);
    IS(strstr(b, "xy") == b + n - 2, 1);
    IS(memchr(b, 'y', n) == b + n - 1, 1);
    IS(memrchr(b, 'x', n) == b + n - 2, 1);
    memmove(b + 1, b, n);
    IS(b[n] == 'y' && b[n - 1] == 'x', 1);
    IS(mempcpy(b, "weft", 4) == b + 4, 1);
    IS(stpcpy(b, "weft") == b + 4, 1);
    strcat(b, "warp");
    strncat(b, "loom", 2);
    IS(strcmp(b, "weftwarplo"), 0);
    strncpy(a, b, n);
    IS(memcmp(a, "weftwarp", n), 0);
    explicit_bzero(a, n);
    IS(a[0] | a[7], 0);
    char *copy = strdup(b), *part = strndup(b, 4);
    IS(strcmp(copy, b) | strcmp(part, "weft"), 0);
    free(copy);
    free(part);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    worker(NULL);
    finish(t);
    return 0;
}
