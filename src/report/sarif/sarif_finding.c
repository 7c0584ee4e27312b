/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif_finding.c - the part of the result object that needs the record of the finding: its place,
 * related places, the stacks, and a fingerprint that stays the same when other parts of the file
 * are edited. */
#include "report/sarif/sarif.h"

#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/memory.h"
#include "report/evidence/gather.h"
#include "report/evidence/race.h"
#include "report/evidence/suggest.h"
#include "report/evidence/why.h"

enum { MAX_STACKS = 32 };

/* Maximum number of steps of all interleavings in a file, about 100 MB.  Later findings have no
 * interleaving.  A file that reaches this limit has many findings, and the first ones contain
 * enough. */
#define MAX_STEPS 400000

/* ---- the fingerprint ------------------------------------------------------------------------ */

static uint64_t hash_text(uint64_t h, const char *text)
{
    for (; *text != '\0'; text++)
        h = hd_hash_mix(h, (unsigned char)*text);
    return hd_hash_mix(h, 0);
}

static const struct hd_frame *own(const struct hd_evidence *e)
{
    return hd_symbols_own_frame(e->frames, e->n);
}

/* True if this part of the evidence identifies the finding.  The history of a block does only if
 * nothing else is known, as for a leak.  The thread that fails does only if no thread is blocked or
 * loops. */
static bool is_identifying(const struct hd_evidence_list *l, unsigned i)
{
    enum hd_role role = l->all[i].role;

    if (role == HD_ROLE_BLOCK)
        return hd_evidence_main(l) == i;
    if (role == HD_ROLE_FAILS)
        return hd_evidence_find(l, HD_ROLE_STOPPED) == NULL;
    return hd_role_is_part(role);
}

/* Computes the fingerprint from the kind, the functions and the variable.  It ignores lines, which
 * change with every edit.  It adds the hashes of the places, because their order depends on which
 * thread came first. */
static uint64_t fingerprint(const struct hd_report *r, const struct hd_evidence_list *l)
{
    uint64_t h = hash_text(0, hd_finding_kind_text((enum hd_finding_kind)r->finding->kind));
    uint64_t sum = 0;
    char variable[256];

    for (unsigned i = 0; i < l->n; i++)
        if (is_identifying(l, i)) {
            const struct hd_frame *f = own(&l->all[i]);

            sum += hash_text(hash_text(1, f->function), hd_base_name(f->line > 0 ? f->file : f->module));
        }
    if (r->race != NULL) {
        hd_race_variable(r, variable, sizeof variable);
        h = hash_text(h, variable);
    }
    return hd_hash_mix(h, sum);
}

/* ---- output -------------------------------------------------------------------------- */

/* Prints the locations.  If no place is known, the location is the program itself. */
static void put_locations(struct hd_json *j, struct hd_sarif_files *files, const struct hd_report *r,
                          const struct hd_evidence_list *l)
{
    unsigned first = hd_evidence_main(l);
    int id = 0;

    hd_json_put_array(hd_json_line(j), "locations");
    if (l->n > 0 && own(&l->all[first])->line > 0) {
        hd_sarif_location(j, files, own(&l->all[first]), l->all[first].title, -1);
    } else if (r->wire->nmodules > 0) {
        hd_json_object(j);
        hd_json_put_object(j, "physicalLocation");
        hd_sarif_artifact(j, files, r->wire->modules[0].path);
        hd_json_end(j);
        hd_json_end(j);
    }
    hd_json_end(j);
    hd_json_put_array(hd_json_line(j), "relatedLocations");
    for (unsigned i = 0; i < l->n && i < MAX_STACKS; i++)
        if (i != first)
            hd_sarif_location(hd_json_line(j), files, own(&l->all[i]), l->all[i].title, ++id);
    hd_json_end(j);
}

static void put_stack(struct hd_json *j, struct hd_sarif_files *files, const struct hd_evidence *e)
{
    hd_json_object(hd_json_line(j));
    hd_sarif_message(j, "message", e->title);
    hd_json_put_array(j, "frames");
    for (unsigned k = 0; k < e->n; k++) {
        hd_json_object(hd_json_line(j));
        hd_json_key(j, "location");
        hd_sarif_location(j, files, &e->frames[k], NULL, -1);
        hd_json_put_string(j, "module", e->frames[k].module);
        hd_json_put_uint(j, "threadId", e->tid);
        hd_json_end(j);
    }
    hd_json_end(j);
    hd_json_end(j);
}

static void put_stacks(struct hd_json *j, struct hd_sarif_files *files, const struct hd_evidence_list *l)
{
    hd_json_put_array(hd_json_line(j), "stacks");
    for (unsigned i = 0; i < l->n && i < MAX_STACKS; i++)
        put_stack(j, files, &l->all[i]);
    hd_json_end(j);
}

/* The suggestion is part of the message, because viewers show that; SARIF's own fixes are changes of text,
 * which a suggestion is not. */
static void put_message(struct hd_json *j, const struct hd_report *r, const char *message)
{
    char text[4000], sentence[HD_WHY_MAX];
    struct hd_suggestion s;
    bool suggested = hd_suggestion_find(r, &s);

    hd_why_sentence(r, sentence, sizeof sentence);
    snprintf(text, sizeof text, "%s%s%s%s%s", message, sentence[0] != '\0' ? "; " : "", sentence,
             suggested ? "\n\nSuggestion: " : "", suggested ? s.text : "");
    hd_sarif_message(j, "message", text);
}

static void put_fingerprint(struct hd_json *j, uint64_t fingerprint)
{
    char text[17];

    snprintf(text, sizeof text, "%016llx", (unsigned long long)fingerprint);
    hd_json_put_object(hd_json_line(j), "partialFingerprints");
    hd_json_put_string(j, "heddleFinding/v1", text);
    hd_json_end(j);
}

char *hd_sarif_finding(struct hd_sarif *s, const struct hd_report *r, const char *message)
{
    enum { DEPTH = 5 }; /* depth of a member of a result */
    struct hd_evidence_list l;
    char *text = NULL;
    size_t size;
    struct hd_json j;

    hd_json_open(&j, hd_memory_stream(&text, &size), DEPTH);
    hd_evidence_gather(&l, r);
    put_message(&j, r, message);
    put_locations(&j, &s->files, r, &l);
    put_fingerprint(&j, fingerprint(r, &l));
    put_stacks(&j, &s->files, &l);
    if (s->steps < MAX_STEPS)
        s->steps += hd_sarif_flows(&j, &s->files, r);
    fclose(j.out);
    hd_evidence_free(&l);
    return text;
}
