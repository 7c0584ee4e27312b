/* SPDX-License-Identifier: BSD-2-Clause
 *
 * protection.c - a program that makes pages read-only and writable again.  The
 * argument says which: of its data, of its heap, or of a mapping of its own. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "state.h"

enum { PAGE = 4096, PAGES = 4 };

static char data[PAGES * PAGE] __attribute__((aligned(PAGE))) = { 1 };
static char *pages;

static void *reader(void *arg)
{
    for (int i = 0; i < PAGES; i++)
        echo((uintptr_t)pages[i * PAGE]);
    return arg;
}

static char *memory(const char *kind)
{
    void *p = data;

    if (strcmp(kind, "heap") == 0)
        assert(posix_memalign(&p, PAGE, PAGES * PAGE) == 0);
    else if (strcmp(kind, "mapping") == 0)
        p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(p != MAP_FAILED);
    return p;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    assert(argc == 2 && data[0] == 1 && data[PAGE] == 0);
    pages = memory(argv[1]);
    memset(pages, 2, 2 * PAGE);
    assert(mprotect(pages, PAGES * PAGE, PROT_READ) == 0);
    assert(pthread_create(&thread, NULL, reader, NULL) == 0);
    echo(3);
    assert(pthread_join(thread, NULL) == 0);
    assert(mprotect(pages + PAGE, 2 * PAGE, PROT_READ | PROT_WRITE) == 0);
    memset(pages + PAGE, 3, 2 * PAGE);
    assert(pages[0] == 2 && pages[2 * PAGE] == 3);
    return 0;
}
