/* SPDX-License-Identifier: BSD-2-Clause
 *
 * controlled.c - the executor under Heddle: every actor is a thread, and so is every armed timer.  Between two announced
 * operations (heddle/mail.h) no other thread runs, so nothing here needs a lock. */
#include <pthread.h>
#include <stdlib.h>

#include <heddle/heddle.h>
#include <heddle/mail.h>

#include "actor/cell.h"

enum { PLACES = 1024 }; /* a mailbox with more messages uses the same addresses again, which only orders too much */

static const char idle; /* stands for all that is to be done before the actors are quiet */

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

/* The actors end with the process.  Until then they are idle. */
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
    ha_begin(c);
    do {
        m = ha_unstash(c);
        while (m == NULL) {
            wait_for_mail(c);
            m = ha_next(c);
        }
    } while (ha_act(c, m));
    return NULL;
}

/* A thread that is no actor may create one while another waits for quiet: these two are ordered. */
static void created(struct heddle_cell_ *c)
{
    place(c, 0);
    if (ha_current == NULL || ha_current->what == NULL)
        heddle_mail_send(c, &idle, "create");
}

static void launch(struct heddle_cell_ *c)
{
    run_thread(actor_main, c);
}

static void sends(struct heddle_cell_ *c, const heddle_message *m)
{
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

static void counts(int more)
{
    heddle_mail_busy(&idle, more);
}

static void quiet(void)
{
    heddle_mail_quiet(&idle);
}

/* ---- timers --------------------------------------------------------------------------------------------- */

static void *alarm_main(void *alarm)
{
    struct heddle_alarm_ *a = alarm;

    heddle_thread_name("timer");
    heddle_mail_write(a); /* expires now, or was cancelled before */
    if (atomic_load(&a->life) % 2 == 0) /* it is not used again, so it has one life */
        return NULL;
    atomic_fetch_add(&a->life, 1);
    ha_alarm_expired(a);
    return NULL;
}

static void arm(struct heddle_alarm_ *a)
{
    run_thread(alarm_main, a);
}

static heddle_message *disarm(struct heddle_alarm_ *a, uint64_t life)
{
    heddle_mail_write(a);
    if (atomic_load(&a->life) != life)
        return NULL;
    atomic_fetch_add(&a->life, 1);
    return a->message;
}

const struct ha_executor ha_controlled = {
    .start = start, .stop = stop, .launch = launch, .created = created, .sends = sends, .sent = sent,
    .ready = nothing, .wait = wait_for_mail, .wakes = nothing, .looks = looks, .writes = writes,
    .counts = counts, .quiet = quiet, .arm = arm, .disarm = disarm,
};
