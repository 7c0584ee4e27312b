/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif_flow.c - writes the interleaving as a code flow.  Readers fail beyond about ten thousand
 * locations.  So a very long interleaving is cut: the end remains, and all decisive steps. */
#include "report/sarif/sarif.h"

#include <string.h>

#include "model/lock.h"
#include "report/evidence/describe.h"
#include "report/evidence/steps.h"
#include "report/print/json.h"

enum { MAX_LOCATIONS = 10000 };

static bool is_kept(const struct hd_steps *s, uint32_t i)
{
    return s->all[i].decisive || s->n - i <= MAX_LOCATIONS;
}

static const char *importance(const struct hd_step *s)
{
    return s->decisive ? "essential" : s->switched ? "important" : "unimportant";
}

/* Returns the kinds of a location, with the words that SARIF suggests. */
static const char *kinds(const struct hd_step *s)
{
    if (s->type == HD_STEP_FAILS)
        return "[\"danger\"]";
    if (s->type == HD_STEP_ACCESS)
        return "[\"danger\", \"memory\"]";
    if (s->type == HD_STEP_WAITS)
        return "[\"caution\"]";
    switch (hd_lock_effect(s->event)) {
    case HD_LOCK_TAKES:
    case HD_LOCK_SHARES:
        return s->event->flags & HD_EVF_FAILED ? NULL : "[\"acquire\", \"lock\"]";
    case HD_LOCK_GIVES:
        return "[\"release\", \"lock\"]";
    default:
        return NULL;
    }
}

/* Prints the value that was read or written, under the name of its object. */
static void put_state(FILE *out, const struct hd_report *r, const struct hd_step *s)
{
    struct hd_operation o;

    if (s->type != HD_STEP_EVENT)
        return;
    hd_describe_parts(r, s->event, false, &o);
    if (o.object[0] == '\0' || strncmp(o.value, " = ", 3) != 0)
        return;
    fputs(", \"state\": {", out);
    hd_json_string(out, o.object);
    fputs(": ", out);
    hd_sarif_message(out, o.value + 3);
    fputc('}', out);
}

static void put_step(FILE *out, struct hd_sarif_files *files, const struct hd_report *r,
                     const struct hd_step *s, uint32_t order)
{
    struct hd_frame f[HD_MAX_FRAMES];
    unsigned n = hd_symbols_frames(r->symbols, s->pc, true, f, HD_MAX_FRAMES);
    char text[600];

    hd_step_text(r, s, text, sizeof text);
    fprintf(out, "\n        {\"executionOrder\": %u, \"importance\": \"%s\"", order, importance(s));
    if (kinds(s) != NULL)
        fprintf(out, ", \"kinds\": %s", kinds(s));
    put_state(out, r, s);
    fputs(", \"location\": ", out);
    hd_sarif_location(out, files, hd_symbols_own_frame(f, n), text, -1);
    fputc('}', out);
}

/* Prints the thread flow of a thread.  Returns false if the thread has no steps. */
static bool put_thread(FILE *out, struct hd_sarif_files *files, const struct hd_report *r,
                       const struct hd_steps *s, hd_tid tid, bool more)
{
    char id[16], who[64];
    bool begun = false;

    hd_describe_tid(tid, id, sizeof id);
    hd_describe_thread(r, tid, who, sizeof who);
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->all[i].tid != tid || !is_kept(s, i))
            continue;
        if (!begun) {
            fprintf(out, "%s\n      {\"id\": ", more ? "," : "");
            hd_json_string(out, id);
            fputs(", \"message\": ", out);
            hd_sarif_message(out, who);
            fputs(", \"locations\": [", out);
        }
        fputs(begun ? "," : "", out);
        put_step(out, files, r, &s->all[i], i + 1);
        begun = true;
    }
    if (begun)
        fputs("]}", out);
    return begun;
}

uint32_t hd_sarif_flows(FILE *out, struct hd_sarif_files *files, const struct hd_report *r)
{
    struct hd_steps s;
    bool any = false;

    hd_steps_of(r, &s);
    fputs("[", out);
    if (s.n > 0) {
        fputs("{\"message\": {\"text\": \"The interleaving that fails, in the order of execution.\"},"
              "\n     \"threadFlows\": [", out);
        for (unsigned t = 0; t < HD_MAX_THREADS; t++)
            any |= put_thread(out, files, r, &s, (hd_tid)t, any);
        fputs("]}", out);
    }
    fputs("]", out);
    hd_steps_free(&s);
    return s.n < MAX_LOCATIONS ? s.n : MAX_LOCATIONS;
}
