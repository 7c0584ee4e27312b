/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sync.c - semaphores, locks that donate priority, condition variables. */
#include "kernel.h"

void sema_init(struct sema *s, unsigned value)
{
    s->value = value;
    s->waiting = NULL;
}

void sema_down(struct sema *s)
{
    bool enabled = intr_disable();

    while (s->value == 0) {
        append(&s->waiting, current);
        thread_block();
    }
    s->value--;
    intr_restore(enabled);
}

static void wake_first(struct sema *s)
{
    struct thread *t = take_highest(&s->waiting);

    if (t != NULL)
        thread_unblock(t);
}

void sema_up(struct sema *s)
{
    /* Mistake (priority-sema): the thread that was woken may run before the value has grown.  It
     * finds 0 and waits again, and nobody wakes it. */
    bool enabled = mistake != PRIORITY_SEMA ? intr_disable() : false;

    wake_first(s);
    s->value++;
    intr_restore(enabled);
}

void lock_init(struct lock *l)
{
    l->owner = NULL;
    l->next = NULL;
    sema_init(&l->free, 1);
}

static void donate(struct lock *l)
{
    struct thread *owner = l->owner;

    if (owner != NULL && owner->priority < current->priority)
        owner->priority = current->priority;
}

void lock_acquire(struct lock *l)
{
    bool enabled = intr_disable();

    donate(l);
    sema_down(&l->free);
    l->owner = current;
    l->next = current->holds;
    current->holds = l;
    intr_restore(enabled);
}

static int highest(const struct lock *held, int priority)
{
    for (; held != NULL; held = held->next)
        for (const struct thread *t = held->free.waiting; t != NULL; t = t->next)
            if (t->priority > priority)
                priority = t->priority;
    return priority;
}

void lock_release(struct lock *l)
{
    struct thread *t = current;

    CHECK(l->owner == t);
    /* Mistake (priority-donate-multiple): a thread that comes between the computation of the new
     * priority and its assignment donates its own in vain. */
    bool enabled = mistake != PRIORITY_DONATE_MULTIPLE ? intr_disable() : true;

    for (struct lock **at = &t->holds; *at != NULL; at = &(*at)->next)
        if (*at == l) {
            *at = l->next;
            break;
        }
    int priority = highest(t->holds, t->base);

    t->priority = priority;
    intr_disable();
    l->owner = NULL;
    wake_first(&l->free);
    l->free.value++;
    intr_restore(enabled);
    thread_yield();
}

struct waiter {
    struct sema woken;
    struct waiter *next;
};

/* Precondition: the thread has the lock, and so has who signals. */
void cond_wait(struct cond *c, struct lock *l)
{
    struct waiter w, **at = &c->waiting;

    sema_init(&w.woken, 0);
    w.next = NULL;
    while (*at != NULL)
        at = &(*at)->next;
    *at = &w;
    lock_release(l);
    sema_down(&w.woken);
    lock_acquire(l);
}

void cond_signal(struct cond *c)
{
    struct waiter *w = c->waiting;

    if (w == NULL)
        return;
    c->waiting = w->next;
    sema_up(&w->woken);
}
