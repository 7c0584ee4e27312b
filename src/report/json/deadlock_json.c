/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock_json.c - prints a deadlock for scripts: for each thread, what it waits for, which thread
 * would have to run first, and which locks it holds. */
#include "base/json.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/place.h"
#include "report/verdict/result.h"

static void say_holds(struct hd_json *j, const struct hd_report *r, hd_tid tid)
{
    char what[320];

    hd_json_put_array(j, "holds");
    for (uint32_t i = 0; i < r->nholds; i++)
        if (r->holds[i].tid == tid && hd_report_is_lock(r, r->holds[i].obj)) {
            hd_describe_typed_object(r, r->holds[i].obj, what, sizeof what);
            hd_json_object(j);
            hd_json_put_string(j, "object", what);
            hd_json_put_string_or_null(j, "taken_at",
                                       hd_symbols_site(r->symbols, hd_report_hold_place(r, &r->holds[i])));
            hd_json_end(j);
        }
    hd_json_end(j);
}

static void say_wait(struct hd_json *j, const struct hd_report *r, const struct hd_event *e,
                     const struct hd_wait *w)
{
    char text[400];

    hd_describe_pending(r, e, text, sizeof text);
    hd_json_put_string_or_null(j, "operation", text);
    hd_json_put_string_or_null(j, "at", hd_describe_site(r, e));
    hd_json_put_string_or_null(j, "waits_for", w->what);
    text[0] = '\0';
    if (w->on != HD_NO_TID)
        hd_describe_thread(r, w->on, text, sizeof text);
    hd_json_put_string_or_null(j, "blocked_by", text);
    hd_json_put_string_or_null(j, "taken_at", hd_symbols_site(r->symbols, w->held_pc));
}

static bool is_exiting(const struct hd_report *r, hd_tid tid)
{
    for (uint32_t i = 0; i < r->nstands; i++)
        if (r->stands[i].tid == tid)
            return r->stands[i].how == HD_BLOCKED_STATE_EXITING;
    return false;
}

static void say_thread(struct hd_json *j, const struct hd_report *r, hd_tid tid, const struct hd_event *e)
{
    bool runs = hd_deadlock_runs_on(r, tid);
    struct hd_wait w;
    char who[64];

    hd_describe_thread(r, tid, who, sizeof who);
    hd_json_object(hd_json_line(j));
    hd_json_put_string(j, "thread", who);
    if (!runs && hd_deadlock_wait(r, tid, &w)) {
        hd_json_put_string(j, "state", w.in_cycle ? "cycle" : "blocked");
        say_wait(j, r, e, &w);
    } else {
        hd_json_put_string(j, "state", is_exiting(r, tid) ? "exiting" : "running");
    }
    say_holds(j, r, tid);
    hd_json_end(j);
}

void hd_deadlock_json(struct hd_json *j, const struct hd_report *r)
{
    char who[64];

    hd_json_object(j);
    hd_json_put_array(j, "cycle");
    for (uint32_t i = 0; i < r->nstands && r->stands[i].how == HD_BLOCKED_STATE_IN_CYCLE; i++) {
        hd_describe_thread(r, (hd_tid)r->stands[i].tid, who, sizeof who);
        hd_json_string(j, who);
    }
    hd_json_end(j);
    hd_json_put_array(j, "threads");
    for (uint32_t i = 0; i < r->nthreads; i++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)i);

        if (e != NULL)
            say_thread(j, r, (hd_tid)i, e);
    }
    hd_json_end(j);
    hd_json_end(j);
}
