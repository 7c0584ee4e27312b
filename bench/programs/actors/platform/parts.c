/* SPDX-License-Identifier: BSD-2-Clause
 *
 * parts.c - what a replica consists of besides service and state: machine, monitor, streams, wrappers. */
#include <assert.h>
#include <stdlib.h>

#include "platform.h"

/* ---- streams ----------------------------------------------------------------------------------------- */

struct channel {
    heddle_buffer *buffer;
    int opened, end_position, end_epoch;
};
HEDDLE_IMPLEMENT(stream, STREAM, channel);

static void *copy_of(const void *what, size_t size)
{
    char *copy = malloc(size);

    assert(copy != NULL);
    for (size_t i = 0; i < size; i++)
        copy[i] = ((const char *)what)[i];
    return copy;
}

/* The end of the stream is the null response, which stays. */
static unsigned give(void *context, void *request, void *response)
{
    const struct channel *c = context;
    struct element end = { END, c->end_position, c->end_epoch };

    reader_got(*(reader *)request, response != NULL ? *(struct element *)response : end);
    free(request);
    free(response);
    return response != NULL ? HEDDLE_DROP_BOTH : HEDDLE_DROP_REQUEST;
}

static void channel_put(struct channel *c, struct element e)
{
    c->opened = 1;
    heddle_buffer_add_response(c->buffer, copy_of(&e, sizeof e), give, c);
}

static void channel_end(struct channel *c, int position, int epoch)
{
    c->opened = 1;
    c->end_position = position;
    c->end_epoch = epoch;
    heddle_buffer_add_response(c->buffer, NULL, give, c);
}

static void channel_get_next(struct channel *c, reader to)
{
    if (BUG == COPY_STREAM_NULL)
        assert(c->opened && "there is a stream");
    heddle_buffer_add_request(c->buffer, copy_of(&to, sizeof to), give, c);
}

void stream_new(const char *name, stream *made)
{
    heddle_actor_options o = { .name = name };
    struct channel none = { .buffer = heddle_buffer_new(), .opened = BUG != COPY_STREAM_NULL };

    *made = channel_create_with(copy_of(&none, sizeof none), &o);
}

/* ---- the monitor ------------------------------------------------------------------------------------- */

enum { TASKS = 64 };

struct guard {
    int held, waiting, sleeping;
    monitor_lock_request next[TASKS]; /* wait for the lock; those that were woken, too: the answers are alike */
    monitor_wait_request asleep[TASKS];
};
HEDDLE_IMPLEMENT(monitor, MONITOR, guard);

static void enter(struct guard *g, heddle_asker who)
{
    if (g->held) {
        assert(g->waiting < TASKS);
        g->next[g->waiting++].asker = who;
        return;
    }
    g->held = 1;
    monitor_lock_reply((monitor_lock_request){ who }, 0);
}

static void guard_lock(struct guard *g, monitor_lock_request from)
{
    enter(g, from.asker);
}

static void guard_unlock(struct guard *g)
{
    assert(g->held);
    g->held = 0;
    if (g->waiting == 0)
        return;
    heddle_asker first = g->next[0].asker;

    g->waiting--;
    for (int i = 0; i < g->waiting; i++)
        g->next[i] = g->next[i + 1];
    enter(g, first);
}

static void guard_wait(struct guard *g, monitor_wait_request from)
{
    assert(g->sleeping < TASKS);
    g->asleep[g->sleeping++] = from;
    guard_unlock(g);
}

static void guard_pulse(struct guard *g)
{
    int n = g->sleeping;

    g->sleeping = 0;
    for (int i = 0; i < n; i++)
        enter(g, g->asleep[i].asker);
}

void monitor_new(struct who who, const heddle_actor_options *o, monitor *made)
{
    static struct guard guards[LIVES];

    *made = guard_create_with(&guards[who.life], o);
}

/* ---- wrappers: they wait for answers of the service, so that the runtime need not ---------------------- */

struct caller {
    struct parts parts;
};
HEDDLE_IMPLEMENT(service_wrapper, SERVICE_WRAPPER, caller);
struct state_caller {
    struct parts parts;
};
HEDDLE_IMPLEMENT(state_wrapper, STATE_WRAPPER, state_caller);

static void caller_open(struct caller *c)
{
    int applied = 0;

    if (replica_open(c->parts.replica, NULL) == 0 && provider_last_committed(c->parts.provider, &applied) == 0)
        runtime_opened(the_runtime, c->parts.who, applied);
}

static void caller_change_role(struct caller *c, enum role role, stream copy, stream operations)
{
    if (replica_change_role(c->parts.replica, NULL, role, copy, operations) == 0 && role == PRIMARY)
        runtime_leads(the_runtime, c->parts.who);
}

static void state_caller_update_epoch(struct state_caller *c, int epoch, int position)
{
    if (provider_update_epoch(c->parts.provider, NULL, epoch, position) == 0)
        runtime_updated(the_runtime, c->parts.who, epoch);
}

static void state_caller_data_loss(struct state_caller *c)
{
    provider_on_data_loss(c->parts.provider, NULL);
}

void wrappers_new(struct parts *parts, const heddle_actor_options *o)
{
    static struct caller callers[LIVES];
    static struct state_caller state_callers[LIVES];
    int life = parts->who.life;

    callers[life].parts = state_callers[life].parts = *parts;
    parts->service = caller_create_with(&callers[life], o);
    parts->state = state_caller_create_with(&state_callers[life], o);
}

/* ---- machines ---------------------------------------------------------------------------------------- */

struct box {
    int place;
    heddle_node *node;
};
HEDDLE_IMPLEMENT(machine, MACHINE, box);

static const char *const names[REPLICAS] = { "machine 0", "machine 1", "machine 2" };

/* What its disk has is still there. */
static void box_on(struct box *b, int life)
{
    struct parts parts = { .who = { b->place, life } };
    heddle_actor_options o = { .name = 0 };

    if (b->node == NULL)
        b->node = heddle_node_new(names[b->place], NULL, NULL);
    o.node = b->node;
    monitor_new(parts.who, &o, &parts.monitor);
    provider_new(parts.who, &o, &parts.provider);
    replica_new(parts.who, &o, &parts.replica);
    provider_meets(&parts);
    replica_meets(&parts);
    wrappers_new(&parts, &o);
    runtime_up(the_runtime, parts);
}

static void box_off(struct box *b)
{
    heddle_node_crash(b->node);
}

void machine_new(int place, machine *made)
{
    static struct box boxes[REPLICAS];
    heddle_actor_options o = { .name = names[place] };

    boxes[place].place = place;
    *made = box_create_with(&boxes[place], &o);
}
