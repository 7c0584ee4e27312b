/* SPDX-License-Identifier: BSD-2-Clause
 *
 * await - waiting loops: "await KIND N".  A round that did not see what the loop
 * waits for is no step, so executions are counted by what the loops see when they end. */
#include <linux/futex.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live.h"

enum { MOST = 8 };

struct node {
    struct node *next;
    int locked;
};

static int n, word, next, serving, first, second, count, units = 1;
static struct node *tail, nodes[MOST];

/* N stores, of which the loop sees the last. */
static void *stores(void *arg)
{
    for (int i = 1; i <= n; i++)
        put(word, i);
    return arg;
}

static void *sees_last(void *arg)
{
    int last = n;

    while (get(word) != last)
        ;
    return arg;
}

static void *sees_first(void *arg)
{
    while (get(word) != 1)
        ;
    return arg;
}

static void *yields(void *arg)
{
    int last = n;

    while (get(word) != last)
        sched_yield();
    return arg;
}

static void *gives_up(void *arg)
{
    int rounds = n;

    for (int i = 0; i < rounds && get(word) == 0; i++)
        ;
    return arg;
}

/* Counts to N and sees two stores, neither of which ends the loop. */
static void *gives_up_late(void *arg)
{
    int rounds = n;

    for (int i = 0; i < rounds && get(word) != 3; i++)
        ;
    return arg;
}

static void *two_stores(void *arg)
{
    put(word, 1);
    put(word, 2);
    return arg;
}

static void *raises(void *arg)
{
    put(word, 1);
    return arg;
}

static void *cas_lock(void *arg)
{
    int expected;

    do
        expected = 0;
    while (!__atomic_compare_exchange_n(&word, &expected, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    count++;
    put(word, 0);
    return arg;
}

static void *cas_lock_twice(void *arg)
{
    cas_lock(arg);
    return cas_lock(arg);
}

static void *exchange_lock(void *arg)
{
    while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE) != 0)
        ;
    count++;
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
    return arg;
}

static void *ticket_lock(void *arg)
{
    int mine = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);

    while (get(serving) != mine)
        ;
    count++;
    put(serving, mine + 1);
    return arg;
}

static void *mcs_lock(void *arg)
{
    struct node *me = &nodes[(intptr_t)arg], *other, *expected = me;

    put(me->next, NULL);
    put(me->locked, 1);
    other = __atomic_exchange_n(&tail, me, __ATOMIC_SEQ_CST);
    if (other != NULL) {
        put(other->next, me);
        while (get(me->locked))
            ;
    }
    count++;
    other = get(me->next);
    if (other == NULL) {
        if (__atomic_compare_exchange_n(&tail, &expected, NULL, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return arg;
        while ((other = get(me->next)) == NULL)
            ;
    }
    put(other->locked, 0);
    return arg;
}

static void *barrier(void *arg)
{
    int all = n;

    __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
    while (get(word) != all)
        ;
    return arg;
}

/* Looks before it tries: two operations in a round. */
static void *ttas_lock(void *arg)
{
    do
        while (get(word) != 0)
            ;
    while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE) != 0);
    count++;
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
    return arg;
}

static void *ttas_yield(void *arg)
{
    do
        while (get(word) != 0)
            sched_yield();
    while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE) != 0);
    count++;
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
    return arg;
}

static void *peterson_lock(void *arg)
{
    int me = (int)(intptr_t)arg, *mine = me == 0 ? &first : &second, *others = me == 0 ? &second : &first;

    put(*mine, 1);
    put(word, 1 - me);
    while (get(*others) && get(word) == 1 - me)
        ;
    count++;
    put(*mine, 0);
    return arg;
}

