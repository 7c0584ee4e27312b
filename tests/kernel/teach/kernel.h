/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel.h - a kernel for tests: one processor, threads with priorities, semaphores, locks with
 * priority donation, condition variables, sleeping, processes with wait.  It is a program that
 * students write in a course on operating systems.
 *
 * Its command line names a test (tests.c) and may contain the word "fixed".  Without that word the
 * kernel has the mistake that the test is about, and no other: the code asks has_mistake, and the
 * comment beside it says what goes wrong. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE 4096
#define NORMAL 31 /* priority */

enum mistake {
    NO_MISTAKE,
    PRIORITY_SEMA,
    ALARM_SIMULTANEOUS,
    WAIT_SIMPLE,
    WAIT_TWICE,
    PRIORITY_DONATE_MULTIPLE,
    EXIT_JOIN,
    OF_THE_TEST, /* the threads of the test are wrong, not the kernel */
};

extern enum mistake mistake; /* the one that the kernel has */

#define CHECK(condition)                                                                     \
    do {                                                                                     \
        if (!(condition))                                                                    \
            panic("check failed: " #condition);                                              \
    } while (0)

/* ---- machine.c ---- */
bool intr_disable(void); /* were interrupts enabled before? */
void intr_enable(void);
void intr_restore(bool enabled);
void print(const char *text);
_Noreturn void panic(const char *text);
void machine_init(void);
void *page_alloc(void); /* zeroed */
void page_free(void *page);
void *zero_page(void *page);
void page_given(void *page);

/* ---- thread.c ---- */
enum state { RUNNING, READY, BLOCKED, ENDED };

struct thread;
struct sema {
    volatile unsigned value;
    struct thread *waiting; /* linked by next, the first to wait first */
};

struct lock {
    struct thread *volatile owner;
    struct sema free;
    struct lock *next; /* of the locks that the owner holds */
};

struct process;
struct thread {
    void *esp; /* boot.S */
    enum state state;
    volatile int priority; /* with what others have donated */
    int base;              /* without */
    struct thread *next;   /* in the list of ready threads, or of those that wait */
    struct thread *sleeps; /* the next sleeper */
    unsigned wakes;        /* tick */
    const char *name;
    void (*body)(void *);
    void *argument;
    struct lock *holds;
    struct sema ended;
    struct process *process;
};

extern struct thread *volatile current;
extern volatile unsigned ticks;

void thread_init(void);
struct thread *thread_create(const char *name, int priority, void (*body)(void *), void *argument);
void thread_block(void);                 /* interrupts are disabled */
void thread_unblock(struct thread *t);   /* of a blocked thread only */
void thread_yield(void);
_Noreturn void thread_exit(void);
void thread_join(struct thread *t); /* waits for its end and frees it */
void timer_sleep(unsigned n);
void timer_interrupt(void);
struct thread *take_highest(struct thread **list);
void append(struct thread **list, struct thread *t);

/* ---- sync.c ---- */
void sema_init(struct sema *s, unsigned value);
void sema_down(struct sema *s);
void sema_up(struct sema *s);
void lock_init(struct lock *l);
void lock_acquire(struct lock *l);
void lock_release(struct lock *l);
struct cond {
    struct waiter *waiting;
};
void cond_wait(struct cond *c, struct lock *l);
void cond_signal(struct cond *c);

/* ---- process.c ---- */
int process_exec(const char *name, int (*body)(void));
int process_wait(int pid); /* what its body returned; -1 when nothing is to be waited for */

/* ---- tests.c ---- */
void run_test(const char *name, bool fixed);
void test_begin(void); /* the kernel is up: what is to be explored begins */
void test_end(void);

#endif
