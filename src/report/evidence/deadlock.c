/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.c - the text, the stacks and the decisive events of a deadlock. */
#include "report/evidence/deadlock.h"

#include <string.h>

#include "report/evidence/describe.h"
#include "report/evidence/futex_lock.h"
#include "report/evidence/library_lock.h"
#include "report/evidence/place.h"
#include "report/evidence/stopped.h"

/* ---- states of the threads ------------------------------------------------------------------ */

static const struct hd_stand *stand_of(const struct hd_report *r, hd_tid tid)
{
    for (uint32_t i = 0; i < r->nstands; i++)
        if (r->stands[i].tid == tid)
            return &r->stands[i];
    return NULL;
}

static unsigned cycle_length(const struct hd_report *r)
{
    unsigned n = 0;

    while (n < r->nstands && r->stands[n].how == HD_BLOCKED_STATE_IN_CYCLE)
        n++;
    return n;
}

/* True if some threads are not blocked by the deadlock. */
static bool is_partial(const struct hd_report *r)
{
    for (uint32_t i = 0; i < r->nstands; i++)
        if (r->stands[i].how == HD_BLOCKED_STATE_FREE ||
            (r->stands[i].how == HD_BLOCKED_STATE_EXITING && cycle_length(r) > 0))
            return true;
    return false;
}

bool hd_deadlock_runs_on(const struct hd_report *r, hd_tid tid)
{
    const struct hd_stand *s = stand_of(r, tid);

    return s != NULL && (s->how == HD_BLOCKED_STATE_FREE || s->how == HD_BLOCKED_STATE_EXITING) &&
           is_partial(r);
}

/* ---- what a thread waits for ------------------------------------------------------------------ */

static const struct hd_hold *holder_of(const struct hd_report *r, uint32_t obj, hd_tid but)
{
    for (uint32_t i = 0; i < r->nholds; i++)
        if (r->holds[i].obj == obj && r->holds[i].tid != but)
            return &r->holds[i];
    return NULL;
}

static const struct hd_hold *hold_of(const struct hd_report *r, uint32_t obj, hd_tid tid)
{
    for (uint32_t i = 0; i < r->nholds; i++)
        if (r->holds[i].obj == obj && r->holds[i].tid == tid)
            return &r->holds[i];
    return NULL;
}

/* True if the thread still waits for a signal or a wake-up.  After the signal, it waits only for
 * its mutex. */
static bool needs_signal(const struct hd_report *r, hd_tid tid, const struct hd_event *e)
{
    const struct hd_stand *s = stand_of(r, tid);

    if (e->kind != HD_EV_COND_WAKE && e->kind != HD_EV_FUTEX_WAKEUP)
        return false;
    return s != NULL ? !s->woken : holder_of(r, e->obj, tid) == NULL;
}

/* Returns the hold of the lock that blocks the thread, or NULL if no lock blocks it.  If the thread
 * is in a cycle, prefers the hold of the next thread in the cycle. */
static const struct hd_hold *obstacle(const struct hd_report *r, hd_tid tid,
                                      const struct hd_event *e)
{
    const struct hd_stand *s = stand_of(r, tid);
    const struct hd_hold *h = NULL;

    if (e->kind == HD_EV_THREAD_JOIN || e->kind == HD_EV_BARRIER_LEAVE || needs_signal(r, tid, e))
        return NULL;
    if (s != NULL && s->how == HD_BLOCKED_STATE_IN_CYCLE)
        h = hold_of(r, e->obj, (hd_tid)s->waits_for);
    if (h == NULL)
        h = holder_of(r, e->obj, tid);
    return h != NULL ? h : hold_of(r, e->obj, tid);
}

