/* SPDX-License-Identifier: BSD-2-Clause
 *
 * life.c - full mailboxes, actors that die, supervision, names, timers, waiting inside of an action, the buffer of
 * requests and responses: one after the other, so that there is nothing to order. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/actor.h>
#include <heddle/heddle.h>

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition); \
            abort();                                                            \
        }                                                                       \
    } while (0)

#define CHAIN(I, MESSAGE, REQUEST)      \
    REQUEST(I, ask, int, (int, depth))  \
    MESSAGE(I, fail, (int, reason))     \
    MESSAGE(I, nothing)                 \
    MESSAGE(I, fill, (heddle_ref, small)) \
    MESSAGE(I, wait_for_nothing)
HEDDLE_INTERFACE(chain, CHAIN);

struct link {
    int downs, last_reason, ended, lost;
    chain next;
    struct link *state_of_next;
};
static void link_down(void *self, heddle_ref who, int reason);
static void link_end(void *self, int reason);
static void link_lost(void *self);
HEDDLE_IMPLEMENT(chain, CHAIN, link, .down = link_down, .end = link_end, .lost = link_lost);

static void link_down(void *self, heddle_ref who, int reason)
{
    struct link *l = self;

    CHECK(!heddle_is_nobody(who));
    l->downs++;
    l->last_reason = reason;
}

static void link_end(void *self, int reason)
{
    (void)reason;
    ((struct link *)self)->ended++;
}

static void link_lost(void *self)
{
    ((struct link *)self)->lost++;
}

/* Each asks a new actor inside of its action, down to 0. */
static void link_ask(struct link *self, chain_ask_request from, int depth)
{
    int value = 0;

    if (depth > 0) {
        self->state_of_next = calloc(1, sizeof *self->state_of_next);
        self->next = link_create(self->state_of_next);
        CHECK(chain_ask(self->next, &value, depth - 1) == 0);
        heddle_stop(self->next.ref);
        CHECK(heddle_join(self->next.ref) == HEDDLE_STOPPED);
        free(self->state_of_next);
    }
    chain_ask_reply(from, value + 1);
}

static void link_fail(struct link *self, int reason)
{
    (void)self;
    heddle_fail(reason);
}

static void link_nothing(struct link *self)
{
    (void)self;
}

/* Sends three messages to an actor with room for two, and then an order to stop.  In an ordinary run there is one worker, which this
 * action has: none of them is taken meanwhile. */
static void link_fill(struct link *self, heddle_ref small)
{
    chain c = chain_of(small);
    uint64_t dropped = heddle_dropped();

    (void)self;
    CHECK(chain_try_nothing(c) == 0 && chain_try_nothing(c) == 0);
    int third = chain_try_nothing(c);

    CHECK(third == EAGAIN || (third == 0 && heddle_active()));
    chain_nothing(c);
    CHECK(heddle_dropped() == dropped + 1 || heddle_active());
    heddle_stop(small);
}

static int is_nothing(const heddle_message *m, void *unused)
{
    (void)unused;
    return m->type == &chain_nothing_type;
}

static void link_wait_for_nothing(struct link *self)
{
    heddle_message *m = heddle_receive(is_nothing, 0);

    self->last_reason = m != NULL ? 7 : 8;
    heddle_message_free(m);
}

#define PARENT(I, MESSAGE, REQUEST) MESSAGE(I, make, (struct link *, child), (chain *, made))
HEDDLE_INTERFACE(parent, PARENT);
struct mother {
    int downs, reason;
};
static void mother_down(void *self, heddle_ref who, int reason);
HEDDLE_IMPLEMENT(parent, PARENT, mother, .down = mother_down);

static void mother_make(struct mother *self, struct link *child, chain *made)
{
    (void)self;
    *made = link_create(child);
}

static void mother_down(void *self, heddle_ref who, int reason)
{
    struct mother *m = self;

    (void)who;
    m->downs++;
    m->reason = reason;
}

static void requests(int depth)
{
    struct link first = { 0 };
    chain c = link_create(&first);
    int value = 0;

    CHECK(chain_ask(c, &value, depth) == 0);
    CHECK(value == depth + 1);
    heddle_quiesce();
    CHECK(first.downs == 1); /* told of its child */
    heddle_stop(c.ref);
    CHECK(heddle_join(c.ref) == HEDDLE_STOPPED);
    CHECK(first.ended == 1 && first.lost == 0);
}

static void supervision(void)
{
    struct mother mother = { 0 };
    struct link child = { 0 };
    parent p = mother_create(&mother);
    chain c;

    parent_make(p, &child, &c);
    heddle_quiesce();
    chain_fail(c, 42);
    heddle_quiesce();
    CHECK(mother.downs == 1 && mother.reason == 42 && child.ended == 1);
    CHECK(heddle_join(c.ref) == 42);
    CHECK(chain_try_nothing(c) == ESRCH);
    heddle_watch(c.ref);
    heddle_message *m = heddle_receive(0, 0);

    CHECK(m->type == &heddle_down_type && ((heddle_down_message *)(void *)m)->reason == 42);
    heddle_message_free(m);
    heddle_stop(p.ref);
    heddle_join(p.ref);
}

