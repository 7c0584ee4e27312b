/* SPDX-License-Identifier: BSD-2-Clause
 *
 * constructor_mapping - a constructor maps memory, of which it may give back parts
 * (TRIM) or ask for large pages (HUGE).
 *
 * Claim: main finds what the constructor has left, in every execution.  True. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <sys/mman.h>

enum { SIZE = 0x200000 };

static int *memory;

static void *map(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

__attribute__((constructor)) static void make(void)
{
#ifdef TRIM
    char *all = map(2 * SIZE);
    char *from = (char *)(((uintptr_t)all + SIZE - 1) & ~(uintptr_t)(SIZE - 1));

    if (from > all)
        munmap(all, (size_t)(from - all));
    munmap(from + SIZE, (size_t)(all + SIZE - from));
    memory = (int *)from;
#else
    memory = map(SIZE);
#endif
#ifdef HUGE
    madvise(memory, SIZE, MADV_HUGEPAGE);
#endif
    memory[0] = 5;
}

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    join(spawn(work));
    assert(memory[0] == 5);
    assert(memory[1024] == 0);
    memory[0] = 6;
    memory[1024] = 1;
    return 0;
}