static void awaited(const struct hd_report *r, hd_tid tid, const struct hd_event *e, char *buf,
                    size_t cap)
{
    char peer[64], name[256];

    if (e->kind == HD_EV_THREAD_JOIN && e->peer != HD_NO_TID) {
        hd_describe_thread(r, e->peer, peer, sizeof peer);
        snprintf(buf, cap, "the end of %s", peer);
        return;
    }
    if (e->kind == HD_EV_IO_WAIT) { /* the object represents all input and output */
        snprintf(buf, cap, hd_describe_is_signal(r, e) ? "a signal" : "a descriptor to be ready");
        return;
    }
    if (hd_library_lock(r, e) == HD_LIBRARY_LOCK_WAITS) {
        hd_describe_object(r, e->obj, name, sizeof name);
        snprintf(buf, cap, "lock %s", name);
        return;
    }
    /* obj of a wake-up is the mutex, obj2 the condition */
    hd_describe_typed_object(r, needs_signal(r, tid, e) && e->obj2 != 0 ? e->obj2 : e->obj, buf,
                             cap);
    if (buf[0] == '\0')
        snprintf(buf, cap, "%s", hd_kind_info[e->kind].text);
}

/* ---- signals -------------------------------------------------------------------------------------- */

/* Returns the index of the last event that has one of the two kinds, the object (as obj2 if
 * `second`) and the thread (HD_NO_TID: any thread).  Returns -1 if there is none. */
static int64_t last_event(const struct hd_report *r, hd_tid tid, enum hd_kind a, enum hd_kind b,
                          uint32_t obj, bool second)
{
    for (uint32_t i = r->nevents; i-- > 0;) {
        const struct hd_event *e = &r->events[i];

        if ((e->kind == a || e->kind == b) && (tid == HD_NO_TID || e->tid == tid) &&
            (second ? e->obj2 : e->obj) == obj)
            return i;
    }
    return -1;
}

/* Returns the first thread that a signal woke after event `from`.  Returns HD_NO_TID if none has
 * woken yet. */
static hd_tid woken_by(const struct hd_report *r, uint32_t from, uint32_t tokens)
{
    for (uint32_t i = from + 1; i < r->nevents; i++) {
        const struct hd_event *e = &r->events[i];

        if ((e->kind == HD_EV_COND_WAKE || e->kind == HD_EV_FUTEX_WAKEUP) && e->obj2 == tokens)
            return e->tid;
    }
    return HD_NO_TID;
}

/* The events that explain a waiter: the start of its wait, and the last signal to its condition or
 * futex. */
struct signals {
    bool cond;
    uint32_t tokens;
    int64_t waits, sent; /* indices of events; -1: none */
};

static struct signals signals_of(const struct hd_report *r, hd_tid tid, const struct hd_event *e)
{
    struct signals s = { .cond = e->kind == HD_EV_COND_WAKE, .tokens = e->obj2 };
    uint32_t queue = s.tokens > 0 ? s.tokens - 1 : 0;

    s.waits = last_event(r, tid, s.cond ? HD_EV_COND_WAIT : HD_EV_FUTEX_WAIT, HD_EV_NONE, queue, true);
    s.sent = last_event(r, HD_NO_TID, s.cond ? HD_EV_COND_SIGNAL : HD_EV_FUTEX_WAKE,
                        s.cond ? HD_EV_COND_BROADCAST : HD_EV_NONE, queue, false);
    return s;
}

/* Writes what happened to the signals.  The text continues "T2 waits for cond c". */
static void tell_signals(const struct hd_report *r, hd_tid tid, const struct hd_event *e, char *buf,
                         size_t cap)
{
    struct signals all = signals_of(r, tid, e);
    const char *signal = all.cond ? "signal" : "wake-up";
    char sender[64], taker[64];

    if (all.sent < 0) {
        snprintf(buf, cap, "; nobody has sent it a %s, and nobody is left to do so", signal);
        return;
    }
    const struct hd_event *s = &r->events[all.sent];
    hd_tid took = woken_by(r, (uint32_t)all.sent, all.tokens);
    const char *site = hd_describe_site(r, s);

    hd_describe_thread(r, s->tid, sender, sizeof sender);
    hd_describe_thread(r, took, taker, sizeof taker);
    if (all.sent < all.waits)
        snprintf(buf, cap, "; the last %s was sent by %s at %s, before it waited%s", signal, sender,
                 site[0] != '\0' ? site : "?",
                 s->value == 0 ? ": nobody did then, so it was lost" : "");
    else
        snprintf(buf, cap, "; the last %s, sent by %s at %s, woke %s", signal, sender,
                 site[0] != '\0' ? site : "?", took != HD_NO_TID ? taker : "another thread");
}

