/* SPDX-License-Identifier: BSD-2-Clause
 *
 * runtime.c - the runtime of a service, with its replicator: who is primary, positions of operations, who has got which of them. */
#include <assert.h>
#include <string.h>

#include "platform.h"

struct info {
    replica ref;
    struct service *state;
    int life;
    enum role role;
    struct list *copy; /* null: the primary has not given it yet */
    struct list copied;
    int copy_sent, copy_position;
    int wants_copy, wants_operation; /* a request that could not be answered at once */
    int sent, acknowledged[OPERATIONS + 1];
    int epoch;
};

struct platform {
    struct info replicas[REPLICAS];
    int primary, next_primary; /* -1: none */
    int epoch, epoch_begin;    /* position at which it began */
    int last, items[OPERATIONS + 1], committed[OPERATIONS + 1];
    int drain_to;              /* the next primary must have got so many */
    int to_create[LIVES], creations, created;
    int kills, ids;
};
HEDDLE_IMPLEMENT(runtime, RUNTIME, platform);

static int is_current(const struct platform *p, struct who who)
{
    return p->replicas[who.place].life == who.life && p->replicas[who.place].role != ABSENT;
}

/* All operations up to the result are acknowledged. */
static int prefix(const struct info *r)
{
    int position = r->copy_position;

    while (position < OPERATIONS && r->acknowledged[position + 1])
        position++;
    return position;
}

/* ---- streams --------------------------------------------------------------------------------------------- */

static void answer_copy(struct platform *p, struct info *r)
{
    (void)p;
    if (!r->wants_copy)
        return;
    if (BUG == COPY_STREAM_NULL)
        assert(r->copy != 0 && "there is a copy stream");
    if (r->copy == 0)
        return;
    r->wants_copy = 0;
    if (r->copy_sent < r->copy->count)
        replica_copy_item(r->ref, r->copy->items[r->copy_sent++]);
    else
        replica_copy_end(r->ref, r->copy_position);
}

static void answer_operation(struct platform *p, struct info *r)
{
    if (r->role != ACTIVE || !r->wants_operation || r->sent >= p->last)
        return;
    r->wants_operation = 0;
    r->sent++;
    replica_operation(r->ref, r->sent, p->items[r->sent]);
}

/* Secondaries learn of a new epoch when they have got all operations of the old one. */
static void announce_epoch(struct platform *p, struct info *r)
{
    if (p->primary < 0 || r->role != ACTIVE || r->epoch >= p->epoch)
        return;
    if (prefix(r) < p->epoch_begin && BUG != EPOCH_TOO_EARLY)
        return;
    r->epoch = p->epoch;
    replica_update_epoch(r->ref, p->epoch, p->epoch_begin);
}

/* ---- operations -------------------------------------------------------------------------------------------- */

static int is_acknowledged(const struct platform *p, int position)
{
    int actives = 0, count = 0;

    for (int i = 0; i < settings.replicas; i++) {
        const struct info *r = &p->replicas[i];

        if (r->role != ACTIVE)
            continue;
        actives++;
        count += r->acknowledged[position] || position <= r->copy_position;
    }
    return count >= (actives + 1) / 2; /* with the primary: most of them */
}

/* Tells the primary what is acknowledged: perhaps not in order. */
static void report_acknowledged(struct platform *p)
{
    if (p->primary < 0)
        return;
    for (int i = p->epoch_begin + 1; i <= p->last; i++)
        if (!p->committed[i] && is_acknowledged(p, i)) {
            p->committed[i] = 1;
            replica_acknowledged(p->replicas[p->primary].ref, i, p->items[i]);
        }
}

static void platform_replicate(struct platform *p, struct who from, int item)
{
    int is_primary = is_current(p, from) && from.place == p->primary;

    if (BUG == BAD_ASSERT)
        assert(is_primary && "a primary replicates");
    if (!is_primary)
        return;
    assert(p->last < OPERATIONS);
    p->items[++p->last] = item;
    for (int i = 0; i < settings.replicas; i++)
        answer_operation(p, &p->replicas[i]);
    report_acknowledged(p);
}

/* ---- replicas are created, become active and primary ------------------------------------------------------- */

static void create(struct platform *p, int place)
{
    struct info *r = &p->replicas[place];
    int life = r->life + 1, unused;
    replica made;
    struct service *state = service_new((struct who){ place, life }, &made);

    *r = (struct info){ .ref = made, .state = state, .life = life, .role = IDLE };
    r->epoch = p->epoch;
    state->epoch = p->epoch;
    if (p->primary < 0)
        return;
    r->sent = r->copy_position = p->last;
    if (BUG == BLOCK_FOR_NEXT_ID)
        replica_last_committed(p->replicas[p->primary].ref, &unused);
    replica_get_copy_state(p->replicas[p->primary].ref, (struct who){ place, life }, p->last);
    replica_begin(made);
}

/* One at a time: requests of the client, or a kill, may come in between. */
static void platform_create_next(struct platform *p)
{
    if (p->primary < 0 || p->created == p->creations)
        return;
    create(p, p->to_create[p->created++]);
    if (p->created < p->creations)
        runtime_create_next(the_runtime);
}

