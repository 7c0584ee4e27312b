/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif_flow.c - writes the interleaving as a code flow.  Readers fail beyond about ten thousand
 * locations.  So a very long interleaving is cut: the end remains, and all decisive steps. */
#include "report/sarif/sarif.h"

#include <string.h>

#include "base/json.h"
#include "model/lock.h"
#include "report/evidence/describe.h"
#include "report/evidence/steps.h"

enum { MAX_LOCATIONS = 10000 };

static bool is_kept(const struct hd_steps *s, uint32_t i)
{
    return s->all[i].decisive || s->n - i <= MAX_LOCATIONS;
}

static const char *importance(const struct hd_step *s)
{
    return s->decisive ? "essential" : s->switched ? "important" : "unimportant";
}

/* Returns the kinds of a location, with the words that SARIF suggests; the second one may be NULL.
 * Returns NULL if it has none. */
static const char *const *kinds(const struct hd_step *s)
{
    static const char *const fails[2] = { "danger" }, *const access[2] = { "danger", "memory" };
    static const char *const waits[2] = { "caution" }, *const takes[2] = { "acquire", "lock" };
    static const char *const gives[2] = { "release", "lock" }, *const memory[2] = { "memory" };

    if (s->type == HD_STEP_FAILS)
        return fails;
    if (s->type == HD_STEP_ACCESS)
        return access;
    if (s->type == HD_STEP_VARIABLE)
        return memory;
    if (s->type == HD_STEP_WAITS)
        return waits;
    switch (hd_lock_effect(s->event)) {
    case HD_LOCK_TAKES:
    case HD_LOCK_SHARES:
        return s->event->flags & HD_EVF_FAILED ? NULL : takes;
    case HD_LOCK_GIVES:
        return gives;
    default:
        return NULL;
    }
}

static void put_kinds(struct hd_json *j, const char *const *words)
{
    hd_json_put_array(j, "kinds");
    for (unsigned i = 0; i < 2 && words[i] != NULL; i++)
        hd_json_string(j, words[i]);
    hd_json_end(j);
}

/* Prints the value that was read or written, under the name of its object. */
static void put_state(struct hd_json *j, const struct hd_report *r, const struct hd_step *s)
{
    struct hd_operation o;

    if (s->type == HD_STEP_EVENT)
        hd_describe_parts(r, s->event, false, &o);
    else if (s->type == HD_STEP_VARIABLE)
        hd_variable_operation(r, s->variable, &o);
    else
        return;
    if (o.object[0] == '\0' || strncmp(o.value, " = ", 3) != 0)
        return;
    hd_json_put_object(j, "state");
    hd_sarif_message(j, o.object, o.value + 3);
    hd_json_end(j);
}

static void put_step(struct hd_json *j, struct hd_sarif_files *files, const struct hd_report *r,
                     const struct hd_step *s, uint32_t order)
{
    struct hd_frame f[HD_MAX_FRAMES];
    unsigned n = hd_symbols_frames(r->symbols, s->pc, true, f, HD_MAX_FRAMES);
    char text[600];

    hd_step_text(r, s, text, sizeof text);
    hd_json_object(hd_json_line(j));
    hd_json_put_uint(j, "executionOrder", order);
    hd_json_put_string(j, "importance", importance(s));
    if (kinds(s) != NULL)
        put_kinds(j, kinds(s));
    put_state(j, r, s);
    hd_json_key(j, "location");
    hd_sarif_location(j, files, hd_symbols_own_frame(f, n), text, -1);
    hd_json_end(j);
}

static void begin_thread(struct hd_json *j, const struct hd_report *r, hd_tid tid)
{
    char id[16], who[64];

    hd_describe_tid(tid, id, sizeof id);
    hd_describe_thread(r, tid, who, sizeof who);
    hd_json_object(hd_json_line(j));
    hd_json_put_string(j, "id", id);
    hd_sarif_message(j, "message", who);
    hd_json_put_array(j, "locations");
}

/* Prints the thread flow of a thread, if it has steps. */
static void put_thread(struct hd_json *j, struct hd_sarif_files *files, const struct hd_report *r,
                       const struct hd_steps *s, hd_tid tid)
{
    bool begun = false;

    for (uint32_t i = 0; i < s->n; i++) {
        if (s->all[i].tid != tid || !is_kept(s, i))
            continue;
        if (!begun)
            begin_thread(j, r, tid);
        put_step(j, files, r, &s->all[i], i + 1);
        begun = true;
    }
    if (begun) {
        hd_json_end(j);
        hd_json_end(j);
    }
}

uint32_t hd_sarif_flows(struct hd_json *j, struct hd_sarif_files *files, const struct hd_report *r)
{
    struct hd_steps s;

    hd_steps_of(r, &s);
    hd_json_put_array(hd_json_line(j), "codeFlows");
    if (s.n > 0) {
        hd_json_object(j);
        hd_sarif_message(j, "message", "The interleaving that fails, in the order of execution.");
        hd_json_put_array(hd_json_line(j), "threadFlows");
        for (unsigned t = 0; t < HD_MAX_THREADS; t++)
            put_thread(j, files, r, &s, (hd_tid)t);
        hd_json_end(j);
        hd_json_end(j);
    }
    hd_json_end(j);
    hd_steps_free(&s);
    return s.n < MAX_LOCATIONS ? s.n : MAX_LOCATIONS;
}