/* ---- a line for each thread --------------------------------------------------------------------- */

static void tell_hold(const struct hd_report *r, const struct hd_hold *h, hd_tid tid, char *buf,
                      size_t cap)
{
    const char *site = hd_symbols_site(r->symbols, hd_report_hold_place(r, h));
    bool ended = h->tid < r->nthreads && r->threads[h->tid].state != HD_TH_LIVE;
    char who[64];

    hd_describe_thread(r, (hd_tid)h->tid, who, sizeof who);
    if (h->tid == tid)
        snprintf(who, sizeof who, "itself");
    snprintf(buf, cap, ", held by %s%s%s%s%s", who, ended ? ", which has ended" : "",
             site[0] != '\0' ? " (taken at " : "", site, site[0] != '\0' ? ")" : "");
}

/* Writes which thread holds the lock that a library has made of a futex. */
static void tell_taken(const struct hd_report *r, const struct hd_event *taken, hd_tid tid, char *buf, size_t cap)
{
    bool known = hd_library_lock(r, taken) == HD_LIBRARY_LOCK_TAKES;
    const char *site = hd_describe_site(r, taken);
    char who[64];

    hd_describe_thread(r, taken->tid, who, sizeof who);
    snprintf(buf, cap, ", %sheld by %s%s%s%s", known ? "" : "as a lock ", taken->tid == tid ? "itself" : who,
             site[0] != '\0' ? " (taken at " : "", site, site[0] != '\0' ? ")" : "");
}

/* Writes why the thread is blocked.  The text continues "T1 waits for mutex b".  Empty if there is
 * no more to say. */
static void reason(const struct hd_report *r, const struct hd_event *e, hd_tid tid, char *buf,
                   size_t cap)
{
    const struct hd_hold *h = obstacle(r, tid, e);

    const struct hd_event *taken = hd_futex_lock_taken(r, e);

    buf[0] = '\0';
    if (h != NULL)
        tell_hold(r, h, tid, buf, cap);
    else if (needs_signal(r, tid, e) && taken != NULL)
        tell_taken(r, taken, tid, buf, cap);
    else if (needs_signal(r, tid, e))
        tell_signals(r, tid, e, buf, cap);
    else if (e->kind == HD_EV_SEM_WAIT)
        snprintf(buf, cap, ", and nobody is left to post it");
    else if (e->kind == HD_EV_BARRIER_LEAVE)
        snprintf(buf, cap, ", and not all of its threads will come");
    else if (e->kind == HD_EV_IO_WAIT)
        snprintf(buf, cap, ", and nobody is left to %s",
                 hd_describe_is_signal(r, e) ? "send it" : "make it so");
}

bool hd_deadlock_wait(const struct hd_report *r, hd_tid tid, struct hd_wait *w)
{
    const struct hd_event *e = hd_report_pending(r, tid);
    const struct hd_stand *s = stand_of(r, tid);

    if (e == NULL || hd_deadlock_runs_on(r, tid))
        return false;
    const struct hd_hold *h = obstacle(r, tid, e);

    awaited(r, tid, e, w->what, sizeof w->what);
    reason(r, e, tid, w->reason, sizeof w->reason);
    const struct hd_event *taken = h == NULL ? hd_futex_lock_taken(r, e) : NULL;

    w->on = h != NULL ? (hd_tid)h->tid : taken != NULL ? taken->tid : e->kind == HD_EV_THREAD_JOIN ? e->peer : HD_NO_TID;
    w->held_pc = h != NULL ? hd_report_hold_place(r, h) : taken != NULL ? hd_report_place(r, taken) : 0;
    w->in_cycle = s != NULL && s->how == HD_BLOCKED_STATE_IN_CYCLE;
    return true;
}

