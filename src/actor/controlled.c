/* SPDX-License-Identifier: BSD-2-Clause
 *
 * controlled.c - the executor under Heddle: each actor has a thread of its own, and so does each armed timer.  No
 * other thread runs between two announced operations (heddle/mail.h), so this file needs no lock. */
#include <pthread.h>
#include <stdlib.h>

#include <heddle/heddle.h>
#include <heddle/mail.h>

#include "actor/node.h"

enum { PLACES = 256 }; /* a mailbox with more messages reuses addresses, which only orders more operations than
                        * necessary */

static const char idle; /* its address represents the number of tasks that are not done (heddle_mail_busy) */

static const char *place(struct heddle_cell_ *c, uint32_t i)
{
    if (c->places == NULL)
        c->places = ha_allocate(PLACES);
    return c->places + i % PLACES;
}

static void start(unsigned workers)
{
    (void)workers;
}

/* The actors end with the process.  Until then they stay idle. */
static void stop(void)
{
    heddle_mail_quiet(&idle);
}

static void run_thread(void *(*main)(void *), void *arg)
{
    pthread_attr_t attr;
    pthread_t thread;

    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attr, main, arg) != 0)
        abort();
    pthread_attr_destroy(&attr);
}

static void wait_for_mail(struct heddle_cell_ *c)
{
    heddle_mail_receive(place(c, c->taken), atomic_load(&c->capacity) != 0 ? c : NULL);
    c->taken++;
}

static void *actor_main(void *cell)
{
    struct heddle_cell_ *c = cell;
    heddle_message *m;

    heddle_thread_name(c->name != NULL ? c->name : c->what->name);
    if (!ha_begin(c))
        return NULL;
    do {
        m = ha_unstash(c);
        while (m == NULL) {
            wait_for_mail(c);
            m = ha_next(c);
        }
    } while (ha_act(c, m));
    return NULL;
}

/* A thread that is not an actor may create an actor while another one waits in heddle_quiesce.  This orders the two. */
static void created(struct heddle_cell_ *c)
{
    place(c, 0);
    if (ha_current == NULL || ha_current->what == NULL)
        heddle_mail_send(c, &idle, "create");
}

static void owns(struct heddle_cell_ *c)
{
    heddle_mail_own(c);
}

static void launch(struct heddle_cell_ *c)
{
    run_thread(actor_main, c);
    heddle_mail_owner(c);
}

/* An actor that sends is not idle, so heddle_quiesce cannot return meanwhile. */
static void sends(struct heddle_cell_ *c, const heddle_message *m)
{
    if (ha_current != NULL && ha_current->what != NULL && ha_current->node != NULL)
        heddle_mail_effect(c, ha_current->node, m->type->name);
    else
        heddle_mail_send(c, ha_life(c) & HA_THREAD ? NULL : &idle, m->type->name);
}

static void sent(struct heddle_cell_ *c)
{
    heddle_mail_put(place(c, c->put++));
}

static void nothing(struct heddle_cell_ *c)
{
    (void)c;
}

static void looks(const void *shared)
{
    heddle_mail_look(shared);
}

static void writes(const void *shared)
{
    heddle_mail_write(shared);
}

static void affects(const void *shared, struct heddle_node *node, const char *what)
{
    heddle_mail_effect(shared, node, what);
}

static void strikes(const void *shared)
{
    heddle_mail_strike(shared);
}

static void counts(int more)
{
    heddle_mail_busy(&idle, more);
}

static void quiet(void)
{
    heddle_mail_quiet(&idle);
}

/* ---- timers --------------------------------------------------------------------------------------------- */

/* A thread that waits for the alarms of one actor, one after the other.  Each search has a limited number of
 * threads, and programs arm timers again and again, so actors reuse these threads.  An actor may do so only after it
 * has cancelled the thread's alarm or taken its message: its behaviour must not depend on anything that is not
 * announced. */
struct ha_timer {
    struct ha_timer *next;
    struct heddle_alarm_ *alarm; /* the alarm that it waits for, as far as its actor knows; null: none */
    struct heddle_alarm_ *given[PLACES]; /* by place: the alarms that the thread must wait for */
    uint32_t put, taken;
    char places[PLACES];
};

