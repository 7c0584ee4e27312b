/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mapped_twice - the same memory at two addresses: what is done through one address is done
 * to what the other one shows.
 *
 *   mutex       each thread locks the mutex at an address of its own: no race on `x`
 *   detached    the same, after the mapping that was there first is unmapped
 *   segment     the same with a System V segment
 *   message     release through one address, acquire through the other: no race on `x`
 *   polled      the same in a loop that waits
 *   apart       two mutexes in different pages of the file: `x` races
 *   plain       plain accesses through both addresses: they race
 *   beside      plain accesses to different words: they do not */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "races.h"

struct page {
    pthread_mutex_t mutex;
    atomic_int flag;
    int plain[2];
};

enum { PAGE = 4096 };

static struct page *one, *other;
static int x;

static void *locks(void *arg)
{
    struct page *p = arg;

    pthread_mutex_lock(&p->mutex);
    x++;
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

static void *sends(void *arg)
{
    x = 1;
    atomic_store_explicit(&one->flag, 1, memory_order_release);
    return arg;
}

static void *receives(void *arg)
{
    while (atomic_load_explicit(&other->flag, memory_order_acquire) == 0)
        if (!is("polled"))
            return arg;
    x = 2;
    return arg;
}

static void *writes(void *arg)
{
    struct page *p = arg;

    p->plain[p == other && is("beside")] = 1;
    return NULL;
}

static void map_file(off_t second)
{
    int fd = memfd_create("mapped_twice", 0);

    assert(fd >= 0 && ftruncate(fd, 2 * PAGE) == 0);
    one = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    other = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, second);
    close(fd);
}

static void map_segment(void)
{
    int id = shmget(IPC_PRIVATE, PAGE, 0600);

    assert(id >= 0);
    one = shmat(id, NULL, 0);
    other = shmat(id, NULL, 0);
    shmctl(id, IPC_RMID, NULL);
}

static void run(void *(*f)(void *), void *a, void *(*g)(void *), void *b)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, f, a);
    pthread_create(&t[1], NULL, g, b);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}

int main(int argc, char **argv)
{
    variant = argc > 1 ? argv[1] : "";
    if (is("segment"))
        map_segment();
    else
        map_file(is("apart") ? PAGE : 0);
    assert(one != MAP_FAILED && other != MAP_FAILED);
    pthread_mutex_init(&one->mutex, NULL);
    if (is("apart"))
        pthread_mutex_init(&other->mutex, NULL);
    if (is("detached")) {
        struct page *third = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        assert(third != MAP_FAILED && munmap(third, PAGE) == 0 && munmap(one, PAGE) == 0);
        run(locks, other, locks, other);
    } else if (is("message") || is("polled")) {
        run(sends, NULL, receives, NULL);
    } else if (is("plain") || is("beside")) {
        run(writes, one, writes, other);
    } else {
        run(locks, one, locks, other);
    }
    return 0;
}