/* An actor that waits inside of an action takes no other message; killed, it ends there. */
static void full_mailbox(void)
{
    struct link l = { 0 };
    heddle_actor_options o = { .name = "small", .capacity = 2, .published = 1 };
    chain c = link_create_with(&l, &o);

    CHECK(heddle_is(heddle_find("small"), c.ref));
    chain_nothing(c);
    heddle_quiesce();
    chain_wait_for_nothing(c);
    chain_nothing(c);
    heddle_quiesce();
    CHECK(l.last_reason == 7);
    CHECK(chain_try_nothing(c) == 0);
    heddle_quiesce();

    struct link other = { 0 };
    chain filler = link_create(&other);

    chain_fill(filler, c.ref);
    heddle_quiesce(); /* an order to inform of the end would take room, too */
    CHECK(heddle_join(c.ref) == HEDDLE_STOPPED);
    CHECK(heddle_is_nobody(heddle_find("small")));
    heddle_stop(filler.ref);
    heddle_join(filler.ref);
}

static void killed_while_waiting(void)
{
    struct link l = { 0 };
    chain c = link_create(&l);

    chain_wait_for_nothing(c);
    heddle_kill(c.ref);
    CHECK(heddle_join(c.ref) == HEDDLE_KILLED);
    CHECK(l.last_reason == 8 && l.lost == 1 && l.ended == 0);
}

static void timers(void)
{
    struct link l = { 0 };
    chain c = link_create(&l);
    heddle_timer never = chain_fail_after(c, UINT64_C(3600000000000), 9);

    if (!heddle_cancel(never)) { /* under Heddle an hour may be over at once */
        CHECK(heddle_join(c.ref) == 9);
        return;
    }
    CHECK(heddle_cancel(never) == 0);
    chain_fail_after(c, 1000, 5);
    CHECK(heddle_join(c.ref) == 5);
}

static unsigned equal(void *context, void *request, void *response)
{
    int *pairs = context;

    if (response == NULL)
        return HEDDLE_KEEP;
    if (*(int *)request != *(int *)response)
        return HEDDLE_KEEP;
    ++*pairs;
    return HEDDLE_DROP_BOTH;
}

static unsigned drop_all(void *context, void *request, void *response)
{
    (void)context, (void)request, (void)response;
    return HEDDLE_DROP_BOTH;
}

static void buffer(void)
{
    heddle_buffer *b = heddle_buffer_new();
    int one = 1, two = 2, three = 3, pairs = 0;

    heddle_buffer_add_request(b, &one, equal, &pairs);
    heddle_buffer_add_request(b, &two, equal, &pairs);
    heddle_buffer_add_response(b, &three, equal, &pairs);
    heddle_buffer_add_response(b, &two, equal, &pairs);
    CHECK(pairs == 1 && heddle_buffer_requests(b) == 1 && heddle_buffer_responses(b) == 1);
    heddle_buffer_add_response(b, NULL, equal, &pairs);
    heddle_buffer_process_matching(b, drop_all, NULL);
    CHECK(heddle_buffer_requests(b) == 0 && heddle_buffer_responses(b) == 1);
    heddle_buffer_add_request(b, &one, drop_all, NULL); /* a null response stays */
    CHECK(heddle_buffer_requests(b) == 0 && heddle_buffer_responses(b) == 1);
    heddle_buffer_free(b);
}

/* Passes each message on to the next. */
static void pass_on(void *next, heddle_message *m)
{
    heddle_message_keep(m);
    heddle_send(*(heddle_ref *)next, m);
}

static void kept(void)
{
    static const heddle_behaviour relay = { .name = "relay", .act = pass_on };
    struct link last = { 0 };
    chain c = link_create(&last);
    heddle_ref next = c.ref, second = heddle_create(&relay, &next, 0), first = heddle_create(&relay, &second, 0);

    chain_fail(chain_of(first), 6);
    CHECK(heddle_join(c.ref) == 6);
    heddle_stop(first);
    heddle_join(first);
    heddle_stop(second);
    heddle_join(second);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = { { "supervision", supervision }, { "full", full_mailbox }, { "killed", killed_while_waiting },
                  { "timers", timers }, { "buffer", buffer }, { "kept", kept } };
    heddle_actors_options o = { .workers = 1 };
    const char *only = argc > 2 ? argv[2] : NULL; /* under Heddle one part at a time: their orders multiply */

    heddle_actors_start(&o);
    CHECK(heddle_random(1000) < 1000 && heddle_random(0) != heddle_random(0));
    if (only == NULL || strcmp(only, "requests") == 0)
        requests(argc > 1 ? atoi(argv[1]) : 3);
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        if (only == NULL || strcmp(only, parts[i].name) == 0)
            parts[i].run();
    heddle_actors_stop();
    return 0;
}
