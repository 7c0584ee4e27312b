/* SPDX-License-Identifier: BSD-2-Clause
 *
 * runtime.c - the runtime of a service, with its replicator: who is primary, positions of operations, who has got which of them. */
#include <assert.h>
#include <string.h>

#include "platform.h"

struct info {
    struct parts parts;
    enum role role;
    int built;               /* a copy is on its way, or done */
    stream copy, operations;
    int copy_position, acknowledged[OPERATIONS + 1];
    int epoch;
};

struct platform {
    machine machines[REPLICAS];
    struct info replicas[REPLICAS];
    int primary, next_primary; /* -1: none */
    int epoch, epoch_begin;    /* position at which it began */
    int last, items[OPERATIONS + 1], committed[OPERATIONS + 1];
    runtime_replicate_request waits[OPERATIONS + 1];
    int drain_to;              /* the next primary must have got so many */
    int to_create[LIVES], creations, created;
    int lives, kills, ids, lost;
};
HEDDLE_IMPLEMENT(runtime, RUNTIME, platform);
static struct platform the_platform;

static int is_current(const struct platform *p, struct who who)
{
    return p->replicas[who.place].parts.who.life == who.life && p->replicas[who.place].role != ABSENT;
}

/* All operations up to the result are acknowledged. */
static int prefix(const struct info *r)
{
    int position = r->copy_position;

    while (position < OPERATIONS && r->acknowledged[position + 1])
        position++;
    return position;
}

/* ---- operations -------------------------------------------------------------------------------------- */

/* Secondaries learn of a new epoch when they have got all operations of the old one. */
static void announce_epoch(struct platform *p, struct info *r)
{
    if (p->primary < 0 || r->role != ACTIVE || r->epoch >= p->epoch)
        return;
    if (prefix(r) < p->epoch_begin && BUG != EPOCH_TOO_EARLY)
        return;
    r->epoch = p->epoch;
    state_wrapper_update_epoch(r->parts.state, p->epoch, p->epoch_begin);
}

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
            runtime_replicate_reply(p->waits[i], (struct place_of){ i, p->epoch });
        }
}

static void platform_replicate(struct platform *p, runtime_replicate_request from, struct who who, int item)
{
    int is_primary = is_current(p, who) && who.place == p->primary;

    if (BUG == BAD_ASSERT)
        assert(is_primary && "a primary replicates");
    if (!is_primary) {
        runtime_replicate_reply(from, (struct place_of){ -1, 0 });
        return;
    }
    assert(p->last < OPERATIONS);
    p->items[++p->last] = item;
    p->waits[p->last] = from;
    for (int i = 0; i < settings.replicas; i++)
        if (p->replicas[i].built)
            stream_put(p->replicas[i].operations, (struct element){ ITEM, p->last, item });
    report_acknowledged(p);
}

/* ---- replicas are created, become active and primary ------------------------------------------------- */

static void create(struct platform *p, int place)
{
    assert(p->lives < LIVES);
    p->replicas[place] = (struct info){ .parts = { .who = { place, p->lives } }, .role = BOOTING };
    machine_on(p->machines[place], p->lives++);
}

/* What the primary has from here on is put into the stream of operations. */
static void build(struct platform *p, struct info *r)
{
    const struct parts *primary = &p->replicas[p->primary].parts;
    stream context;
    int unused;

    r->built = 1;
    r->role = IDLE;
    r->epoch = p->epoch;
    r->copy_position = p->last;
    stream_new("context stream", &context);
    stream_new("copy stream", &r->copy);
    stream_new("operation stream", &r->operations);
    if (BUG == BLOCK_FOR_NEXT_ID)
        replica_progress(primary->replica, &unused);
    service_wrapper_change_role(r->parts.service, IDLE, r->copy, r->operations);
    provider_get_copy_context(r->parts.provider, context);
    provider_get_copy_state(primary->provider, r->copy, context, p->last);
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
    struct info *r = &p->replicas[place];

    p->next_primary = -1;
    r->role = PRIMARY;
    r->built = 0;
    r->epoch = ++p->epoch;
    p->epoch_begin = p->last;
    state_wrapper_update_epoch(r->parts.state, p->epoch, p->last);
    if (p->lost)
        state_wrapper_data_loss(r->parts.state);
}

static void promote_if_ready(struct platform *p)
{
    if (p->next_primary >= 0 && prefix(&p->replicas[p->next_primary]) >= p->drain_to)
        promote(p, p->next_primary);
}