static void print_line(const struct hd_text *t, const char *line)
{
    fputs("  ", t->out);
    hd_text_wrap(t, 2, 4, line);
}

static void waiting_thread(const struct hd_text *t, const struct hd_report *r, hd_tid tid,
                           const struct hd_event *e)
{
    char who[64], what[320], why[400], line[900];
    const char *site = hd_describe_site(r, e);

    hd_describe_thread(r, tid, who, sizeof who);
    awaited(r, tid, e, what, sizeof what);
    reason(r, e, tid, why, sizeof why);
    snprintf(line, sizeof line, "%s waits at %s for %s%s", who, site[0] != '\0' ? site : "?", what,
             why);
    print_line(t, line);
}

static void free_thread(const struct hd_text *t, const struct hd_report *r, const struct hd_stand *s)
{
    char who[64], line[200];

    hd_describe_thread(r, (hd_tid)s->tid, who, sizeof who);
    snprintf(line, sizeof line, "%s %s", who,
             s->how == HD_BLOCKED_STATE_EXITING ? "is ending the process" : "runs on");
    print_line(t, line);
}

static void threads_without_stands(const struct hd_text *t, const struct hd_report *r)
{
    for (uint32_t i = 0; i < r->nthreads; i++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)i);

        if (e != NULL)
            waiting_thread(t, r, (hd_tid)i, e);
    }
}

/* ---- sentences ----------------------------------------------------------------------------------- */

struct words {
    char *buf;
    size_t cap, used;
};

static void say(struct words *w, const char *text)
{
    int n = snprintf(w->buf + w->used, w->cap - w->used, "%s", text);

    if (n > 0)
        w->used += (size_t)n < w->cap - w->used ? (size_t)n : w->cap - w->used - 1;
}

static void say_thread(struct words *w, const struct hd_report *r, uint32_t tid)
{
    char who[64];

    hd_describe_thread(r, (hd_tid)tid, who, sizeof who);
    say(w, who);
}

/* Stores the threads of the cycle: of locks that Heddle knows, or of futexes used as locks. */
static unsigned circle_of(const struct hd_report *r, hd_tid out[HD_MAX_THREADS])
{
    unsigned n = cycle_length(r);

    for (unsigned i = 0; i < n && i < HD_MAX_THREADS; i++)
        out[i] = (hd_tid)r->stands[i].tid;
    return n > 0 ? n : hd_futex_lock_circle(r, out);
}

/* Appends "main and T1 wait for each other" or "T1 waits for itself". */
static void say_circle(struct words *w, const struct hd_report *r, const hd_tid *in, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        say(w, i == 0 ? "" : i + 1 < n ? ", " : " and ");
        say_thread(w, r, in[i]);
    }
    say(w, n == 1 ? " waits for itself" : n == 2 ? " wait for each other" : " wait for each other in a circle");
}

static uint32_t count_pending(const struct hd_report *r)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->nthreads; i++)
        n += hd_report_pending(r, (hd_tid)i) != NULL;
    return n;
}

/* True if the only threads that still run are ending the process. */
static bool is_ending(const struct hd_report *r)
{
    for (uint32_t i = 0; i < r->nstands; i++)
        if (r->stands[i].how == HD_BLOCKED_STATE_FREE)
            return false;
    return true;
}

