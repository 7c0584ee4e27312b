/* SPDX-License-Identifier: BSD-2-Clause
 *
 * replica.c - the service of a replica.  What it begins is done by tasks: actors that may wait, and of which several run at a time. */
#include <assert.h>

#include "platform.h"

/* ---- tasks ------------------------------------------------------------------------------------------- */

#define TASK(I, MESSAGE, REQUEST)                                                                                  \
    MESSAGE(I, open, (replica_open_request, from))                                                                 \
    MESSAGE(I, copy, (replica_change_role_request, from), (stream, copy), (stream, operations))                    \
    MESSAGE(I, lead, (replica_change_role_request, from))                                                          \
    MESSAGE(I, acknowledge, (int, position))                                                                       \
    MESSAGE(I, add, (int, item), (int, attempt))
HEDDLE_INTERFACE(task, TASK);

/* Its tasks only read it. */
struct life {
    struct parts parts;
};
HEDDLE_IMPLEMENT(task, TASK, life);

static struct life all[LIVES];

static void lock(const struct life *l)
{
    monitor_lock(l->parts.monitor, 0);
}

static void unlock(const struct life *l)
{
    monitor_unlock(l->parts.monitor);
}

static void wait(const struct life *l)
{
    monitor_wait(l->parts.monitor, 0);
}

static void pulse_and_unlock(const struct life *l)
{
    monitor_pulse(l->parts.monitor);
    unlock(l);
}

static void life_open(struct life *l, replica_open_request from)
{
    (void)l;
    replica_open_reply(from, 0);
}

static void life_lead(struct life *l, replica_change_role_request from)
{
    (void)l;
    replica_change_role_reply(from, 0);
}

/* As a service does that writes to a disk first: acknowledgements may overtake each other. */
static void life_acknowledge(struct life *l, int position)
{
    runtime_acknowledge(the_runtime, l->parts.who, position);
}

/* ---- a secondary: copies, then takes operations ------------------------------------------------------ */

struct pump {
    struct life *life;
    stream copy, operations;
    int done;
};
HEDDLE_IMPLEMENT(reader, READER, pump);
static struct pump pumps[2 * LIVES]; /* two of a life: its copy may be cancelled, by mistake */

static void life_copy(struct life *l, replica_change_role_request from, stream copy, stream operations)
{
    struct pump *p = &pumps[2 * l->parts.who.life];

    if (p->life != 0)
        p++;
    *p = (struct pump){ .life = l, .copy = copy, .operations = operations };
    stream_get_next(copy, pump_create(p));
    if (from.asker.request != 0)
        replica_change_role_reply(from, 0);
}

static void take_copy(struct pump *p, struct element e)
{
    const struct parts *parts = &p->life->parts;

    lock(p->life);
    provider_copy(parts->provider, 0, e);
    unlock(p->life);
    p->done = e.kind == END;
    if (p->done)
        runtime_copied(the_runtime, parts->who);
}

static void take_operation(struct pump *p, struct element e)
{
    lock(p->life);
    provider_apply(p->life->parts.provider, 0, e.position, e.item);
    pulse_and_unlock(p->life);
    task_acknowledge(life_create(p->life), e.position);
}

static void pump_got(struct pump *p, struct element e)
{
    if (p->done)
        take_operation(p, e);
    else
        take_copy(p, e);
    stream_get_next(p->done ? p->operations : p->copy, reader_of(heddle_self()));
}

/* ---- the primary ------------------------------------------------------------------------------------- */

/* Waits until it is the turn of this operation. */
static void apply_in_order(const struct life *l, int position, int item)
{
    int applied = 0;

    lock(l);
    if (BUG != COMMIT_AT_ONCE && BUG != COMMIT_AT_ONCE_UNCHECKED)
        while (provider_last_committed(l->parts.provider, &applied) == 0 && applied < position - 1)
            wait(l);
    provider_apply(l->parts.provider, 0, position, item);
    pulse_and_unlock(l);
}

