/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread.c - threads, the scheduler and the clock.  A thread lies at the start of a page, its stack
 * at the end of the same page.  The thread of the highest priority runs; threads of the same priority
 * take turns at every tick. */
#include "kernel.h"

struct thread *volatile current;
volatile unsigned ticks;

static struct thread *ready;
static struct thread *volatile sleepers;
static struct thread *idle_thread;
extern struct thread first_thread; /* boot.S */

void switch_threads(struct thread *from, struct thread *to);

void append(struct thread **list, struct thread *t)
{
    t->next = NULL;
    while (*list != NULL)
        list = &(*list)->next;
    *list = t;
}

/* The first of those with the highest priority. */
struct thread *take_highest(struct thread **list)
{
    struct thread **best = list;

    for (struct thread **at = list; *at != NULL; at = &(*at)->next)
        if ((*at)->priority > (*best)->priority)
            best = at;
    struct thread *t = *best;

    if (t != NULL)
        *best = t->next;
    return t;
}

static void schedule(void)
{
    struct thread *from = current, *to = take_highest(&ready);

    if (to == NULL)
        to = from->state == RUNNING ? from : idle_thread;
    to->state = RUNNING;
    current = to;
    if (to != from)
        switch_threads(from, to);
}

/* Gives way to a thread of at least this priority. */
static void give_way(int priority)
{
    for (struct thread *t = ready; t != NULL; t = t->next) {
        if (t->priority < priority && current != idle_thread)
            continue;
        current->state = READY;
        if (current != idle_thread)
            append(&ready, current);
        schedule();
        return;
    }
}

void thread_yield(void)
{
    bool enabled = intr_disable();

    give_way(current->priority);
    intr_restore(enabled);
}

void thread_block(void)
{
    current->state = BLOCKED;
    schedule();
}

void thread_unblock(struct thread *t)
{
    bool enabled = intr_disable();

    CHECK(t->state == BLOCKED);
    t->state = READY;
    append(&ready, t);
    intr_restore(enabled);
}

static void start(void)
{
    intr_enable();
    current->body(current->argument);
    thread_exit();
}

static struct thread *make(const char *name, int priority, void (*body)(void *), void *argument)
{
    struct thread *t = page_alloc();
    volatile uint32_t *top = (uint32_t *)((char *)t + PAGE);

    t->name = name;
    t->priority = t->base = priority;
    t->body = body;
    t->argument = argument;
    t->state = BLOCKED;
    *--top = 0;
    *--top = (uint32_t)start;
    t->esp = (void *)(top - 4); /* four registers */
    return t;
}

struct thread *thread_create(const char *name, int priority, void (*body)(void *), void *argument)
{
    struct thread *t = make(name, priority, body, argument);

    thread_unblock(t);
    if (priority > current->priority)
        thread_yield();
    return t;
}

_Noreturn void thread_exit(void)
{
    /* Mistake (exit-join): who waits for the end may run before this thread has left its stack. */
    if (mistake != EXIT_JOIN)
        intr_disable();
    sema_up(&current->ended);
    intr_disable();
    current->state = ENDED;
    schedule();
    panic("a thread runs after its end");
}

void thread_join(struct thread *t)
{
    sema_down(&t->ended);
    page_free(t);
}

static void idle(void *unused)
{
    (void)unused;
    for (;;)
        __asm__ volatile("sti; hlt");
}

void thread_init(void)
{
    current = &first_thread;
    current->name = "main";
    current->priority = current->base = NORMAL;
    current->state = RUNNING;
    idle_thread = make("idle", 0, idle, NULL);
}

void timer_sleep(unsigned n)
{
    struct thread *t = current;

    /* Mistake (alarm-simultaneous): a tick comes after the thread is in the list of sleepers and
     * before it is blocked.  The interrupt takes it out, and nobody wakes it again. */
    if (mistake != ALARM_SIMULTANEOUS)
        intr_disable();
    t->wakes = ticks + n;
    t->sleeps = sleepers;
    sleepers = t;
    intr_disable();
    thread_block();
    intr_enable();
}

__attribute__((used)) void timer_interrupt(void)
{
    ticks++;
    __asm__ volatile("outb %0, %1" : : "a"((uint8_t)0x20), "Nd"((uint16_t)0x20));
    for (struct thread *volatile *at = &sleepers; *at != NULL;) {
        struct thread *t = *at;

        if (t->wakes > ticks) {
            at = &t->sleeps;
            continue;
        }
        *at = t->sleeps;
        if (t->state == BLOCKED)
            thread_unblock(t);
    }
    give_way(current->priority);
}
