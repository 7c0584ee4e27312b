/* SPDX-License-Identifier: BSD-2-Clause
 *
 * life.c - the life of an actor: its creation, the handling of its messages, its end, and informing other actors of
 * the end. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#include "actor/cell.h"

_Thread_local struct heddle_cell_ *ha_current;

const heddle_message_type heddle_down_type = { "heddle", "down" };
static const heddle_message_type stop_type = { "heddle", "stop" }, kill_type = { "heddle", "kill" },
                                 watch_type = { "heddle", "watch" }, join_type = { "heddle", "join" };

struct ha_watcher {
    struct ha_watcher *next;
    heddle_ref who;
    uint64_t request; /* number of the request of a join; 0: inform the watcher by a message */
};

/* ---- cells ------------------------------------------------------------------------------------------- */

static _Atomic(struct heddle_cell_ *) all;
static struct heddle_cell_ *unused;
static pthread_mutex_t unused_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;

/* Under Heddle cells are not reused: otherwise names of objects would depend on which actor ends first. */
static struct heddle_cell_ *take_unused(void)
{
    struct heddle_cell_ *c;

    if (ha_exec == &ha_controlled)
        return NULL;
    pthread_mutex_lock(&unused_lock);
    c = unused;
    if (c != NULL)
        unused = c->next;
    pthread_mutex_unlock(&unused_lock);
    return c;
}

static struct heddle_cell_ *fresh(void)
{
    struct heddle_cell_ *c = ha_allocate(sizeof *c);

    memset(c, 0, sizeof *c);
    atomic_init(&c->life, HA_LIFE);
    atomic_init(&c->inbox, HA_CLOSED);
    c->all_next = atomic_load_explicit(&all, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&all, &c->all_next, c, memory_order_release, memory_order_relaxed))
        ;
    return c;
}

struct heddle_cell_ *ha_cell_new(const heddle_behaviour *what)
{
    struct heddle_cell_ *c = take_unused();

    if (c == NULL)
        c = fresh();
    uint32_t life = ha_life(c) & ~(uint32_t)HA_THREAD;

    c->what = what;
    c->batch = c->stash = NULL;
    c->watchers = NULL;
    c->requests = c->children = 0;
    c->begun = c->ends = c->crashed = c->published = false;
    c->node = NULL;
    atomic_store_explicit(&c->queued, 0, memory_order_relaxed);
    atomic_store_explicit(&c->capacity, 0, memory_order_relaxed);
    atomic_store_explicit(&c->life, what == NULL ? life | HA_THREAD : life, memory_order_relaxed);
    return c;
}

/* ---- watchers ----------------------------------------------------------------------------------------- */

static void tell(heddle_ref watcher, uint64_t request, heddle_ref who, int reason)
{
    heddle_down_message *m = (heddle_down_message *)(void *)heddle_message_new(&heddle_down_type, 0, sizeof *m);

    m->head.flags_ = request != 0 ? HA_ANSWER : HA_DOWN;
    m->head.request_ = request;
    m->head.sender = who;
    m->who = who;
    m->reason = reason;
    ha_send(watcher, &m->head);
}

static void add_watcher(struct heddle_cell_ *c, heddle_ref who, uint64_t request)
{
    struct ha_watcher *w = ha_allocate(sizeof *w);

    *w = (struct ha_watcher){ .next = c->watchers, .who = who, .request = request };
    c->watchers = w;
}

/* Drops messages that no actor will take. */
static void drain(heddle_message *m, heddle_ref who, int reason)
{
    while (m != NULL) {
        heddle_message *next = m->next_;
        bool counts = !(m->life_ & HA_THREAD);

        if (m->flags_ & (HA_WATCH | HA_JOIN))
            tell(m->sender, m->request_, who, reason);
        ha_drop(m);
        if (counts)
            ha_exec->counts(-1);
        m = next;
    }
}

