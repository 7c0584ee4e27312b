/* SPDX-License-Identifier: BSD-2-Clause
 *
 * provider.c - the state of a replica: a shopping list, the operations that made it, and the history of epochs. */
#include <assert.h>

#include "platform.h"

static void store_begin(void *self);
HEDDLE_IMPLEMENT(provider, PROVIDER, store, .begin = store_begin);

static struct store stores[LIVES];
static int lives[LIVES];

/* ---- the disk ---------------------------------------------------------------------------------------- */

struct saved {
    struct list list;
    int applied, epoch, ends[EPOCHS];
};

/* A fresh replica begins with what its predecessor on this machine has saved. */
static void store_begin(void *self)
{
    struct store *s = self;
    struct saved saved;

    if (!settings.disk || heddle_store_read("list", &saved, sizeof saved) == 0)
        return;
    s->list = saved.list;
    s->applied = saved.applied;
    s->epoch = saved.epoch;
    for (int i = 0; i < EPOCHS; i++)
        s->ends[i] = saved.ends[i];
}

static void save(const struct store *s)
{
    struct saved saved = { s->list, s->applied, s->epoch, { 0 } };

    if (!settings.disk)
        return;
    for (int i = 0; i < EPOCHS; i++)
        saved.ends[i] = s->ends[i];
    heddle_store_write("list", &saved, sizeof saved);
    heddle_store_sync();
}

/* ---- what the platform asks -------------------------------------------------------------------------- */

static void store_last_committed(struct store *s, provider_last_committed_request from)
{
    provider_last_committed_reply(from, s->applied);
}

static void store_update_epoch(struct store *s, provider_update_epoch_request from, int epoch, int position)
{
    assert(epoch > s->epoch && epoch < EPOCHS && "epochs rise");
    assert(s->applied >= position && "the operations of the old epoch are applied");
    s->ends[epoch - 1] = position;
    s->epoch = epoch;
    save(s);
    provider_update_epoch_reply(from, 0);
}

/* Nobody waits for what was expected. */
static void store_on_data_loss(struct store *s, provider_on_data_loss_request from)
{
    for (int item = 1; item <= ITEMS; item++)
        s->expected[item] = 0;
    provider_on_data_loss_reply(from, 0);
}

static void store_get_copy_context(struct store *s, stream to)
{
    stream_put(to, (struct element){ CONTEXT, s->epoch, s->applied });
    stream_end(to, 0, 0);
}

static void store_get_copy_state(struct store *s, stream to, stream context, int position)
{
    copier_new(&s->parts, to, context, position);
}

/* ---- copies ------------------------------------------------------------------------------------------ */

/* Has the primary the same operations up to there?  Only if no epoch since then ended before. */
static int is_false_progress(const struct store *s, struct context of)
{
    for (int epoch = of.epoch; epoch < s->epoch; epoch++)
        if (s->ends[epoch] < of.applied)
            return 1; /* or it does not know */
    return 0;
}

static void store_copy_start(struct store *s, provider_copy_start_request from, struct context of, int position)
{
    int start = of.applied < position ? of.applied : position;

    if (BUG != FALSE_PROGRESS_UNSEEN && (of.applied > position || is_false_progress(s, of)))
        start = 0;
    provider_copy_start_reply(from, start);
}

static void store_copy(struct store *s, provider_copy_request from, struct element e)
{
    switch (e.kind) {
    case BEGIN:
        s->list.count = s->applied = e.position;
        break;
    case ITEM:
        assert(s->list.count < OPERATIONS);
        s->list.items[s->list.count++] = e.item;
        break;
    case END:
        assert(!s->copied && "a copy ends once");
        s->copied = 1;
        s->applied = e.position;
        s->epoch = e.item;
        for (int i = 0; i < EPOCHS; i++)
            s->ends[i] = -1; /* what it remembers may be of another history */
        save(s);
        break;
    case CONTEXT:
        assert(!"a context is not copied");
    }
    provider_copy_reply(from, 0);
}

/* ---- what the service asks --------------------------------------------------------------------------- */

static void store_read(struct store *s, provider_read_request from)
{
    provider_read_reply(from, s->list);
}

static void store_look(struct store *s, provider_look_request from, int item)
{
    struct seen seen = { s->expected[item] ? EXPECTED : MISSING, s->epoch };

    for (int i = 0; i < s->list.count; i++)
        if (s->list.items[i] == item)
            seen.look = PRESENT;
    provider_look_reply(from, seen);
}

static void store_expect(struct store *s, int item)
{
    s->expected[item] = 1;
}

static void store_apply(struct store *s, provider_apply_request from, int position, int item)
{
    if (BUG != COMMIT_AT_ONCE_UNCHECKED)
        assert(position == s->applied + 1 && "operations are applied in their order");
    assert(s->list.count < OPERATIONS);
    s->applied++;
    s->list.items[s->list.count++] = item;
    s->expected[item] = 0;
    save(s);
    provider_apply_reply(from, s->applied);
}

/* ---- all that ever were ------------------------------------------------------------------------------ */

void provider_new(struct who who, const heddle_actor_options *o, provider *made)
{
    struct store *s = &stores[who.life];

    for (int i = 0; i < EPOCHS; i++)
        s->ends[i] = -1;
    s->parts.who = who;
    lives[who.life] = 1;
    *made = store_create_with(s, o);
}

void provider_meets(const struct parts *parts)
{
    stores[parts->who.life].parts = *parts;
}

const struct store *provider_state(int life)
{
    return life < LIVES && lives[life] ? &stores[life] : 0;
}
