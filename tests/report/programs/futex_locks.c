/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_locks - two locks that a program has made of futexes, as Rust's library and GLib do: 0 free, 1 taken,
 * 2 taken and waited for.  Each thread takes them in another order. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

struct lock {
    atomic_uint state;
};

static struct lock left, right;
static int moved;

static void acquire(struct lock *l)
{
    unsigned was = 0;

    if (atomic_compare_exchange_strong(&l->state, &was, 1))
        return;
    while (atomic_exchange(&l->state, 2) != 0)
        syscall(SYS_futex, &l->state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void release(struct lock *l)
{
    if (atomic_exchange(&l->state, 0) == 2)
        syscall(SYS_futex, &l->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void move(struct lock *from, struct lock *to)
{
    acquire(from);
    acquire(to);
    moved++;
    release(to);
    release(from);
}

static void *back(void *arg)
{
    move(&right, &left);
    return arg;
}

int main(void)
{
    pthread_t thread;

    move(&left, &right); /* the locks are given back: this must not count as held */
    pthread_create(&thread, NULL, back, NULL);
    move(&left, &right);
    pthread_join(thread, NULL);
    return moved != 3;
}