/* Closes the mailbox: from here on messages to it are dropped. */
static void close_mailbox(struct heddle_cell_ *c, int reason)
{
    heddle_ref was = ha_ref(c);
    heddle_message *left;

    ha_exec->writes(c);
    atomic_store_explicit(&c->last_reason, reason, memory_order_relaxed);
    atomic_store_explicit(&c->life, was.life + HA_LIFE, memory_order_release);
    left = c->stash;
    c->stash = NULL;
    drain(left, was, reason);
    while (ha_has_mail(c)) {
        left = c->batch;
        c->batch = NULL;
        drain(left, was, reason);
    }
    left = atomic_exchange_explicit(&c->inbox, HA_CLOSED, memory_order_acq_rel);
    if ((uintptr_t)left > (uintptr_t)HA_CLOSED) { /* messages came in between; the list begins with the newest */
        c->batch = NULL;
        drain(left, was, reason);
    }
    while (c->watchers != NULL) {
        struct ha_watcher *w = c->watchers;

        c->watchers = w->next;
        tell(w->who, w->request, was, reason);
        free(w);
    }
}

static void give_back(struct heddle_cell_ *c)
{
    free(c->name);
    c->name = NULL;
    if (ha_exec == &ha_controlled)
        return;
    pthread_mutex_lock(&unused_lock);
    c->next = unused;
    unused = c;
    pthread_mutex_unlock(&unused_lock);
}

/* ---- threads that own a mailbox ------------------------------------------------------------------------ */

static void thread_ended(void *cell)
{
    struct heddle_cell_ *c = cell;

    if (ha_exec == &ha_controlled)
        return; /* no thread waits for the end of this one, since a dead thread takes no messages */
    close_mailbox(c, HEDDLE_STOPPED);
    give_back(c);
}

static void make_key(void)
{
    pthread_key_create(&thread_end, thread_ended);
}

heddle_ref heddle_self(void)
{
    ha_started();
    if (ha_current == NULL) {
        struct heddle_cell_ *c = ha_cell_new(NULL);

        c->random = ha_mix(ha_seed());
        atomic_store_explicit(&c->inbox, HA_EMPTY, memory_order_relaxed);
        pthread_once(&thread_end_once, make_key);
        pthread_setspecific(thread_end, c);
        ha_current = c;
        ha_exec->owns(c);
    }
    return ha_ref(ha_current);
}

/* ---- actors ---------------------------------------------------------------------------------------------- */

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(ha_allocate(size), text, size);
}

heddle_ref heddle_create(const heddle_behaviour *what, void *state, const heddle_actor_options *options)
{
    static const heddle_actor_options none;
    const heddle_actor_options *o = options != NULL ? options : &none;

    ha_started();
    struct heddle_cell_ *parent = heddle_self().cell;

    if (!ha_lives(parent))
        return (heddle_ref){ .cell = NULL };
    struct heddle_cell_ *c = ha_cell_new(what);
    heddle_ref ref = ha_ref(c);

    c->state = state;
    c->name = o->name != NULL ? copy_of(o->name) : NULL;
    c->node = o->node != NULL ? o->node : parent->node;
    c->random = ha_mix(parent->random ^ ha_mix(++parent->children));
    atomic_store_explicit(&c->capacity, o->capacity, memory_order_relaxed);
    if (parent->what != NULL && parent->what->down != NULL)
        add_watcher(c, ha_ref(parent), 0);
    ha_exec->created(c);
    if (c->node != NULL && !ha_node_join(c, parent)) {
        give_back(c);
        return (heddle_ref){ .cell = NULL };
    }
    if (o->published)
        ha_publish(c);
    ha_exec->counts(1);
    atomic_store_explicit(&c->inbox, HA_EMPTY, memory_order_release);
    ha_exec->launch(c);
    return ref;
}

static void end(struct heddle_cell_ *c)
{
    if (!c->crashed && c->what->end != NULL)
        c->what->end(c->state, c->reason);
    if (c->crashed && c->what->lost != NULL)
        c->what->lost(c->state);
    ha_current = NULL; /* the following operations are not effects of the actor, which may have crashed */
    ha_unpublish(c);
    close_mailbox(c, c->reason);
    give_back(c);
}

static void end_with(struct heddle_cell_ *c, int reason, bool crashed)
{
    c->ends = true;
    c->reason = reason;
    c->crashed |= crashed;
}

/* Ends an action.  Returns false if the actor has ended. */
static bool after_action(struct heddle_cell_ *c)
{
    if (c->crashed && !c->ends)
        end_with(c, c->reason, true);
    bool lives = !c->ends;

    if (!lives)
        end(c);
    ha_exec->counts(-1);
    return lives;
}

bool ha_begin(struct heddle_cell_ *c)
{
    ha_current = c;
    c->begun = true;
    if (c->what->begin != NULL && ha_lives(c))
        c->what->begin(c->state);
    return after_action(c);
}