/* Failed attempts at a lock are tried again. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;

static void *try_mutex(void *arg)
{
    while (pthread_mutex_trylock(&mutex) != 0)
        ;
    count++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *try_spin(void *arg)
{
    while (pthread_spin_trylock(&spin) != 0)
        sched_yield();
    count++;
    pthread_spin_unlock(&spin);
    return arg;
}

static void *try_semaphore(void *arg)
{
    while (sem_trywait(&semaphore) != 0)
        ;
    count++;
    sem_post(&semaphore);
    return arg;
}

static void *try_write(void *arg)
{
    while (pthread_rwlock_trywrlock(&rwlock) != 0)
        ;
    count++;
    pthread_rwlock_unlock(&rwlock);
    return arg;
}

/* The first thread writes, the others read. */
static void *try_both(void *arg)
{
    if ((intptr_t)arg == 0)
        return try_write(arg);
    while (pthread_rwlock_tryrdlock(&rwlock) != 0)
        ;
    (void)get(word);
    pthread_rwlock_unlock(&rwlock);
    return arg;
}

/* Nobody unlocks, and nobody raises it. */
static void *try_kept(void *arg)
{
    while (pthread_mutex_trylock(&mutex) != 0)
        ;
    while (get(word) == 0)
        ;
    return arg;
}

static void *try_thrice(void *arg)
{
    for (int i = 0; i < 3; i++)
        if (pthread_mutex_trylock(&mutex) == 0) {
            count++;
            pthread_mutex_unlock(&mutex);
            break;
        }
    return arg;
}

