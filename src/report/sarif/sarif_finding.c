/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif_finding.c - the result object of a finding, all of it that needs the record: where
 * it is, what else has a part in it, the stacks, and a fingerprint that outlives edits
 * elsewhere in the file. */
#include "report/sarif/sarif.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/memory.h"
#include "report/evidence/race.h"

enum { MAX_PLACES = 32, MAX_DEPTH = 2 * HD_MAX_FRAMES };

/* Of all interleavings of a file: some 100 MB.  Findings after that have none; there are
 * many of them then, and those before have what is to be learnt. */
#define MAX_STEPS 400000

/* A stack with a part in the finding; the first is the place of the finding itself. */
struct place {
    char title[400];
    hd_tid tid;
    bool telling; /* it makes this finding what it is, whoever else took part */
    struct hd_frame frames[MAX_DEPTH];
    unsigned n;
};

struct places {
    struct place all[MAX_PLACES + 1];
    unsigned n;
};

/* ---- gathering ----------------------------------------------------------------------------- */

/* Room for one more.  keep(): it turned out to be somewhere; beyond MAX_PLACES the room
 * is used again and again. */
static struct place *next_place(struct places *p, hd_tid tid, bool telling, const char *title)
{
    struct place *place = &p->all[p->n];

    snprintf(place->title, sizeof place->title, "%s", title);
    place->tid = tid;
    place->telling = telling;
    place->n = 0;
    return place;
}

static void keep(struct places *p, const struct place *place)
{
    if (place->n > 0 && p->n < MAX_PLACES)
        p->n++;
}

static void add_captured(const struct hd_report *r, struct places *p, const struct hd_capture *c,
                         bool telling, const char *title)
{
    struct place *place = next_place(p, c->tid, telling, title);

    place->n = hd_text_captured_frames(r, c, place->frames, MAX_DEPTH);
    keep(p, place);
}

static void add_calls(const struct hd_report *r, struct places *p, hd_tid tid, const uint64_t *pcs,
                      unsigned n, bool telling, const char *title)
{
    struct place *place = next_place(p, tid, telling, title);

    place->n = hd_text_call_frames(r, pcs, n, place->frames, MAX_DEPTH);
    keep(p, place);
}

static void add_standing(const struct hd_report *r, struct places *p, hd_tid tid, uint64_t pc,
                         const char *title)
{
    struct place *place = next_place(p, tid, true, title);

    place->n = hd_text_stack_frames(r, tid, pc, place->frames, MAX_DEPTH);
    keep(p, place);
}

static void access_title(const struct hd_report *r, const struct hd_race_access *a, bool first,
                         char *buf, size_t cap)
{
    struct hd_operation o;
    char who[64], what[300];

    hd_describe_thread(r, a->tid, who, sizeof who);
    hd_race_operation(r, a, &o);
    hd_describe_join(&o, what, sizeof what);
    snprintf(buf, cap, "%s access: %s %s", first ? "First" : "Second", who, what);
}

static void gather_race(const struct hd_report *r, struct places *p)
{
    struct hd_race_access first = hd_race_first(r);
    const struct hd_race_access *second = &r->race->race.second;
    char title[400], who[64];

    access_title(r, second, false, title, sizeof title);
    add_standing(r, p, second->tid, second->pc, title);
    access_title(r, &first, true, title, sizeof title);
    if (r->witness == NULL) {
        add_calls(r, p, first.tid, &first.pc, 1, true, title);
        return;
    }
    add_captured(r, p, &r->witness->first, true, title);
    if (r->witness->allocation.pc != 0)
        add_captured(r, p, &r->witness->allocation, false, "The block was allocated here");
    for (int i = 0; i < 2; i++) {
        if (r->witness->created[i].pc == 0)
            continue;
        hd_describe_thread(r, i == 0 ? first.tid : second->tid, who, sizeof who);
        snprintf(title, sizeof title, "%s was created here", who);
        add_captured(r, p, &r->witness->created[i], false, title);
    }
}

