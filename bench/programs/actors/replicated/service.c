/* SPDX-License-Identifier: BSD-2-Clause
 *
 * service.c - a replica of the shopping list. */
#include <assert.h>

#include "platform.h"

HEDDLE_IMPLEMENT(replica, REPLICA, service);

static struct service services[LIVES];
static int lives;

/* A secondary acknowledges by a task, as a service does that writes to a disk first: acknowledgements may overtake each other. */
#define TASK(I, MESSAGE, REQUEST)                                  \
    MESSAGE(I, acknowledge, (struct who, who), (int, position))    \
    MESSAGE(I, replicate, (replica, service), (int, item))
HEDDLE_INTERFACE(task, TASK);
struct worker {
    int unused;
};
HEDDLE_IMPLEMENT(task, TASK, worker);
static struct worker worker;

static void worker_acknowledge(struct worker *self, struct who who, int position)
{
    (void)self;
    runtime_acknowledge(the_runtime, who, position);
}

static void worker_replicate(struct worker *self, replica service, int item)
{
    (void)self;
    replica_replicate_item(service, item);
}

static int has(const struct list *l, int item)
{
    for (int i = 0; i < l->count; i++)
        if (l->items[i] == item)
            return 1;
    return 0;
}

static void answer(struct service *s, int item)
{
    if (s->attempt[item] != 0)
        client_added(the_client, item, s->attempt[item]);
    s->attempt[item] = 0;
}

static void send_copy(struct service *s, int i)
{
    runtime_copy_state(the_runtime, s->who, s->copy_target[i], s->list);
    s->copy_position[i] = -1;
}

static void apply(struct service *s, int position, int item)
{
    if (BUG != COMMIT_AT_ONCE_UNCHECKED)
        assert(position == s->applied + 1 && "operations are applied in their order");
    assert(s->list.count < OPERATIONS);
    s->applied++;
    s->list.items[s->list.count++] = item;
    for (int i = 0; i < s->copies; i++)
        if (s->copy_position[i] == s->applied)
            send_copy(s, i);
}

/* ---- a secondary ------------------------------------------------------------------------------------- */

static void service_begin(struct service *s)
{
    runtime_get_copy(the_runtime, s->who);
}

static void service_copy_item(struct service *s, int item)
{
    s->list.items[s->list.count++] = item;
    runtime_get_copy(the_runtime, s->who);
}

static void service_copy_end(struct service *s, int position)
{
    assert(s->role == IDLE && "a copy ends once");
    s->role = ACTIVE;
    s->applied = position;
    runtime_get_operation(the_runtime, s->who);
}

static void service_copy_cancelled(struct service *s)
{
    s->role = IDLE;
    s->applied = s->list.count = 0;
    runtime_get_copy(the_runtime, s->who);
}

static void service_operation(struct service *s, int position, int item)
{
    apply(s, position, item);
    task_acknowledge(worker_create(&worker), s->who, position);
    runtime_get_operation(the_runtime, s->who);
}

static void service_update_epoch(struct service *s, int epoch, int position)
{
    assert(epoch > s->epoch && "epochs rise");
    assert(s->applied >= position && "the operations of the old epoch are applied");
    s->epoch = epoch;
}

/* ---- the primary --------------------------------------------------------------------------------------- */

static void service_lead(struct service *s, int epoch)
{
    assert(s->role != PRIMARY && epoch > s->epoch);
    s->role = PRIMARY;
    s->epoch = epoch;
    runtime_leads(the_runtime, s->who);
}

/* The copy is of the state at this position: what comes after it goes to the new secondary as an operation. */
static void service_get_copy_state(struct service *s, struct who target, int position)
{
    assert(s->copies < LIVES);
    s->copy_target[s->copies] = target;
    s->copy_position[s->copies++] = position;
    if (s->applied == position || BUG == COPY_WITHOUT_WAITING)
        send_copy(s, s->copies - 1);
}

static void service_add(struct service *s, int item, int attempt)
{
    assert(s->role == PRIMARY && "only a primary is asked");
    s->attempt[item] = attempt;
    if (has(&s->list, item))
        answer(s, item);
    else if (!s->pending[item]) {
        if (BUG != REPLICATE_WITHOUT_MUTEX)
            s->pending[item] = 1;
        task_replicate(worker_create(&worker), replica_of(heddle_self()), item);
    }
}

static void service_replicate_item(struct service *s, int item)
{
    int id;

    if (BUG == BLOCK_FOR_NEXT_ID)
        runtime_next_id(the_runtime, &id);
    runtime_replicate(the_runtime, s->who, item);
}

static void commit(struct service *s, int position, int item)
{
    apply(s, position, item);
    s->pending[item] = 0;
    answer(s, item);
}

static void service_acknowledged(struct service *s, int position, int item)
{
    if (BUG == COMMIT_AT_ONCE || BUG == COMMIT_AT_ONCE_UNCHECKED) {
        commit(s, position, item);
        return;
    }
    s->early[position] = item;
    while (s->applied < OPERATIONS && s->early[s->applied + 1] != 0)
        commit(s, s->applied + 1, s->early[s->applied + 1]);
}

static void service_last_committed(struct service *s, replica_last_committed_request from)
{
    replica_last_committed_reply(from, s->applied);
}

/* ---- all replicas that ever lived ----------------------------------------------------------------------- */

struct service *service_new(struct who who, replica *made)
{
    static const char *const names[REPLICAS] = { "replica 0", "replica 1", "replica 2" };
    heddle_actor_options o = { .name = names[who.place] };
    struct service *s = &services[lives];

    assert(lives < LIVES);
    lives++;
    s->who = who;
    s->role = IDLE;
    *made = service_create_with(s, &o);
    return s;
}

struct service *service_at(int index)
{
    return index < lives ? &services[index] : 0;
}