/* Returns whether the item is there.  If not, this task is the one that replicates it. */
static int is_there(const struct life *l, int item, int *epoch)
{
    struct seen seen = { MISSING, 0 };

    if (BUG == REPLICATE_WITHOUT_MUTEX) {
        provider_look(l->parts.provider, &seen, item);
        *epoch = seen.epoch;
        return seen.look == PRESENT;
    }
    lock(l);
    while (provider_look(l->parts.provider, &seen, item) == 0 && seen.look == EXPECTED)
        wait(l);
    if (seen.look == MISSING)
        provider_expect(l->parts.provider, item);
    unlock(l);
    *epoch = seen.epoch;
    return seen.look == PRESENT;
}

static void life_add(struct life *l, int item, int attempt)
{
    struct place_of place = { 0, 0 };
    int epoch;

    if (!is_there(l, item, &epoch)) {
        runtime_replicate(the_runtime, &place, l->parts.who, item);
        if (place.position <= 0)
            return; /* another replica is the primary now */
        apply_in_order(l, place.position, item);
        epoch = place.epoch;
    }
    client_added(the_client, item, attempt, epoch);
}

/* ---- copies that the primary gives ------------------------------------------------------------------- */

struct copier {
    struct life *life;
    stream to;
    int position;
};
HEDDLE_IMPLEMENT(reader, READER, copier);

/* The copy is of the state at this position: what comes after it goes to the new secondary as an operation. */
static void copier_got(struct copier *c, struct element e)
{
    const struct parts *parts = &c->life->parts;
    struct list list = { 0, { 0 } };
    int start = 0, epoch = 0;
    struct seen seen = { MISSING, 0 };

    if (e.kind != CONTEXT)
        return;
    lock(c->life);
    while (provider_read(parts->provider, &list) == 0 && list.count < c->position && BUG != COPY_WITHOUT_WAITING)
        wait(c->life);
    provider_copy_start(parts->provider, &start, (struct context){ e.position, e.item }, c->position);
    provider_look(parts->provider, &seen, 1);
    unlock(c->life);
    epoch = seen.epoch;
    stream_put(c->to, (struct element){ BEGIN, start, 0 });
    for (int i = start; i < c->position && i < list.count; i++)
        stream_put(c->to, (struct element){ ITEM, i + 1, list.items[i] });
    stream_end(c->to, c->position, epoch);
}

void copier_new(const struct parts *parts, stream to, stream context, int position)
{
    static struct copier copiers[LIVES][LIVES];
    struct copier *c = copiers[parts->who.life];

    while (c->life != 0)
        c++;
    *c = (struct copier){ .life = &all[parts->who.life], .to = to, .position = position };
    stream_get_next(context, copier_create(c));
}

/* ---- the service itself ------------------------------------------------------------------------------ */

struct service {
    struct life *life;
    enum role role;
    stream copy, operations;
};
HEDDLE_IMPLEMENT(replica, REPLICA, service);
static struct service services[LIVES];

static void service_open(struct service *s, replica_open_request from)
{
    task_open(life_create(s->life), from);
}

static void service_change_role(struct service *s, replica_change_role_request from, enum role role, stream copy, stream operations)
{
    assert(s->role != PRIMARY && role != s->role && "a role changes");
    s->role = role;
    s->copy = copy;
    s->operations = operations;
    if (role == PRIMARY)
        task_lead(life_create(s->life), from);
    else if (role == IDLE)
        task_copy(life_create(s->life), from, copy, operations);
    else
        replica_change_role_reply(from, 0);
}

static void service_copy_cancelled(struct service *s)
{
    task_copy(life_create(s->life), (replica_change_role_request){ { { 0, 0, 0 }, 0 } }, s->copy, s->operations);
}

static void service_add(struct service *s, int item, int attempt)
{
    int id;

    assert(s->role == PRIMARY && "only a primary is asked");
    if (BUG == BLOCK_FOR_NEXT_ID)
        runtime_next_id(the_runtime, &id);
    task_add(life_create(s->life), item, attempt);
}

static void service_progress(struct service *s, replica_progress_request from)
{
    replica_progress_reply(from, s->role);
}

void replica_new(struct who who, const heddle_actor_options *o, replica *made)
{
    static const char *const names[REPLICAS] = { "replica 0", "replica 1", "replica 2" };
    heddle_actor_options named = *o;

    named.name = names[who.place];
    services[who.life].life = &all[who.life];
    *made = service_create_with(&services[who.life], &named);
}

void replica_meets(const struct parts *parts)
{
    all[parts->who.life].parts = *parts;
}
