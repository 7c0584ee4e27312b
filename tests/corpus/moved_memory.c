/* SPDX-License-Identifier: BSD-2-Clause
 *
 * moved_memory - a lock in memory that comes from mremap (default), sbrk (SBRK), mmap
 * below 2 GB (LOW) or a system call of the program's own (RAW).
 *
 * Claim: the first thread is first.  False; the address is the same in every execution. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct shared {
    pthread_mutex_t lock;
    int cell;
} *shared;

static void *work(void *arg)
{
    pthread_mutex_lock(&shared->lock);
    shared->cell = shared->cell * 2 + *(int *)arg;
    pthread_mutex_unlock(&shared->lock);
    return NULL;
}

static void *memory(void)
{
    int how = MAP_PRIVATE | MAP_ANONYMOUS, may = PROT_READ | PROT_WRITE;

    (void)how;
    (void)may;
#if defined SBRK
    return sbrk(4096);
#elif defined LOW
    return mmap(NULL, 4096, may, how | MAP_32BIT, -1, 0);
#elif defined RAW
    return (void *)syscall(SYS_mmap, NULL, 4096, may, how, -1, 0);
#else
    return mremap(mmap(NULL, 4096, may, how, -1, 0), 4096, 1 << 20, MREMAP_MAYMOVE);
#endif
}

int main(void)
{
    static int number[2] = { 1, 2 };
    pthread_t thread[2];

    shared = memory();
    pthread_mutex_init(&shared->lock, NULL);
    shared->cell = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, work, &number[i]);
    join(thread[0]);
    join(thread[1]);
    assert(shared->cell == 4);
    return 0;
}