static void create_listed(struct platform *p)
{
    if (BUG != CREATE_LIST_KEPT) {
        p->creations -= p->created;
        memmove(p->to_create, p->to_create + p->created, (size_t)p->creations * sizeof *p->to_create);
    }
    p->created = 0;
    if (p->creations > 0)
        runtime_create_next(the_runtime);
}

static void promote(struct platform *p, int place)
{
    p->next_primary = -1;
    p->replicas[place].role = PRIMARY;
    p->epoch++;
    p->epoch_begin = p->last;
    p->replicas[place].epoch = p->epoch;
    replica_lead(p->replicas[place].ref, p->epoch);
}

static void promote_if_ready(struct platform *p)
{
    if (p->next_primary >= 0 && prefix(&p->replicas[p->next_primary]) >= p->drain_to)
        promote(p, p->next_primary);
}

static void destroy(struct platform *p, int place)
{
    struct info *r = &p->replicas[place];

    heddle_kill(r->ref.ref);
    r->state->dead = 1;
    r->role = ABSENT;
    assert(p->creations < LIVES);
    p->to_create[p->creations++] = place;
}

/* Secondaries that copy from a primary that is dead are started anew. */
static void cancel_copies(struct platform *p)
{
    for (int i = 0; i < settings.replicas; i++) {
        struct info *r = &p->replicas[i];

        if (BUG == ACTIVE_CANCELLED && r->role == ACTIVE && r->copy != 0 && i != p->next_primary)
            replica_copy_cancelled(r->ref);
        if (r->role != IDLE)
            continue;
        if (BUG == IDLE_CANCELLED)
            replica_copy_end(r->ref, r->copy_position);
        else
            destroy(p, i);
    }
}

static int first_active(const struct platform *p)
{
    for (int i = 0; i < settings.replicas; i++)
        if (p->replicas[i].role == ACTIVE)
            return i;
    return -1;
}

static int count_committed(const struct platform *p)
{
    int position = 0;

    while (position < p->last && p->committed[position + 1])
        position++;
    return position;
}

/* The kill waits until there is a primary and an active secondary: without one the service would lose its data. */
static void kill_if_possible(struct platform *p)
{
    int next = first_active(p);

    if (p->kills == 0 || p->primary < 0 || next < 0)
        return;
    p->kills--;
    destroy(p, p->primary);
    p->primary = -1;
    p->next_primary = next;
    p->drain_to = BUG == PROMOTE_IMMEDIATELY ? 0 : BUG == PROMOTE_BAD_FIX ? count_committed(p) : p->last;
    cancel_copies(p);
    if (BUG == ENDPOINT_TOO_EARLY)
        client_endpoint(the_client, p->replicas[next].ref);
    promote_if_ready(p);
}

static void platform_leads(struct platform *p, struct who from)
{
    p->primary = from.place;
    client_endpoint(the_client, p->replicas[from.place].ref);
    for (int i = 0; i < settings.replicas; i++)
        announce_epoch(p, &p->replicas[i]);
    create_listed(p);
    kill_if_possible(p);
}

/* ---- messages of replicas and the killer ------------------------------------------------------------------- */

static void platform_begin(struct platform *p)
{
    p->primary = p->next_primary = -1;
    create(p, 0);
    for (int i = 1; i < settings.replicas; i++)
        p->to_create[p->creations++] = i;
    promote(p, 0);
}

static void platform_copy_state(struct platform *p, struct who from, struct who target, struct list list)
{
    struct info *r = &p->replicas[target.place];

    if (!is_current(p, from) || !is_current(p, target))
        return;
    r->copied = list;
    r->copy = &r->copied;
    answer_copy(p, r);
}

static void platform_get_copy(struct platform *p, struct who from)
{
    if (!is_current(p, from))
        return;
    p->replicas[from.place].wants_copy = 1;
    answer_copy(p, &p->replicas[from.place]);
}

static void platform_get_operation(struct platform *p, struct who from)
{
    struct info *r = &p->replicas[from.place];

    if (!is_current(p, from))
        return;
    r->wants_operation = 1;
    if (r->role == IDLE)
        r->role = ACTIVE;
    if (r->role == PRIMARY)
        return;
    answer_operation(p, r);
    announce_epoch(p, r);
    kill_if_possible(p);
}

static void platform_acknowledge(struct platform *p, struct who from, int position)
{
    struct info *r = &p->replicas[from.place];

    if (!is_current(p, from))
        return;
    r->acknowledged[position] = 1;
    report_acknowledged(p);
    announce_epoch(p, r);
    promote_if_ready(p);
}

static void platform_kill_primary(struct platform *p)
{
    p->kills++;
    kill_if_possible(p);
}

static void platform_next_id(struct platform *p, runtime_next_id_request from)
{
    runtime_next_id_reply(from, ++p->ids);
}

void runtime_new(void)
{
    static struct platform platform;

    the_runtime = platform_create(&platform);
}
