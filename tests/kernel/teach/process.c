/* SPDX-License-Identifier: BSD-2-Clause
 *
 * process.c - processes: a thread each, with a record that its parent and itself share.  Whoever
 * lets go of the record last frees it. */
#include "kernel.h"

#define PROCESSES 8

struct process {
    int (*body)(void);
    volatile bool ended;
    volatile int code;
    volatile int users; /* the parent and the process itself */
    struct thread *volatile waits;
};

static struct process *table[PROCESSES];

static void let_go(struct process *p)
{
    /* Mistake (wait-twice): both may find 0 here, and both free the record. */
    bool enabled = mistake != WAIT_TWICE ? intr_disable() : false;

    p->users--;
    if (p->users == 0)
        page_free(p);
    intr_restore(enabled);
}

static void start(void *argument)
{
    struct process *p = argument;

    p->code = p->body();
    p->ended = true;
    bool enabled = intr_disable();

    if (p->waits != NULL && p->waits->state == BLOCKED)
        thread_unblock(p->waits);
    intr_restore(enabled);
    let_go(p);
}

int process_exec(const char *name, int (*body)(void))
{
    struct process *p = page_alloc();
    int pid = 0;

    while (table[pid] != NULL)
        pid++;
    table[pid] = p;
    p->body = body;
    p->users = 2;
    thread_create(name, NORMAL, start, p);
    return pid;
}

int process_wait(int pid)
{
    struct process *p = table[pid];

    if (p == NULL)
        return -1;
    table[pid] = NULL;
    /* Mistake (wait-simple): the process may end after it was looked at and before its parent is
     * blocked; nobody wakes the parent then. */
    bool enabled = mistake != WAIT_SIMPLE ? intr_disable() : true;

    if (!p->ended) {
        p->waits = current;
        intr_disable();
        thread_block();
    }
    intr_restore(enabled);
    int code = p->code;

    let_go(p);
    return code;
}
