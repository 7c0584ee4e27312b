/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outputs.c - passes findings and results to the requested formats and writes the report files. */
#include "campaign/setup/outputs.h"

#include <errno.h>
#include <string.h>

#include "campaign/setup/order.h"
#include "program/same_file.h"
#include "report/print/file.h"

static const struct hd_format *const formats[HD_FORMATS] = {
#define HD_FORMAT(name, verbs, help) &hd_format_##name,
#include "report/verdict/formats.def"
#undef HD_FORMAT
};

static const char *const options[HD_FORMATS] = {
#define HD_FORMAT(name, verbs, help) "--" #name,
#include "report/verdict/formats.def"
#undef HD_FORMAT
};

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* True if no two reports go to the same file: one would overwrite the other, or they would be
 * mixed. */
static bool are_different(const char *const *path)
{
    for (int i = 0; i < HD_FORMATS; i++)
        for (int k = 0; k < i; k++)
            if (path[i] != NULL && path[k] != NULL && hd_same_file(path[i], path[k])) {
                fprintf(stderr, "heddle: %s and %s both go to %s; give each a file of its own\n",
                        options[k], options[i], is_stdout(path[i]) ? "standard output" : path[i]);
                return false;
            }
    return true;
}

bool hd_outputs_spare(const struct hd_options *o, const char *path, const char *what)
{
    for (int i = 0; i < HD_FORMATS; i++) {
        if (o->files[i] == NULL || !hd_same_file(o->files[i], path))
            continue;
        fprintf(stderr, "heddle: %s would overwrite %s, %s; give it another file\n", options[i], what,
                path);
        return false;
    }
    return true;
}

bool hd_outputs_writable(const struct hd_options *o)
{
    if (!are_different(o->files))
        return false;
    for (uint32_t i = 0; i < o->nsuppressions; i++)
        if (!hd_outputs_spare(o, o->suppressions[i], "the suppressions"))
            return false;
    for (int i = 0; i < HD_FORMATS; i++) {
        if (o->files[i] == NULL || hd_file_writable(o->files[i]))
            continue;
        fprintf(stderr, "heddle: cannot write %s: %s; give %s a file in a directory that exists "
                        "and may be written to\n", o->files[i], strerror(errno), options[i]);
        return false;
    }
    return true;
}

bool hd_outputs_wanted(const struct hd_options *o)
{
    for (int i = 0; i < HD_FORMATS; i++)
        if (o->files[i] != NULL)
            return true;
    return false;
}

bool hd_outputs_take_stdout(const struct hd_options *o)
{
    for (int i = 0; i < HD_FORMATS; i++)
        if (is_stdout(o->files[i]))
            return true;
    return false;
}

void hd_outputs_open(struct hd_outputs *out, const struct hd_options *o)
{
    *out = (struct hd_outputs){ .o = o };
    for (int i = 0; i < HD_FORMATS; i++)
        if (o->files[i] != NULL)
            out->state[i] = formats[i]->open();
}

void hd_outputs_close(struct hd_outputs *out)
{
    for (int i = 0; i < HD_FORMATS; i++)
        if (out->state[i] != NULL)
            formats[i]->close(out->state[i]);
}

/* ---- results ------------------------------------------------------------------------------- */

bool hd_outputs_want_text(const struct hd_outputs *out)
{
    for (int i = 0; i < HD_FORMATS; i++)
        if (out->state[i] != NULL && formats[i]->wants_text)
            return true;
    return out->listener != NULL;
}

static void tell_listener(const struct hd_outputs *out, const struct hd_format_finding *f)
{
    struct hd_order order = hd_order_of(f->report->events, f->report->nevents);
    struct hd_format_finding with_order = *f;

    with_order.order = &order;
    out->listener(out->ctx, &with_order);
    hd_order_free(&order);
}

static void take_finding(struct hd_outputs *out, int i, const struct hd_format_finding *f,
                         struct hd_result_finding *kept)
{
    struct hd_format_finding with_order = *f;
    struct hd_order order;

    if (formats[i]->wants_order) {
        order = hd_order_of(f->report->events, f->report->nevents);
        with_order.order = &order;
    }
    kept->kept[i] = formats[i]->finding(out->state[i], &with_order);
    if (formats[i]->wants_order)
        hd_order_free(&order);
}

void hd_outputs_finding(struct hd_outputs *out, const struct hd_report *r, const char *text,
                        struct hd_result_finding *kept)
{
    const struct hd_format_finding f = { .report = r, .finding = kept, .text = text };

    for (int i = 0; i < HD_FORMATS; i++)
        if (out->state[i] != NULL)
            take_finding(out, i, &f, kept);
    if (out->listener != NULL)
        tell_listener(out, &f);
}

void hd_outputs_add(struct hd_outputs *out, const struct hd_result *r, char *const *argv, int code)
{
    for (int i = 0; i < HD_FORMATS; i++)
        if (out->state[i] != NULL)
            formats[i]->result(out->state[i], r, argv, code);
    out->n++;
}

void hd_outputs_skip(struct hd_outputs *out, const struct hd_result *test, const char *why)
{
    for (int i = 0; i < HD_FORMATS; i++)
        if (out->state[i] != NULL && formats[i]->skip != NULL)
            formats[i]->skip(out->state[i], test, why);
}

/* ---- files ----------------------------------------------------------------------------------- */

struct document {
    const struct hd_format *format;
    void *state;
    const char *program;
    const struct hd_each_result *each;
};

static void write_document(FILE *f, const void *what)
{
    const struct document *d = what;

    d->format->write(f, d->state, d->program, d->each);
}

bool hd_outputs_write(struct hd_outputs *out, const char *program, const struct hd_each_result *each)
{
    bool ok = true;

    for (int i = 0; i < HD_FORMATS && (out->n > 0 || each != NULL); i++) {
        const struct document d = { formats[i], out->state[i], program, each };

        if (out->state[i] == NULL || hd_file_write(out->o->files[i], write_document, &d))
            continue;
        fprintf(stderr, "heddle: cannot write %s: %s\n", out->o->files[i], strerror(errno));
        ok = false;
    }
    return ok;
}