static void add_waiting(const struct hd_report *r, struct places *p, hd_tid tid)
{
    const struct hd_event *e = hd_report_pending(r, tid);
    char who[64], what[300], title[400];

    if (e == NULL || hd_deadlock_runs_on(r, tid))
        return;
    hd_describe_thread(r, tid, who, sizeof who);
    hd_describe_pending(r, e, what, sizeof what);
    snprintf(title, sizeof title, "%s %s: %s", who,
             r->finding->kind == HD_FK_DEADLOCK ? "waits" : "is here", what);
    add_standing(r, p, tid, e->pc, title);
}

/* Where the locks were taken that are in somebody's way. */
static void add_taken(const struct hd_report *r, struct places *p)
{
    uint32_t events[HD_WITNESS_EVENTS];
    unsigned n = hd_deadlock_events(r, events);
    char who[64], what[300], title[400];

    for (unsigned i = 0; i < n; i++) {
        const struct hd_event *e = &r->events[events[i]];
        const struct hd_capture *c = hd_report_witnessed(r, events[i]);

        hd_describe_thread(r, e->tid, who, sizeof who);
        hd_describe_typed_object(r, e->obj, what, sizeof what);
        snprintf(title, sizeof title, "%s took %s here", who, what);
        if (c != NULL)
            add_captured(r, p, c, false, title);
        else if (e->pc != 0)
            add_calls(r, p, e->tid, &e->pc, 1, false, title);
    }
}

/* Those of a cycle first, where it is known who stands how: they are what it is about. */
static void gather_waiting(const struct hd_report *r, struct places *p)
{
    for (uint32_t i = 0; i < r->nstands; i++)
        add_waiting(r, p, (hd_tid)r->stands[i].tid);
    for (uint32_t t = 0; r->nstands == 0 && t < r->nthreads && t < HD_MAX_THREADS; t++)
        add_waiting(r, p, (hd_tid)t);
    if (r->finding->kind == HD_FK_DEADLOCK)
        add_taken(r, p);
}

static void gather_block(const struct hd_report *r, struct places *p, const struct hd_heap_site *s,
                         const char *what)
{
    uint64_t pc[1 + HD_SITE_CALLS] = { s->pc };
    char who[64], title[200];
    unsigned n = 1;

    if (s->pc == 0)
        return;
    while (n <= HD_SITE_CALLS && s->calls[n - 1] != 0) {
        pc[n] = s->calls[n - 1];
        n++;
    }
    hd_describe_thread(r, s->tid, who, sizeof who);
    snprintf(title, sizeof title, "%s %s the block here", who, what);
    add_calls(r, p, s->tid, pc, n, p->n == 0, title); /* of a leak it is all that is known */
}

static void gather(const struct hd_report *r, struct places *p)
{
    const struct hd_finding *f = r->finding;
    const struct hd_block_info *block = hd_memory_block(r);
    char who[64], title[200];

    if (r->race != NULL) {
        gather_race(r, p);
    } else if (f->kind == HD_FK_DEADLOCK || f->kind == HD_FK_LIVELOCK) {
        gather_waiting(r, p);
    }
    if (p->n == 0 && f->tid < r->nthreads) {
        hd_describe_thread(r, (hd_tid)f->tid, who, sizeof who);
        snprintf(title, sizeof title, "%s in %s", hd_finding_kind_text((enum hd_finding_kind)f->kind),
                 who);
        add_standing(r, p, (hd_tid)f->tid, f->pc, title);
    }
    if (block != NULL) {
        gather_block(r, p, &block->allocated, "allocated");
        gather_block(r, p, &block->freed, "freed");
    }
}

/* ---- the fingerprint ------------------------------------------------------------------------ */

static uint64_t hash_text(uint64_t h, const char *text)
{
    for (; *text != '\0'; text++)
        h = hd_hash_mix(h, (unsigned char)*text);
    return hd_hash_mix(h, 0);
}

/* Kind, functions and variable: lines move with every edit, and which thread came first
 * is chance, so that the places are added up. */