static void say_head(struct words *w, const struct hd_report *r)
{
    hd_tid in[HD_MAX_THREADS];
    unsigned n = circle_of(r, in);
    uint32_t blocked = count_pending(r);
    char line[100];

    if (n > 0) {
        say_circle(w, r, in, n);
        say(w, !is_partial(r) ? " for ever"
               : is_ending(r) ? " for ever; only that the process ends hides it"
                              : " for ever, while others run on");
        return;
    }
    snprintf(line, sizeof line, "%u thread%s blocked for ever", blocked,
             blocked == 1 ? " is" : "s are");
    say(w, line);
}

/* Appends `before` and "T1 waits for mutex b, held by T2 (taken at f.c:7)". */
static void say_wait(struct words *w, const struct hd_report *r, hd_tid tid, const char *before)
{
    const struct hd_event *e = hd_report_pending(r, tid);
    char what[320], why[400];

    if (e == NULL)
        return;
    awaited(r, tid, e, what, sizeof what);
    reason(r, e, tid, why, sizeof why);
    say(w, before);
    say_thread(w, r, tid);
    say(w, " waits for ");
    say(w, what);
    say(w, why);
}

void hd_deadlock_message(const struct hd_report *r, char *buf, size_t cap)
{
    struct words w = { buf, cap, 0 };
    unsigned n = cycle_length(r), left = 0;
    const char *before = ": ";
    char more[32];

    buf[0] = '\0';
    say_head(&w, r);
    for (uint32_t i = 0; i < r->nstands; i++)
        if (i < n || (n == 0 && r->stands[i].how == HD_BLOCKED_STATE_BLOCKED)) {
            if (w.used + 100 >= cap) {
                left++;
                continue;
            }
            say_wait(&w, r, (hd_tid)r->stands[i].tid, before);
            before = "; ";
        }
    snprintf(more, sizeof more, "; and %u more", left);
    if (left > 0)
        say(&w, more);
}

void hd_deadlock_text(const struct hd_text *t, const struct hd_report *r)
{
    char line[400];
    struct words w = { line, sizeof line, 0 };

    say_head(&w, r);
    say(&w, ":");
    hd_text_wrap(t, 0, 2, line);
    if (r->nstands == 0)
        threads_without_stands(t, r);
    for (uint32_t i = 0; i < r->nstands; i++) {
        const struct hd_stand *s = &r->stands[i];
        const struct hd_event *e = hd_report_pending(r, (hd_tid)s->tid);

        if (hd_deadlock_runs_on(r, (hd_tid)s->tid))
            free_thread(t, r, s);
        else if (e != NULL)
            waiting_thread(t, r, (hd_tid)s->tid, e);
    }
}

/* ---- the acquisitions of the locks ------------------------------------------------------------ */

/* Returns the index of the event that acquired the lock, or -1 if it is not in the record. */
static int64_t event_of(const struct hd_report *r, const struct hd_hold *h)
{
    for (uint32_t i = r->nevents; i-- > 0;) {
        enum hd_lock_effect effect = hd_lock_effect(&r->events[i]);

        if (r->events[i].tid == h->tid && r->events[i].obj == h->obj &&
            (effect == HD_LOCK_TAKES || effect == HD_LOCK_SHARES))
            return i;
    }
    return -1;
}

/* Stores the holds that block other threads, without duplicates, those of the cycle first.  Returns
 * their number, at most HD_DECISIVE_EVENTS. */
static unsigned obstacles(const struct hd_report *r, const struct hd_hold **out)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < r->nstands && n < HD_DECISIVE_EVENTS; i++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)r->stands[i].tid);
        const struct hd_hold *h = e != NULL ? obstacle(r, (hd_tid)r->stands[i].tid, e) : NULL;
        bool known = h == NULL || hd_deadlock_runs_on(r, (hd_tid)r->stands[i].tid);

        for (unsigned k = 0; k < n; k++)
            known |= out[k] == h;
        if (!known)
            out[n++] = h;
    }
    return n;
}