/* An increment that is tried again with what is found: the loop keeps the old value. */
static void *retry(void *arg)
{
    int old;

    do
        old = get(word);
    while (!__atomic_compare_exchange_n(&word, &old, old + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return arg;
}

/* A stack without locks: main has pushed N nodes. */
static struct node *top;

static void *pop(void *arg)
{
    struct node *old, *below;

    do {
        old = get(top);
        if (old == NULL)
            return NULL;
        below = old->next;
    } while (!__atomic_compare_exchange_n(&top, &old, below, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return arg;
}

/* Every round stores what it has loaded in the node, which no other thread knows yet: the next one stores again. */
static void *push(void *arg)
{
    struct node *me = &nodes[(intptr_t)arg], *old;

    do {
        old = get(top);
        me->next = old;
    } while (!__atomic_compare_exchange_n(&top, &old, me, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return arg;
}

static void *push_or_pop(void *arg)
{
    return (intptr_t)arg % 2 == 0 ? push(arg) : pop(arg);
}

/* A semaphore of 1: waits until it is positive, takes one, and gives it back. */
static void *take_one(void *arg)
{
    int old;

    do
        while ((old = get(units)) == 0)
            ;
    while (!__atomic_compare_exchange_n(&units, &old, old - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    __atomic_fetch_add(&units, 1, __ATOMIC_SEQ_CST);
    return arg;
}

/* The same, but waits for the futex while there is none. */
static void *take_futex(void *arg)
{
    for (;;) {
        int old = get(units);

        if (old == 0)
            syscall(SYS_futex, &units, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
        else if (__atomic_compare_exchange_n(&units, &old, old - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            break;
    }
    count++;
    __atomic_fetch_add(&units, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &units, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return arg;
}

/* Michael and Scott's queue: helps if the tail is behind. */
static struct node *front = &nodes[MOST - 1], *back = &nodes[MOST - 1];

static void *enqueue(void *arg)
{
    struct node *me = &nodes[(intptr_t)arg], *last, *none;

    for (;;) {
        last = get(back);
        struct node *after = get(last->next);

        if (after != NULL) {
            __atomic_compare_exchange_n(&back, &last, after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
            continue;
        }
        none = NULL;
        if (__atomic_compare_exchange_n(&last->next, &none, me, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            break;
    }
    __atomic_compare_exchange_n(&back, &last, me, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

static void *dequeue(void *arg)
{
    for (;;) {
        struct node *first_node = get(front), *last = get(back), *after = get(first_node->next);

        if (first_node != last) {
            if (__atomic_compare_exchange_n(&front, &first_node, after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
                return arg;
        } else if (after == NULL) {
            return NULL;
        } else {
            __atomic_compare_exchange_n(&back, &last, after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        }
    }
}

/* The first thread waits until all others have counted down. */
static void *latch(void *arg)
{
    int all = n - 1;

    if ((intptr_t)arg != 0)
        __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
    else
        while (get(word) != all)
            ;
    return arg;
}

/* Leaves only by a round in which the first flag is read before the second is raised. */
static void *sees_both(void *arg)
{
    while (!(get(first) && get(second)))
        ;
    return arg;
}

static void *raises_both(void *arg)
{
    put(first, 1);
    put(first, 0);
    put(second, 1);
    return arg;
}

/* Three threads.  When the first flag is up, the loop of one operation becomes one of two. */
static void *raised_apart(void *arg)
{
    if ((intptr_t)arg == 0)
        return sees_both(arg);
    if ((intptr_t)arg == 1)
        put(first, 1);
    else
        put(second, 1);
    return arg;
}

static void *raises_both_at_last(void *arg)
{
    raises_both(NULL);
    put(first, 1);
    return arg;
}

/* Three threads.  Whether the loop on the second flag would go round where another order wants it is
 * unknown at first: sequences that a search thinks covered by it must not be lost. */
static void *lowers_second(void *arg)
{
    put(first, 1);
    put(second, 0);
    (void)get(first);
    return arg;
}

static void *swaps_first_sees_second(void *arg)
{
    int expected;

    do
        expected = 1;
    while (!__atomic_compare_exchange_n(&first, &expected, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    while (get(second) == 0)
        ;
    return arg;
}

static void *raises_second(void *arg)
{
    (void)get(first);
    put(first, 1);
    put(second, 1);
    return arg;
}

static const struct {
    const char *name;
    void *(*one)(void *), *(*other)(void *), *(*third)(void *); /* other NULL: N threads of the first */
} kinds[] = {
    { "stores", stores, sees_last, NULL },
    { "first", stores, sees_first, NULL },
    { "yield", stores, yields, NULL },
    { "giveup", raises, gives_up, NULL },
    { "cas", cas_lock, NULL, NULL },
    { "cas-twice", cas_lock_twice, NULL, NULL },
    { "exchange", exchange_lock, NULL, NULL },
    { "ticket", ticket_lock, NULL, NULL },
    { "mcs", mcs_lock, NULL, NULL },
    { "barrier", barrier, NULL, NULL },
    { "ttas", ttas_lock, NULL, NULL },
    { "ttas-yield", ttas_yield, NULL, NULL },
    { "peterson", peterson_lock, NULL, NULL },
    { "trylock", try_mutex, NULL, NULL },
    { "tryspin", try_spin, NULL, NULL },
    { "trysem", try_semaphore, NULL, NULL },
    { "trywrite", try_write, NULL, NULL },
    { "tryboth", try_both, NULL, NULL },
    { "trykept", try_kept, NULL, NULL },
    { "trythrice", try_thrice, NULL, NULL },
    { "retry", retry, NULL, NULL },
    { "latch", latch, NULL, NULL },
    { "both", raises_both, sees_both, NULL },
    { "apart", raised_apart, NULL, NULL },
    { "both-at-last", raises_both_at_last, sees_both, NULL },
    { "never", two_stores, gives_up_late, NULL },
    { "pop", pop, NULL, NULL },
    { "push", push, NULL, NULL },
    { "stack", push_or_pop, NULL, NULL },
    { "take", take_one, NULL, NULL },
    { "futex", take_futex, NULL, NULL },
    { "enqueue", enqueue, NULL, NULL },
    { "queue", enqueue, dequeue, NULL },
    { "queue-two", enqueue, enqueue, dequeue },
    { "three", lowers_second, swaps_first_sees_second, raises_second },
};

int main(int argc, char **argv)
{
    pthread_t thread[MOST];
    unsigned k = 0;

    take_variant(argc, argv);
    while (k + 1 < sizeof kinds / sizeof *kinds && !is(kinds[k].name))
        k++;
    n = argc > 2 ? atoi(argv[2]) : 2;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    for (int i = 0; is("pop") && i < n; i++) {
        nodes[i].next = top;
        top = &nodes[i];
    }
    int threads = kinds[k].third != NULL ? 3 : kinds[k].other != NULL ? 2 : n < MOST ? n : MOST;

    for (int i = 0; i < threads; i++)
        thread[i] = spawn_number(i == 2 && kinds[k].third != NULL ? kinds[k].third :
                                 i == 1 && kinds[k].other != NULL ? kinds[k].other : kinds[k].one, i);
    for (int i = 0; i < threads; i++)
        join(thread[i]);
    return 0;
}
