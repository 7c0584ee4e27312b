/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock_json.c - prints a deadlock for scripts: for each thread, what it waits for, which thread
 * would have to run first, and which locks it holds. */
#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/place.h"
#include "report/print/json.h"
#include "report/verdict/result.h"

static void text_or_null(FILE *out, const char *key, const char *value)
{
    fprintf(out, ", \"%s\": ", key);
    if (value[0] != '\0')
        hd_json_string(out, value);
    else
        fputs("null", out);
}

static void say_holds(FILE *out, const struct hd_report *r, hd_tid tid)
{
    char what[320];
    bool more = false;

    fputs(", \"holds\": [", out);
    for (uint32_t i = 0; i < r->nholds; i++)
        if (r->holds[i].tid == tid && hd_report_is_lock(r, r->holds[i].obj)) {
            hd_describe_typed_object(r, r->holds[i].obj, what, sizeof what);
            fprintf(out, "%s{\"object\": ", more ? ", " : "");
            hd_json_string(out, what);
            text_or_null(out, "taken_at", hd_symbols_site(r->symbols, hd_report_hold_place(r, &r->holds[i])));
            fputc('}', out);
            more = true;
        }
    fputs("]", out);
}

static void say_wait(FILE *out, const struct hd_report *r, const struct hd_event *e,
                     const struct hd_wait *w)
{
    char text[400];

    hd_describe_pending(r, e, text, sizeof text);
    text_or_null(out, "operation", text);
    text_or_null(out, "at", hd_describe_site(r, e));
    text_or_null(out, "waits_for", w->what);
    text[0] = '\0';
    if (w->on != HD_NO_TID)
        hd_describe_thread(r, w->on, text, sizeof text);
    text_or_null(out, "blocked_by", text);
    text_or_null(out, "taken_at", hd_symbols_site(r->symbols, w->held_pc));
}

static bool is_exiting(const struct hd_report *r, hd_tid tid)
{
    for (uint32_t i = 0; i < r->nstands; i++)
        if (r->stands[i].tid == tid)
            return r->stands[i].how == HD_BLOCKED_STATE_EXITING;
    return false;
}

static void say_thread(FILE *out, const struct hd_report *r, hd_tid tid, const struct hd_event *e)
{
    bool runs = hd_deadlock_runs_on(r, tid);
    struct hd_wait w;
    char who[64];

    hd_describe_thread(r, tid, who, sizeof who);
    fputs("\n     {\"thread\": ", out);
    hd_json_string(out, who);
    if (!runs && hd_deadlock_wait(r, tid, &w)) {
        text_or_null(out, "state", w.in_cycle ? "cycle" : "blocked");
        say_wait(out, r, e, &w);
    } else {
        text_or_null(out, "state", is_exiting(r, tid) ? "exiting" : "running");
    }
    say_holds(out, r, tid);
    fputc('}', out);
}

void hd_deadlock_json(FILE *out, const struct hd_report *r)
{
    const char *before = "";
    char who[64];

    fputs("{\"cycle\": [", out);
    for (uint32_t i = 0; i < r->nstands && r->stands[i].how == HD_BLOCKED_STATE_IN_CYCLE; i++) {
        hd_describe_thread(r, (hd_tid)r->stands[i].tid, who, sizeof who);
        fputs(i > 0 ? ", " : "", out);
        hd_json_string(out, who);
    }
    fputs("], \"threads\": [", out);
    for (uint32_t i = 0; i < r->nthreads; i++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)i);

        if (e == NULL)
            continue;
        fputs(before, out);
        say_thread(out, r, (hd_tid)i, e);
        before = ",";
    }
    fputs("]}", out);
}
