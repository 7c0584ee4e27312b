/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timer.c - messages that are sent later.  An armed alarm counts as a task that is not done.  The executor decides
 * when its time is over. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "actor/cell.h"

static struct heddle_alarm_ *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Under Heddle alarms are not reused: otherwise names of objects would depend on which one expires first. */
static struct heddle_alarm_ *take(void)
{
    struct heddle_alarm_ *a = NULL;

    if (ha_exec != &ha_controlled) {
        pthread_mutex_lock(&lock);
        a = unused;
        if (a != NULL)
            unused = a->next;
        pthread_mutex_unlock(&lock);
    }
    if (a == NULL) {
        a = ha_allocate(sizeof *a);
        memset(a, 0, sizeof *a);
    }
    return a;
}

/* Makes the alarm available for reuse.  The executor has ended its life. */
static void give_back(struct heddle_alarm_ *a)
{
    ha_lock(&lock);
    a->next = unused;
    unused = a;
    ha_unlock(&lock);
}

heddle_timer ha_alarm_new(heddle_ref to, heddle_message *m, uint64_t nanoseconds, bool courier)
{
    struct heddle_alarm_ *a = take();

    a->to = to;
    a->message = m;
    a->courier = courier;
    a->delay = nanoseconds;
    heddle_timer timer = { a, atomic_fetch_add(&a->life, 1) + 1 };

    ha_exec->counts(1);
    ha_exec->arm(a); /* the alarm may expire at once and be reused */
    return timer;
}

heddle_timer heddle_send_after(heddle_ref to, heddle_message *m, uint64_t nanoseconds)
{
    heddle_self();
    ha_set_sender(m);
    if (!ha_lives(ha_current)) {
        free(m);
        return (heddle_timer){ NULL, 0 };
    }
    return ha_alarm_new(to, m, nanoseconds, false);
}

void ha_alarm_expired(struct heddle_alarm_ *a)
{
    heddle_message *m = a->message;
    heddle_ref to = a->to;

    m->flags_ |= HA_TIMER;
    give_back(a);
    if (ha_push(to, m, true) != 0)
        ha_drop(m);
    ha_exec->counts(-1);
}

void ha_alarm_dropped(struct heddle_alarm_ *a)
{
    give_back(a);
    ha_exec->counts(-1);
}

int heddle_cancel(heddle_timer timer)
{
    heddle_message *m;

    if (timer.alarm == NULL || (ha_current != NULL && !ha_lives(ha_current)))
        return 0;
    m = ha_exec->disarm(timer.alarm, timer.life);
    if (m == NULL)
        return 0;
    free(m);
    ha_alarm_dropped(timer.alarm);
    return 1;
}