static uint64_t fingerprint(const struct hd_report *r, const struct places *p)
{
    uint64_t h = hash_text(0, hd_finding_kind_text((enum hd_finding_kind)r->finding->kind));
    uint64_t sum = 0;
    char variable[256];

    for (unsigned i = 0; i < p->n; i++) {
        const struct hd_frame *f = hd_symbols_own_frame(p->all[i].frames, p->all[i].n);

        if (p->all[i].telling)
            sum += hash_text(hash_text(1, f->function),
                             hd_base_name(f->line > 0 ? f->file : f->module));
    }
    if (r->race != NULL) {
        hd_race_variable(r, variable, sizeof variable);
        h = hash_text(h, variable);
    }
    return hd_hash_mix(h, sum);
}

/* ---- writing ---------------------------------------------------------------------------------- */

static const struct hd_frame *own(const struct place *p)
{
    return hd_symbols_own_frame(p->frames, p->n);
}

/* Where nothing is known of the place, the program itself is what can be pointed at. */
static void put_locations(FILE *out, struct hd_sarif_files *files, const struct hd_report *r,
                          const struct places *p)
{
    fputs(",\n   \"locations\": [", out);
    if (p->n > 0 && own(&p->all[0])->line > 0) {
        hd_sarif_location(out, files, own(&p->all[0]), p->all[0].title, -1);
    } else if (r->wire->nmodules > 0) {
        fputs("{\"physicalLocation\": {\"artifactLocation\": ", out);
        hd_sarif_artifact(out, files, r->wire->modules[0].path);
        fputs("}}", out);
    }
    fputs("]", out);
    fputs(",\n   \"relatedLocations\": [", out);
    for (unsigned i = 1; i < p->n; i++) {
        fputs(i > 1 ? ",\n    " : "\n    ", out);
        hd_sarif_location(out, files, own(&p->all[i]), p->all[i].title, (int)i);
    }
    fputs("]", out);
}

static void put_stacks(FILE *out, struct hd_sarif_files *files, const struct places *p)
{
    fputs(",\n   \"stacks\": [", out);
    for (unsigned i = 0; i < p->n; i++) {
        const struct place *s = &p->all[i];

        fprintf(out, "%s\n    {\"message\": ", i > 0 ? "," : "");
        hd_sarif_message(out, s->title);
        fputs(", \"frames\": [", out);
        for (unsigned k = 0; k < s->n; k++) {
            fputs(k > 0 ? ",\n     {\"location\": " : "\n     {\"location\": ", out);
            hd_sarif_location(out, files, &s->frames[k], NULL, -1);
            fputs(", \"module\": ", out);
            hd_json_string(out, s->frames[k].module);
            fprintf(out, ", \"threadId\": %u}", s->tid);
        }
        fputs("]}", out);
    }
    fputs("]", out);
}

static void put_message(FILE *out, const struct hd_report *r, const char *message)
{
    char text[1400];
    bool explained = r->why != NULL && r->why->sentence[0] != '\0';

    snprintf(text, sizeof text, "%s%s%s", message, explained ? "; " : "",
             explained ? r->why->sentence : "");
    fputs("\"message\": ", out);
    hd_sarif_message(out, text);
}

char *hd_sarif_finding(struct hd_sarif *s, const struct hd_report *r, const char *message)
{
    struct places *p = calloc(1, sizeof *p);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    HD_INVARIANT(p != NULL && out != NULL, "out of memory");
    gather(r, p);
    put_message(out, r, message);
    put_locations(out, &s->files, r, p);
    fprintf(out, ",\n   \"partialFingerprints\": {\"heddleFinding/v1\": \"%016llx\"}",
            (unsigned long long)fingerprint(r, p));
    put_stacks(out, &s->files, p);
    if (s->steps < MAX_STEPS) {
        fputs(",\n   \"codeFlows\": ", out);
        s->steps += hd_sarif_flows(out, &s->files, r);
    }
    fclose(out);
    free(p);
    return text;
}
