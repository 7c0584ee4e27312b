/* SPDX-License-Identifier: BSD-2-Clause
 *
 * family.c - every way to allocate and release, also of what a constructor has
 * allocated. */
#include "../litmus.h"

#include <malloc.h>
#include <string.h>

static char *early;

__attribute__((constructor)) static void before_main(void)
{
    early = malloc(100);
    memset(early, 'e', 100);
}

static void all_bytes(char *p, size_t n)
{
    memset(p, 'x', n);
    p[n - 1] = 'y';
    assert(malloc_usable_size(p) >= n);
    free(p);
}

static void *worker(void *unused)
{
    void *p = NULL;
    char *s;

    (void)unused;
    all_bytes(memalign(64, 7), 7);
    all_bytes(aligned_alloc(4096, 4096), 4096);
    assert(posix_memalign(&p, 256, 33) == 0 && (uintptr_t)p % 256 == 0);
    all_bytes(p, 33);
    all_bytes(calloc(3, 11), 33);
    all_bytes(reallocarray(NULL, 5, 13), 65);
    s = strdup("a string");
    s = realloc(s, 200);
    assert(strcmp(s, "a string") == 0);
    s = realloc(s, 2);
    assert(s[0] == 'a' && s[1] == ' ');
    all_bytes(realloc(s, 100000), 100000);
    s = strndup("a string", 3);
    assert(strlen(s) == 3);
    free(s);
    free(NULL);
    free(malloc(0));
    for (size_t n = 1; n < 5000; n = n * 3 / 2 + 1)
        all_bytes(malloc(n), n);
    return NULL;
}

int main(void)
{
    pthread_t a = spawn(worker);

    early = realloc(early, 50);
    assert(early[49] == 'e');
    free(early);
    join(a);
    return 0;
}