static void destroy(struct platform *p, int place)
{
    machine_off(p->machines[place]);
    p->replicas[place].role = ABSENT;
    p->replicas[place].built = 0;
    assert(p->creations < LIVES);
    p->to_create[p->creations++] = place;
}

/* Secondaries that copy from a primary that is dead are started anew. */
static void cancel_copies(struct platform *p)
{
    for (int i = 0; i < settings.replicas; i++) {
        struct info *r = &p->replicas[i];

        if (BUG == ACTIVE_CANCELLED && r->role == ACTIVE && i != p->next_primary)
            replica_copy_cancelled(r->parts.replica);
        if (r->role != IDLE)
            continue;
        if (BUG == IDLE_CANCELLED)
            stream_end(r->copy, r->copy_position, r->epoch);
        else
            destroy(p, i);
    }
}

static int first(const struct platform *p, enum role role)
{
    for (int i = 0; i < settings.replicas; i++)
        if (p->replicas[i].role == role)
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
    int next = first(p, ACTIVE);

    if (p->kills == 0 || p->primary < 0 || next < 0)
        return;
    p->kills--;
    destroy(p, p->primary);
    p->primary = -1;
    p->next_primary = next;
    p->drain_to = BUG == PROMOTE_IMMEDIATELY ? 0 : BUG == PROMOTE_BAD_FIX ? count_committed(p) : p->last;
    cancel_copies(p);
    if (BUG == ENDPOINT_TOO_EARLY)
        resolver_publish(the_resolver, p->replicas[next].parts.replica, p->epoch + 1, 0);
    promote_if_ready(p);
}

/* All machines are switched off and on again.  The first that is up knows best what there is. */
static void platform_power_failure(struct platform *p)
{
    for (int i = 0; i < settings.replicas; i++)
        if (p->replicas[i].role != ABSENT)
            destroy(p, i);
    p->creations = p->created = 0;
    p->primary = p->next_primary = -1;
    p->lost = 1;
    for (int i = 0; i < settings.replicas; i++)
        create(p, i);
}

/* ---- messages of replicas ---------------------------------------------------------------------------- */

static void platform_begin(struct platform *p)
{
    for (int i = 0; i < settings.replicas; i++)
        machine_new(i, &p->machines[i]);
    p->primary = p->next_primary = -1;
    create(p, 0);
    for (int i = 1; i < settings.replicas; i++)
        p->to_create[p->creations++] = i;
}

static void platform_up(struct platform *p, struct parts parts)
{
    if (!is_current(p, parts.who))
        return;
    p->replicas[parts.who.place].parts = parts;
    service_wrapper_open(parts.service);
}

/* There is no primary, and none to be. */
static void begin_with(struct platform *p, int place, int applied)
{
    p->last = applied;
    for (int i = 1; i <= OPERATIONS; i++)
        p->committed[i] = i <= applied;
    promote(p, place);
}

static void platform_opened(struct platform *p, struct who from, int applied)
{
    struct info *r = &p->replicas[from.place];

    if (!is_current(p, from))
        return;
    r->role = IDLE;
    if (p->primary >= 0)
        build(p, r);
    else if (p->next_primary < 0 && first(p, PRIMARY) < 0)
        begin_with(p, from.place, applied);
}

static void platform_updated(struct platform *p, struct who from, int epoch)
{
    const struct info *r = &p->replicas[from.place];

    if (is_current(p, from) && r->role == PRIMARY && epoch == p->epoch)
        service_wrapper_change_role(r->parts.service, PRIMARY, r->copy, r->operations);
}

static void platform_leads(struct platform *p, struct who from)
{
    if (!is_current(p, from))
        return;
    p->primary = from.place;
    resolver_publish(the_resolver, p->replicas[from.place].parts.replica, p->epoch, p->lost);
    p->lost = 0;
    for (int i = 0; i < settings.replicas; i++) {
        announce_epoch(p, &p->replicas[i]);
        if (p->replicas[i].role == IDLE && !p->replicas[i].built)
            build(p, &p->replicas[i]);
    }
    create_listed(p);
    kill_if_possible(p);
}

static void platform_copied(struct platform *p, struct who from)
{
    struct info *r = &p->replicas[from.place];

    if (!is_current(p, from) || r->role != IDLE)
        return;
    r->role = ACTIVE;
    service_wrapper_change_role(r->parts.service, ACTIVE, r->copy, r->operations);
    announce_epoch(p, r);
    report_acknowledged(p);
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
    the_runtime = platform_create(&the_platform);
}

int runtime_has(struct who who)
{
    return is_current(&the_platform, who);
}