/* Waits for the alarm.  The limit of --faults timer=N decides whether it expires, and the search decides when. */
static void wait_for_alarm(struct heddle_alarm_ *a)
{
    if (!a->courier && heddle_mail_fault(HEDDLE_FAULT_TIMER) == 0) {
        heddle_mail_busy(&idle, -1); /* the alarm never expires */
        return;
    }
    if (a->courier)
        heddle_mail_strike(a);
    else
        heddle_mail_write(a); /* the alarm expires here, unless it was cancelled before */
    if (atomic_load(&a->life) % 2 == 0) /* the alarm is not reused, so it is armed only once */
        return;
    atomic_fetch_add(&a->life, 1);
    ha_alarm_expired(a);
}

static void *timer_main(void *timer)
{
    struct ha_timer *t = timer;

    heddle_thread_name(t->given[0]->courier ? "network" : "timer");
    wait_for_alarm(t->given[0]);
    for (;;) {
        t->taken++;
        heddle_mail_receive(&t->places[t->taken % PLACES], NULL);
        wait_for_alarm(t->given[t->taken % PLACES]);
    }
    return NULL;
}

static void arm(struct heddle_alarm_ *a)
{
    struct heddle_cell_ *owner = heddle_self().cell;
    struct ha_timer *t = owner->timers;

    while (t != NULL && (t->alarm != NULL || a->courier))
        t = t->next;
    if (t == NULL) {
        t = ha_allocate(sizeof *t);
        *t = (struct ha_timer){ .next = owner->timers, .alarm = a, .given = { a } };
        owner->timers = t;
        run_thread(timer_main, t);
        return;
    }
    t->alarm = a;
    t->put++;
    t->given[t->put % PLACES] = a;
    heddle_mail_put(&t->places[t->put % PLACES]);
}

static void rings(struct heddle_cell_ *c, const heddle_message *m)
{
    for (struct ha_timer *t = c->timers; t != NULL; t = t->next)
        if (t->alarm != NULL && t->alarm->message == m && t->alarm->to.cell == c)
            t->alarm = NULL;
}

static heddle_message *disarm(struct heddle_alarm_ *a, uint64_t life)
{
    heddle_mail_write(a);
    if (atomic_load(&a->life) != life)
        return NULL;
    atomic_fetch_add(&a->life, 1);
    for (struct ha_timer *t = ha_current != NULL ? ha_current->timers : NULL; t != NULL; t = t->next)
        if (t->alarm == a)
            t->alarm = NULL;
    return a->message;
}

/* ---- nodes ------------------------------------------------------------------------------------------------- */

static bool is_partitioned; /* --faults partition applies; the first node checks that */

static void *crash_main(void *node)
{
    heddle_thread_name("crash");
    while (heddle_mail_fault(HEDDLE_FAULT_CRASH) > 0) {
        heddle_node_crash(node);
        heddle_node_restart(node);
    }
    heddle_mail_busy(&idle, -1);
    return NULL;
}

static void *partition_main(void *of)
{
    struct heddle_node *node = of;

    heddle_thread_name("partition");
    while (heddle_mail_fault(HEDDLE_FAULT_PARTITION) > 0) {
        heddle_mail_strike(&node->cut_off);
        atomic_store(&node->cut_off, 1);
        heddle_mail_strike(&node->cut_off);
        atomic_store(&node->cut_off, 0);
    }
    heddle_mail_busy(&idle, -1);
    return NULL;
}

static bool partitions(void)
{
    return is_partitioned;
}

/* Each decision of these threads counts as a task that is not done. */
static void new_node(struct heddle_node *node)
{
    if (heddle_mail_asks(HEDDLE_FAULT_CRASH)) {
        heddle_mail_send(node, &idle, "create");
        heddle_mail_busy(&idle, 1);
        run_thread(crash_main, node);
    }
    if (heddle_mail_asks(HEDDLE_FAULT_PARTITION)) {
        is_partitioned = true;
        heddle_mail_send(node, &idle, "create");
        heddle_mail_busy(&idle, 1);
        run_thread(partition_main, node);
    }
}

const struct ha_executor ha_controlled = {
    .start = start, .stop = stop, .owns = owns, .launch = launch, .created = created, .sends = sends, .sent = sent,
    .ready = nothing, .wait = wait_for_mail, .wakes = nothing, .looks = looks, .writes = writes, .affects = affects, .strikes = strikes,
    .counts = counts, .quiet = quiet, .node = new_node, .partitions = partitions, .rings = rings,
    .arm = arm, .disarm = disarm,
};
