/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tests.c - one function for each mistake that the kernel, or the test itself, can have. */
#include "kernel.h"

enum mistake mistake;

/* Empty: who watches the kernel knows by them what to look at. */
__attribute__((noinline)) void test_begin(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) void test_end(void)
{
    print("PASS\n");
    for (;;)
        __asm__ volatile("cli; hlt");
}

/* ---- mistakes of the kernel ---- */

static struct sema sema;

static void downs(void *unused)
{
    (void)unused;
    sema_down(&sema);
}

/* Two threads of the same priority wait, and the semaphore goes up twice. */
static void priority_sema(void)
{
    struct thread *a = thread_create("a", NORMAL, downs, NULL);
    struct thread *b = thread_create("b", NORMAL, downs, NULL);

    sema_up(&sema);
    sema_up(&sema);
    thread_join(a);
    thread_join(b);
}

static void sleeps(void *unused)
{
    (void)unused;
    timer_sleep(1);
}

static void alarm_simultaneous(void)
{
    struct thread *a = thread_create("a", NORMAL, sleeps, NULL);
    struct thread *b = thread_create("b", NORMAL, sleeps, NULL);

    thread_join(a);
    thread_join(b);
}

static int child(void)
{
    return 81;
}

static void wait_simple(void)
{
    CHECK(process_wait(process_exec("child", child)) == 81);
}

static void wait_twice(void)
{
    int pid = process_exec("child", child);

    CHECK(process_wait(pid) == 81);
    CHECK(process_wait(pid) == -1);
}

static struct lock left, right;

static void acquires(void *argument)
{
    struct lock *l = argument;

    if (l == &left)
        timer_sleep(1);
    lock_acquire(l);
    lock_release(l);
}

static void check_donation(void)
{
    bool enabled = intr_disable();

    CHECK(left.free.waiting == NULL || current->priority >= left.free.waiting->priority);
    intr_restore(enabled);
}

static void donate_multiple(void)
{
    lock_acquire(&left);
    lock_acquire(&right);
    struct thread *a = thread_create("a", NORMAL + 1, acquires, &right);
    struct thread *b = thread_create("b", NORMAL + 2, acquires, &left);

    lock_release(&right);
    check_donation();
    lock_release(&left);
    CHECK(current->priority == NORMAL);
    thread_join(a);
    thread_join(b);
}

static void nothing(void *unused)
{
    (void)unused;
}

static void exit_join(void)
{
    thread_join(thread_create("a", NORMAL, nothing, NULL));
    void *page = page_alloc();

    page_free(page);
}

/* ---- mistakes of threads that use it ---- */

static volatile int counter;

static void counts(void *unused)
{
    (void)unused;
    if (mistake != OF_THE_TEST)
        lock_acquire(&left);
    int seen = counter;

    counter = seen + 1;
    if (mistake != OF_THE_TEST)
        lock_release(&left);
}

static void count(void)
{
    struct thread *a = thread_create("a", NORMAL, counts, NULL);
    struct thread *b = thread_create("b", NORMAL, counts, NULL);

    thread_join(a);
    thread_join(b);
    CHECK(counter == 2);
}

/* Waits by asking again and again for what a lost update keeps from coming. */
static void hang(void)
{
    thread_create("a", NORMAL, counts, NULL);
    thread_create("b", NORMAL, counts, NULL);
    while (counter < 2)
        thread_yield();
}

static void both(void *backwards)
{
    struct lock *first = backwards != NULL && mistake == OF_THE_TEST ? &right : &left;
    struct lock *second = first == &left ? &right : &left;

    lock_acquire(first);
    lock_acquire(second);
    lock_release(second);
    lock_release(first);
}

static void lock_order(void)
{
    struct thread *a = thread_create("a", NORMAL, both, NULL);
    struct thread *b = thread_create("b", NORMAL, both, &left);

    thread_join(a);
    thread_join(b);
}

static int *volatile pointer;
static int pointed = 7;

static void clears(void *unused)
{
    (void)unused;
    lock_acquire(&left);
    pointer = NULL;
    lock_release(&left);
}

static void null_pointer(void)
{
    pointer = &pointed;
    struct thread *a = thread_create("a", NORMAL, clears, NULL);

    if (mistake != OF_THE_TEST)
        lock_acquire(&left);
    if (pointer != NULL)
        counter = *pointer;
    if (mistake != OF_THE_TEST)
        lock_release(&left);
    thread_join(a);
}

static struct cond filled;
static volatile bool full;

static void fills(void *unused)
{
    (void)unused;
    lock_acquire(&left);
    full = true;
    cond_signal(&filled);
    lock_release(&left);
}

/* Looks at the condition without the lock: the signal may come before the wait. */
static void lost_signal(void)
{
    struct thread *a = thread_create("a", NORMAL, fills, NULL);

    if (mistake == OF_THE_TEST && full) {
        thread_join(a);
        return;
    }
    lock_acquire(&left);
    while (!full || mistake == OF_THE_TEST) {
        cond_wait(&filled, &left);
        if (mistake == OF_THE_TEST)
            break;
    }
    lock_release(&left);
    thread_join(a);
}

/* Without a table of interrupts, an exception resets the processor. */
static void reset(void)
{
    static const struct __attribute__((packed)) {
        uint16_t limit;
        uint32_t base;
    } nothing = { 0, 0 };
    struct thread *a = thread_create("a", NORMAL, counts, NULL);
    struct thread *b = thread_create("b", NORMAL, counts, NULL);

    thread_join(a);
    thread_join(b);
    if (counter != 2)
        __asm__ volatile("lidt %0; int3" : : "m"(nothing));
}

static const struct {
    const char *name;
    void (*run)(void);
    enum mistake mistake;
} tests[] = {
    { "priority-sema", priority_sema, PRIORITY_SEMA },
    { "alarm-simultaneous", alarm_simultaneous, ALARM_SIMULTANEOUS },
    { "wait-simple", wait_simple, WAIT_SIMPLE },
    { "wait-twice", wait_twice, WAIT_TWICE },
    { "priority-donate-multiple", donate_multiple, PRIORITY_DONATE_MULTIPLE },
    { "exit-join", exit_join, EXIT_JOIN },
    { "count", count, OF_THE_TEST },
    { "hang", hang, OF_THE_TEST },
    { "lock-order", lock_order, OF_THE_TEST },
    { "null-pointer", null_pointer, OF_THE_TEST },
    { "reset", reset, OF_THE_TEST },
    { "lost-signal", lost_signal, OF_THE_TEST },
};

static bool same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b)
        a++, b++;
    return *a == *b;
}

void run_test(const char *name, bool fixed)
{
    lock_init(&left);
    lock_init(&right);
    for (unsigned i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (same(tests[i].name, name)) {
            mistake = fixed ? NO_MISTAKE : tests[i].mistake;
            test_begin();
            intr_enable();
            tests[i].run();
            test_end();
        }
    panic("no such test");
}
