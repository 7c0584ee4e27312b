/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif_finding.c - the part of the result object that needs the record of the finding: its place,
 * related places, the stacks, and a fingerprint that stays the same when other parts of the file
 * are edited. */
#include "report/sarif/sarif.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "report/evidence/gather.h"
#include "report/evidence/race.h"
#include "report/print/json.h"

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
static void put_locations(FILE *out, struct hd_sarif_files *files, const struct hd_report *r,
                          const struct hd_evidence_list *l)
{
    unsigned first = hd_evidence_main(l), id = 0;

    fputs(",\n   \"locations\": [", out);
    if (l->n > 0 && own(&l->all[first])->line > 0) {
        hd_sarif_location(out, files, own(&l->all[first]), l->all[first].title, -1);
    } else if (r->wire->nmodules > 0) {
        fputs("{\"physicalLocation\": {\"artifactLocation\": ", out);
        hd_sarif_artifact(out, files, r->wire->modules[0].path);
        fputs("}}", out);
    }
    fputs("]", out);
    fputs(",\n   \"relatedLocations\": [", out);
    for (unsigned i = 0; i < l->n && i < MAX_STACKS; i++) {
        if (i == first)
            continue;
        fputs(id++ > 0 ? ",\n    " : "\n    ", out);
        hd_sarif_location(out, files, own(&l->all[i]), l->all[i].title, (int)id);
    }
    fputs("]", out);
}

static void put_stack(FILE *out, struct hd_sarif_files *files, const struct hd_evidence *e)
{
    fputs("{\"message\": ", out);
    hd_sarif_message(out, e->title);
    fputs(", \"frames\": [", out);
    for (unsigned k = 0; k < e->n; k++) {
        fputs(k > 0 ? ",\n     {\"location\": " : "\n     {\"location\": ", out);
        hd_sarif_location(out, files, &e->frames[k], NULL, -1);
        fputs(", \"module\": ", out);
        hd_json_string(out, e->frames[k].module);
        fprintf(out, ", \"threadId\": %u}", e->tid);
    }
    fputs("]}", out);
}

static void put_stacks(FILE *out, struct hd_sarif_files *files, const struct hd_evidence_list *l)
{
    fputs(",\n   \"stacks\": [", out);
    for (unsigned i = 0; i < l->n && i < MAX_STACKS; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", out);
        put_stack(out, files, &l->all[i]);
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
    struct hd_evidence_list l;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    HD_INVARIANT(out != NULL, "out of memory");
    hd_evidence_gather(&l, r);
    put_message(out, r, message);
    put_locations(out, &s->files, r, &l);
    fprintf(out, ",\n   \"partialFingerprints\": {\"heddleFinding/v1\": \"%016llx\"}",
            (unsigned long long)fingerprint(r, &l));
    put_stacks(out, &s->files, &l);
    if (s->steps < MAX_STEPS) {
        fputs(",\n   \"codeFlows\": ", out);
        s->steps += hd_sarif_flows(out, &s->files, r);
    }
    fclose(out);
    hd_evidence_free(&l);
    return text;
}
