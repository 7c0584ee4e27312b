/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unmapped.c - main accesses memory while another thread unmaps or changes it by a system call:
 *   CASE 1  munmap: main may crash
 *        2  mprotect: main may crash
 *        3  madvise(MADV_DONTNEED): main may see zero
 *        4  mremap has made a second mapping, through which the other thread writes: main may see it
 *        5  ftruncate of a mapped file: main may crash
 *        6  munmap after main has joined the thread: correct */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 4096 };

static atomic_int *memory, *again;
static int file;

static void *changes(void *arg)
{
    switch (CASE) {
    case 1: munmap((void *)memory, SIZE); break;
    case 2: mprotect((void *)memory, SIZE, PROT_READ); break;
    case 3: madvise((void *)memory, SIZE, MADV_DONTNEED); break;
    case 4: *again = 2; break;
    case 5: assert(ftruncate(file, 0) == 0); break;
    default: break;
    }
    return arg;
}

static atomic_int *map(int flags, int fd)
{
    void *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, fd, 0);

    assert(p != MAP_FAILED);
    return p;
}

int main(void)
{
    pthread_t other;
    char name[64];

    if (CASE == 5) {
        snprintf(name, sizeof name, "unmapped.%d", (int)getpid());
        file = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
        unlink(name);
        assert(ftruncate(file, SIZE) == 0);
        memory = map(MAP_SHARED, file);
    } else {
        memory = map((CASE == 4 ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1);
    }
    *memory = 1;
    if (CASE == 4) {
        again = mremap((void *)memory, 0, SIZE, MREMAP_MAYMOVE);
        assert((void *)again != MAP_FAILED);
    }
    pthread_create(&other, NULL, changes, NULL);
    assert(atomic_fetch_or(memory, 0) == 1);
    pthread_join(other, NULL);
    if (CASE == 6)
        munmap((void *)memory, SIZE);
    return 0;
}
