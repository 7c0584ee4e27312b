/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wait_simple - a process starts a child and waits for its status; with TWICE it waits a second
 * time, which must fail at once (wait-simple and wait-twice of the tests of Pintos kernels).
 *
 * Claim: it gets the status, nothing is used after it was freed, no thread waits forever.
 * FREES_ITSELF: the child frees its record when it exits, though its parent may be looking at it.
 * NO_LOOK: the parent blocks without looking whether the child has exited already.  FORGETS: a wait
 * leaves the record in place, and the second one waits for what does not come. */
#include "pintos.h"

enum { PARENT = 0, STATUS = 42, NO_CHILD = -1 };

struct record {
    bool has_exited;
    int status;
    bool parent_waits;
};

static struct record *child_record;

static void *child(void *arg)
{
    struct record *mine = arg;

    disable_interrupts();
    mine->status = STATUS;
    mine->has_exited = true;
    if (mine->parent_waits)
        unblock(PARENT);
    enable_interrupts();
#ifdef FREES_ITSELF
    disable_interrupts();
    free(mine);
    enable_interrupts();
#endif
    return NULL;
}

static void await_exit(struct record *record)
{
#ifdef NO_LOOK
    record->parent_waits = true;
    block(PARENT);
#else
    if (!record->has_exited) {
        record->parent_waits = true;
        block(PARENT);
    }
#endif
}

static int wait_for_child(void)
{
    int status = NO_CHILD;

    disable_interrupts();
    if (child_record) {
        await_exit(child_record);
        status = child_record->status;
#if defined(FORGETS)
        child_record->has_exited = false;
#elif !defined(FREES_ITSELF)
        free(child_record);
        child_record = NULL;
#endif
    }
    enable_interrupts();
    return status;
}

int main(void)
{
    pthread_t thread;

    set_up_threads();
    child_record = calloc(1, sizeof *child_record);
    assert(child_record);
    if (pthread_create(&thread, NULL, child, child_record) != 0)
        exit(77); /* no finding: this machine has no thread left */
    assert(wait_for_child() == STATUS);
#ifdef TWICE
    assert(wait_for_child() == NO_CHILD);
#endif
    join(thread);
    return 0;
}
