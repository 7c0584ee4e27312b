/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outputs.c - the formats of a run of the tool. */
#include "campaign/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "campaign/order.h"
#include "program/same_file.h"
#include "report/print/file.h"
#include "report/print/json.h"

enum { FORMATS = 4 };

struct format {
    const char *option, *path;
};

static void formats_of(const struct hd_options *o, struct format f[FORMATS])
{
    f[0] = (struct format){ "--json", o->json_file };
    f[1] = (struct format){ "--junit", o->junit_file };
    f[2] = (struct format){ "--sarif", o->sarif_file };
    f[3] = (struct format){ "--html", o->html_file };
}

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* One would overwrite the other, or they would be mixed. */
static bool are_different(const struct format *f)
{
    for (int i = 0; i < FORMATS; i++)
        for (int k = 0; k < i; k++)
            if (f[i].path != NULL && f[k].path != NULL && hd_same_file(f[i].path, f[k].path)) {
                fprintf(stderr, "heddle: %s and %s both go to %s; give each a file of its own\n",
                        f[k].option, f[i].option,
                        is_stdout(f[i].path) ? "standard output" : f[i].path);
                return false;
            }
    return true;
}

bool hd_outputs_spare(const struct hd_options *o, const char *path, const char *what)
{
    struct format f[FORMATS];

    formats_of(o, f);
    for (int i = 0; i < FORMATS; i++) {
        if (f[i].path == NULL || !hd_same_file(f[i].path, path))
            continue;
        fprintf(stderr, "heddle: %s would overwrite %s, %s; give it another file\n", f[i].option, what,
                path);
        return false;
    }
    return true;
}

bool hd_outputs_writable(const struct hd_options *o)
{
    struct format f[FORMATS];

    formats_of(o, f);
    if (!are_different(f))
        return false;
    for (uint32_t i = 0; i < o->nsuppressions; i++)
        if (!hd_outputs_spare(o, o->suppressions[i], "the suppressions"))
            return false;
    for (int i = 0; i < FORMATS; i++) {
        if (f[i].path == NULL || hd_file_writable(f[i].path))
            continue;
        fprintf(stderr, "heddle: cannot write %s: %s; give %s a file in a directory that exists "
                        "and may be written to\n", f[i].path, strerror(errno), f[i].option);
        return false;
    }
    return true;
}

bool hd_outputs_take_stdout(const struct hd_options *o)
{
    return is_stdout(o->json_file) || is_stdout(o->junit_file) || is_stdout(o->sarif_file) ||
           is_stdout(o->html_file);
}

void hd_outputs_open(struct hd_outputs *out, const struct hd_options *o)
{
    memset(out, 0, sizeof *out);
    out->o = o;
    out->json = open_memstream(&out->json_text, &out->json_size);
    HD_INVARIANT(out->json != NULL, "out of memory");
    out->html = hd_html_open();
    hd_junit_open(&out->junit);
    hd_sarif_open(&out->sarif);
}

void hd_outputs_close(struct hd_outputs *out)
{
    fclose(out->json);
    free(out->json_text);
    hd_html_free(out->html);
    hd_junit_close(&out->junit);
    hd_sarif_close(&out->sarif);
}

/* ---- results ------------------------------------------------------------------------------- */

bool hd_outputs_want_report(const struct hd_outputs *out)
{
    return out->o->junit_file != NULL;
}

static void add_to_page(struct hd_outputs *out, const struct hd_report *r,
                        const struct hd_result_finding *kept)
{
    struct hd_html_order order = hd_order_of(r->events, r->nevents);

    hd_html_add(out->html, r, &order, kept);
    hd_order_free(&order);
}

void hd_outputs_finding(struct hd_outputs *out, const struct hd_report *r, const char *report,
                        struct hd_result_finding *kept)
{
    if (out->o->junit_file != NULL) {
        kept->report = strdup(report);
        HD_INVARIANT(kept->report != NULL, "out of memory");
    }
    if (out->o->sarif_file != NULL)
        kept->sarif = hd_sarif_finding(&out->sarif, r, kept->message);
    if (out->o->html_file != NULL && hd_html_has_room(out->html))
        add_to_page(out, r, kept);
}

void hd_outputs_add(struct hd_outputs *out, const struct hd_result *r, char *const *argv, int code)
{
    if (out->o->json_file != NULL) {
        fputs(out->n > 0 ? "," : "", out->json);
        hd_result_json(out->json, r);
    }
    if (out->o->junit_file != NULL)
        hd_junit_add(&out->junit, r);
    if (out->o->sarif_file != NULL)
        hd_sarif_add(&out->sarif, r, argv, code);
    if (out->o->html_file != NULL)
        hd_html_result(out->html, r);
    out->n++;
}

/* ---- files ----------------------------------------------------------------------------------- */

struct document {
    struct hd_outputs *out;
    const char *program;
    const struct hd_each_result *each;
};

static void write_json(FILE *f, const void *what)
{
    const struct document *d = what;
    const struct hd_each_result *e = d->each;

    if (e == NULL) {
        fputs(d->out->json_text, f);
        return;
    }
    fputs("{\"version\": 1, \"program\": ", f);
    hd_json_string(f, d->program);
    fprintf(f, ", \"framework\": \"%s\", \"verdict\": \"%s\", \"exit_code\": %d,\n \"skipped\": [",
            e->framework, e->verdict, e->exit_code);
    for (unsigned i = 0; i < e->nskipped; i++) {
        fputs(i > 0 ? ", " : "", f);
        hd_json_string(f, e->skipped[i]);
    }
    fprintf(f, "],\n \"tests\": [\n%s]}\n", d->out->json_text);
}

static void write_junit(FILE *f, const void *what)
{
    const struct document *d = what;

    hd_junit_write(f, &d->out->junit, d->program);
}

static void write_sarif(FILE *f, const void *what)
{
    const struct document *d = what;

    hd_sarif_write(f, &d->out->sarif);
}

static void write_page(FILE *f, const void *what)
{
    const struct document *d = what;

    hd_html_write(f, d->out->html, d->program);
}

bool hd_outputs_write(struct hd_outputs *out, const char *program, const struct hd_each_result *each)
{
    static void (*const write[FORMATS])(FILE *, const void *) = { write_json, write_junit, write_sarif,
                                                                   write_page };
    const struct document d = { out, program, each };
    struct format f[FORMATS];
    bool ok = true;

    fflush(out->json); /* json_text is valid from here */
    formats_of(out->o, f);
    for (int i = 0; i < FORMATS && (out->n > 0 || each != NULL); i++) {
        if (f[i].path == NULL || hd_file_write(f[i].path, write[i], &d))
            continue;
        fprintf(stderr, "heddle: cannot write %s: %s\n", f[i].path, strerror(errno));
        ok = false;
    }
    return ok;
}
