/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mappings WAY [wrong] - a lock and a counter in memory that main gets by one of several ways.
 *
 * Claim: the memory is zero and lies at the same address in every execution, and what was
 * there before main is there again.  Two critical sections come in both orders, so the number
 * is 4 or 5; with "wrong" only 4 is allowed, and one order fails. */
#define _GNU_SOURCE
#include "../litmus.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BYTES = 65536 };
#define SOMEWHERE ((void *)0x30000000000)

static struct shared {
    pthread_mutex_t lock;
    int number;
} *shared;
static char *built, *built_too; /* by the constructor, the second one to be unmapped */

static void *map(void *at, int flags)
{
    return mmap(at, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

__attribute__((constructor)) static void build(void)
{
    built = map(NULL, 0);
    built_too = map(NULL, 0);
    built[0] = built_too[0] = 7;
}

static void *get(const char *way)
{
    if (strcmp(way, "moved") == 0)
        return mremap(map(NULL, 0), BYTES, 4 * BYTES, MREMAP_MAYMOVE);
    if (strcmp(way, "moved_there") == 0)
        return mremap(map(NULL, 0), BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, SOMEWHERE);
    if (strcmp(way, "sbrk") == 0)
        return sbrk(BYTES);
    if (strcmp(way, "raw") == 0)
        return (void *)syscall(SYS_mmap, 0, BYTES, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (strcmp(way, "raw_brk") == 0) {
        long end = syscall(SYS_brk, 0);

        assert(syscall(SYS_brk, end + BYTES) == end + BYTES);
        return (void *)end;
    }
    if (strcmp(way, "low") == 0)
        return map(NULL, MAP_32BIT);
    if (strcmp(way, "wish") == 0)
        return map(SOMEWHERE, 0);
    if (strcmp(way, "fixed") == 0)
        return map(SOMEWHERE, MAP_FIXED);
    if (strcmp(way, "free") == 0)
        return map(SOMEWHERE, MAP_FIXED_NOREPLACE);
    if (strcmp(way, "over") == 0) /* what a constructor has mapped */
        return map(built_too, MAP_FIXED);
    if (strcmp(way, "unmapped") == 0)
        assert(munmap(built_too, BYTES) == 0);
    return map(NULL, 0);
}

static void *work(void *arg)
{
    pthread_mutex_lock(&shared->lock);
    shared->number = shared->number * 2 + (int)(long)arg;
    pthread_mutex_unlock(&shared->lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    assert(built[0] == 7 && built[4096] == 0 && built_too[0] == 7);
    built[0] = built[4096] = built_too[0] = 1;
    shared = get(argv[1]);
    assert(shared != MAP_FAILED && shared->number == 0);
    assert(pthread_create(&a, NULL, work, (void *)1) == 0);
    assert(pthread_create(&b, NULL, work, (void *)2) == 0);
    assert(pthread_join(a, NULL) == 0 && pthread_join(b, NULL) == 0);
    assert(shared->number == 4 || (argc == 2 && shared->number == 5));
    return 0;
}