static void act(struct heddle_cell_ *c, heddle_message *m)
{
    if (m->flags_ & HA_STOP)
        end_with(c, HEDDLE_STOPPED, false);
    else if (m->flags_ & (HA_KILL | HA_CRASH))
        end_with(c, m->flags_ & HA_KILL ? HEDDLE_KILLED : HEDDLE_CRASHED, true);
    else if (m->flags_ & (HA_WATCH | HA_JOIN))
        add_watcher(c, m->sender, m->request_);
    else if (m->flags_ & HA_DOWN) {
        const heddle_down_message *down = (const heddle_down_message *)(const void *)m;

        if (c->what->down != NULL)
            c->what->down(c->state, down->who, down->reason);
    } else if (!(m->flags_ & HA_ANSWER)) { /* a late answer to a request that nobody waits for any more is ignored */
        c->what->act(c->state, m);
    }
}

bool ha_act(struct heddle_cell_ *c, heddle_message *m)
{
    ha_current = c;
    if (m->flags_ & HA_TIMER)
        ha_exec->rings(c, m);
    c->current = m;
    if (!c->ends)
        act(c, m);
    free(c->current);
    c->current = NULL;
    return after_action(c);
}

/* ---- functions for users ----------------------------------------------------------------------------------- */

static heddle_message *order(const heddle_message_type *type, uint32_t flag)
{
    heddle_message *m = heddle_message_new(type, 0, sizeof *m);

    m->flags_ = flag;
    return m;
}

void heddle_stop(heddle_ref who)
{
    if (ha_exec != NULL && (ha_current == NULL || ha_lives(ha_current)))
        ha_send(who, order(&stop_type, HA_STOP));
}

void heddle_kill(heddle_ref who)
{
    if (ha_exec != NULL && (ha_current == NULL || ha_lives(ha_current)))
        ha_send(who, order(&kill_type, HA_KILL));
}

static bool is_living_actor(struct heddle_cell_ *c)
{
    return !(atomic_load(&c->life) & HA_THREAD) && atomic_load(&c->inbox) != HA_CLOSED;
}

void ha_kill_all(void)
{
    for (struct heddle_cell_ *c = atomic_load(&all); c != NULL; c = c->all_next)
        if (is_living_actor(c))
            ha_send((heddle_ref){ .cell = c, .life = atomic_load(&c->life) }, order(&kill_type, HA_KILL));
}

bool ha_any_alive(void)
{
    struct heddle_cell_ *c = atomic_load(&all);

    while (c != NULL && !is_living_actor(c))
        c = c->all_next;
    return c != NULL;
}

void heddle_fail(int reason)
{
    if (ha_current != NULL && ha_current->what != NULL)
        end_with(ha_current, reason, false);
}

static int is_answer(const heddle_message *m, void *number)
{
    return m->flags_ & HA_ANSWER && m->request_ == *(const uint64_t *)number;
}

static int reason_of_the_dead(heddle_ref who)
{
    if (who.cell == NULL)
        return HEDDLE_KILLED;
    ha_exec->looks(who.cell);
    if (atomic_load(&who.cell->life) != who.life + HA_LIFE)
        return HEDDLE_KILLED;
    return atomic_load(&who.cell->last_reason);
}

int heddle_join(heddle_ref who)
{
    heddle_message *m = order(&join_type, HA_JOIN);
    uint64_t number;
    int reason;

    heddle_self();
    ha_set_sender(m);
    m->request_ = number = ++ha_current->requests;
    if (!ha_lives(ha_current) || ha_push(who, m, false) != 0) {
        free(m);
        return reason_of_the_dead(who);
    }
    m = ha_receive(is_answer, &number, true);
    if (m == NULL)
        return HEDDLE_KILLED;
    reason = ((heddle_down_message *)(void *)m)->reason;
    free(m);
    return reason;
}

void heddle_watch(heddle_ref who)
{
    heddle_message *m = order(&watch_type, HA_WATCH);

    heddle_self();
    ha_set_sender(m);
    if (ha_lives(ha_current) && ha_push(who, m, false) == 0)
        return;
    free(m);
    if (ha_lives(ha_current))
        tell(ha_ref(ha_current), 0, who, reason_of_the_dead(who));
}