unsigned hd_deadlock_events(const struct hd_report *r, uint32_t *events)
{
    const struct hd_hold *holds[HD_DECISIVE_EVENTS];
    unsigned n = r->nevents < HD_EVENTS_KEPT ? obstacles(r, holds) : 0, known = 0;

    for (unsigned i = 0; i < n; i++) {
        int64_t at = event_of(r, holds[i]);

        if (at >= 0)
            events[known++] = (uint32_t)at;
    }
    if (r->nevents >= HD_EVENTS_KEPT)
        return 0;
    return known > 0 ? known : hd_futex_lock_events(r, events, HD_DECISIVE_EVENTS);
}

bool hd_deadlock_shows(const struct hd_report *r, const struct hd_event *e)
{
    uint32_t events[HD_DECISIVE_EVENTS];
    unsigned n = r->finding->kind == HD_FK_DEADLOCK ? hd_deadlock_events(r, events) : 0;

    for (unsigned i = 0; i < n; i++)
        if (&r->events[events[i]] == e)
            return true;
    return false;
}

void hd_deadlock_evidence(struct hd_evidence_list *l, const struct hd_report *r)
{
    const struct hd_hold *holds[HD_DECISIVE_EVENTS];
    unsigned n = obstacles(r, holds);

    hd_stopped_evidence(l, r);
    for (unsigned i = 0; i < n; i++) {
        int64_t at = event_of(r, holds[i]);
        const struct hd_capture *c = at < 0 ? NULL : hd_report_witnessed(r, (uint32_t)at);
        char who[64], what[320], title[400];

        hd_describe_thread(r, (hd_tid)holds[i]->tid, who, sizeof who);
        hd_describe_typed_object(r, holds[i]->obj, what, sizeof what);
        snprintf(title, sizeof title, "%s took %s here", who, what);
        struct hd_evidence item = hd_evidence_titled(HD_ROLE_TOOK, (hd_tid)holds[i]->tid, title);

        if (c != NULL)
            hd_evidence_captured(l, r, &item, c);
        else
            hd_evidence_calls(l, r, &item, &holds[i]->pc, 1);
    }
}

/* ---- the essential waits, holds and events ---------------------------------------------------- */

bool hd_deadlock_is_central(const struct hd_report *r, hd_tid tid)
{
    const struct hd_stand *s = stand_of(r, tid);
    const struct hd_event *e = hd_report_pending(r, tid);

    if (e == NULL)
        return false;
    return cycle_length(r) > 0 ? s != NULL && s->how == HD_BLOCKED_STATE_IN_CYCLE
                               : e->kind != HD_EV_THREAD_JOIN || count_pending(r) == 1;
}

bool hd_deadlock_blames(const struct hd_report *r, const struct hd_hold *hold)
{
    const struct hd_hold *holds[HD_DECISIVE_EVENTS];
    unsigned n = obstacles(r, holds);

    for (unsigned i = 0; i < n; i++)
        if (holds[i] == hold)
            return true;
    return false;
}

static void add_event(uint32_t *events, unsigned *n, int64_t event)
{
    if (event >= 0 && *n < HD_MAX_DECISIVE)
        events[(*n)++] = (uint32_t)event;
}

unsigned hd_deadlock_decisive(const struct hd_report *r, uint32_t *events)
{
    unsigned n = hd_deadlock_events(r, events);

    if (n > 0)
        return n;
    for (uint32_t i = 0; i < r->nthreads; i++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)i);

        if (e == NULL || hd_deadlock_runs_on(r, (hd_tid)i))
            continue;
        if (needs_signal(r, (hd_tid)i, e)) {
            struct signals s = signals_of(r, (hd_tid)i, e);

            add_event(events, &n, s.sent);
            add_event(events, &n, s.waits);
        } else if (e->kind == HD_EV_SEM_WAIT) {
            add_event(events, &n, last_event(r, (hd_tid)i, HD_EV_SEM_WAIT, HD_EV_SEM_TRYWAIT, e->obj, false));
        }
    }
    return n;
}
