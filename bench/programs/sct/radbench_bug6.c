/* SPDX-License-Identifier: BSD-2-Clause
 *
 * radbench_bug6 - monitors for arbitrary addresses, kept in a small table: who
 * enters looks one up or binds a free one, the last that leaves frees it (SCT
 * study, row 45: radbench.bug6, of which is public that it is in NSPR).
 *
 * Claim: a thread that enters the monitor of an address holds the one that is bound to it.
 * Defect: the monitor is looked up in one section of the table's lock and counted
 * as used in the next; in between the last user may have freed it. Nothing races:
 * the table is under its lock.  Main and two threads, all at work.
 * Fix: look up and count in one section. */
#include "../program.h"

enum { MONITORS = 2, ROUNDS = 3 };

static struct monitor {
    pthread_mutex_t lock;
    const void *address;
    int users;
} monitors[MONITORS];

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second; /* what is entered */

static struct monitor *look_up(const void *address)
{
    struct monitor *found = NULL;

    for (int i = 0; i < MONITORS; i++)
        if (monitors[i].address == address)
            return &monitors[i];
    for (int i = 0; i < MONITORS; i++)
        if (!monitors[i].address)
            found = &monitors[i];
    assert(found != NULL); /* as many monitors as there are addresses */
    found->address = address;
    return found;
}

static struct monitor *enter(const void *address)
{
    struct monitor *m;

    pthread_mutex_lock(&table_lock);
    m = look_up(address);
#ifndef FIXED
    pthread_mutex_unlock(&table_lock);
    pthread_mutex_lock(&table_lock);
#endif
    assert(m->address == address);
    m->users++;
    pthread_mutex_unlock(&table_lock);
    pthread_mutex_lock(&m->lock);
    return m;
}

static void leave(struct monitor *m)
{
    pthread_mutex_unlock(&m->lock);
    pthread_mutex_lock(&table_lock);
    if (--m->users == 0)
        m->address = NULL;
    pthread_mutex_unlock(&table_lock);
}

static void *use(void *address)
{
    for (int round = 0; round < ROUNDS; round++) {
        int *number = address;
        struct monitor *m = enter(address);

        ++*number;
        leave(m);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < MONITORS; i++)
        pthread_mutex_init(&monitors[i].lock, NULL);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, use, i == 0 ? &first : &second) != 0)
            exit(77);
    use(&first);
    use(&second);
    for (int i = 0; i < 2; i++)
        join(threads[i]);
    return 0;
}
