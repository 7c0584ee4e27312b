/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html.c - writes findings as one page for a browser: a time line with one lane per thread, beside
 * the source code.  The file needs no other files.
 *
 * The page consists of a fixed template (src/report/html, embedded in the tool) and data.  No text
 * of the program under test becomes HTML: names, paths, source text and output are in one JSON
 * object, and the scripts of the page show them as text.  This file must only ensure that no string
 * ends the element that contains the object. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/fault.h"
#include "report/evidence/gather.h"
#include "report/html/html_book.h"
#include "report/print/json.h"
#include "report/text/finding.h"
#include "report/verdict/ledger_print.h"

/* The template; defined in embed.S. */
extern const char hd_html_page[], hd_html_page_end[];
extern const char hd_html_style[], hd_html_style_end[];
extern const char hd_html_script[], hd_html_script_end[];

enum { SHOWN_IN_FULL = 50 }; /* findings; the page has only the message of later ones */

static void *open_page(void)
{
    struct hd_html *h = calloc(1, sizeof *h);

    HD_INVARIANT(h != NULL, "out of memory");
    h->runs = open_memstream(&h->runs_text, &h->runs_size);
    h->findings = open_memstream(&h->findings_text, &h->findings_size);
    HD_INVARIANT(h->runs != NULL && h->findings != NULL, "out of memory");
    return h;
}

static void close_page(void *state)
{
    struct hd_html *h = state;

    for (uint32_t i = 0; i < h->nstrings; i++)
        free(h->string[i]);
    for (uint32_t i = 0; i < h->nsources; i++) {
        free(h->source[i].path);
        free(h->source[i].text);
    }
    fclose(h->runs);
    fclose(h->findings);
    free(h->runs_text);
    free(h->findings_text);
    hd_html_map_free(&h->strings);
    hd_html_map_free(&h->places);
    free(h->string);
    free(h->site);
    free(h->source);
    free(h);
}

/* ---- one finding --------------------------------------------------------------------- */

static void text_json(FILE *out, const char *key, const char *value)
{
    fprintf(out, ",\n\"%s\": ", key);
    hd_json_string(out, value);
}

/* Prints what the text report says about the cause, except what the page itself shows. */
static void cause_json(FILE *out, const struct hd_report *r)
{
    char *lines = NULL;
    size_t size;
    FILE *text = open_memstream(&lines, &size);

    HD_INVARIANT(text != NULL, "out of memory");
    const struct hd_text plain = { .out = text };

    hd_text_cause(&plain, r);
    hd_fault_text(&plain, r);
    fclose(text);
    text_json(out, "cause", lines);
    free(lines);
}

static void frame_json(FILE *out, struct hd_html *h, const struct hd_frame *f)
{
    char where[600];

    if (f->line > 0)
        snprintf(where, sizeof where, "%s:%d", hd_base_name(f->file), f->line);
    else
        snprintf(where, sizeof where, "%s+0x%llx", f->module, (unsigned long long)f->offset);
    fprintf(out, "[%u,%u,%d,%d,%d]", hd_html_string(h, f->function), hd_html_string(h, where),
            hd_html_source(h, f), f->line, f->inlined);
}

static void stack_json(FILE *out, struct hd_html *h, const struct hd_evidence *e, const char *comma)
{
    fprintf(out, "%s\n{\"tid\": %d, \"title\": ", comma, e->tid != HD_NO_TID ? e->tid : -1);
    hd_json_string(out, e->heading);
    fputs(", \"frames\": [", out);
    for (unsigned i = 0; i < e->n; i++) {
        fputs(i > 0 ? "," : "", out);
        frame_json(out, h, &e->frames[i]);
    }
    fputs("]}", out);
}

static void stacks_json(FILE *out, struct hd_html *h, const struct hd_report *r)
{
    struct hd_evidence_list l;
    const char *comma = "";

    fputs(",\n\"stacks\": [", out);
    hd_evidence_gather(&l, r);
    for (unsigned i = 0; i < l.n; i++)
        if (!l.all[i].grouped) {
            stack_json(out, h, &l.all[i], comma);
            comma = ",";
        }
    hd_evidence_free(&l);
    fputc(']', out);
}

/* Prints which thread of a deadlock waits for which. */
static void waits_json(FILE *out, struct hd_html *h, const struct hd_report *r)
{
    const char *comma = "";
    struct hd_wait w;

    fputs(",\n\"waits\": [", out);
    for (uint32_t t = 0; r->finding->kind == HD_FK_DEADLOCK && t < r->nthreads; t++) {
        if (!hd_deadlock_wait(r, (hd_tid)t, &w))
            continue;
        fprintf(out, "%s\n{\"tid\": %u, \"on\": %d, \"cycle\": %s, \"site\": %u, \"held\": %u, "
                     "\"what\": ", comma, t, w.on != HD_NO_TID ? w.on : -1,
                w.in_cycle ? "true" : "false",
                hd_html_place(h, r->symbols, hd_report_pending(r, (hd_tid)t)->pc),
                hd_html_place(h, r->symbols, w.held_pc));
        hd_json_string(out, w.what);
        fputs(", \"reason\": ", out);
        hd_json_string(out, w.reason);
        fputc('}', out);
        comma = ",";
    }
    fputc(']', out);
}

static void output_json(FILE *out, const struct hd_report *r)
{
    char *text = malloc(r->noutput + 1);

    HD_INVARIANT(text != NULL, "out of memory");
    for (size_t i = 0; i < r->noutput; i++)
        text[i] = r->output[i] != '\0' ? r->output[i] : '\xff';
    text[r->noutput] = '\0';
    text_json(out, "output", text);
    free(text);
}

static void ledger_json(FILE *out, const struct hd_ledger *l)
{
    fputs(",\n\"uncontrolled\": ", out);
    hd_ledger_sentences_json(out, l);
}

/* Records the modification time of the program.  A source file that is newer may not be the code
 * that ran. */
static void note_build(struct hd_html *h, const struct hd_wire *w)
{
    struct stat st;

    if (h->built == 0 && w->nmodules > 0 && stat(w->modules[0].path, &st) == 0)
        h->built = st.st_mtime;
}

static char *keep_finding(void *state, const struct hd_format_finding *f)
{
    struct hd_html *h = state;
    const struct hd_report *r = f->report;
    char *json = NULL;
    size_t size;

    if (h->nfull >= SHOWN_IN_FULL)
        return NULL;
    FILE *out = open_memstream(&json, &size);

    HD_INVARIANT(out != NULL, "out of memory");
    note_build(h, r->wire);
    h->nfull++;
    fprintf(out, ",\n\"skipped\": %u", hd_report_first_step(r));
    cause_json(out, r);
    hd_html_rows_json(out, h, r, f->order);
    waits_json(out, h, r);
    stacks_json(out, h, r);
    output_json(out, r);
    ledger_json(out, r->ledger);
    fclose(out);
    return json;
}

/* ---- results --------------------------------------------------------------------------- */

static void finding_json(struct hd_html *h, const struct hd_result_finding *f)
{
    FILE *out = h->findings;

    fprintf(out, "%s\n{\"run\": %u, \"id\": \"%s\", \"kind\": \"%s\", \"execution\": %llu, "
                 "\"preemptions\": %u",
            h->nfindings++ > 0 ? "," : "", h->nruns, f->id, hd_finding_kind_text(f->kind),
            (unsigned long long)f->execution, f->preemptions);
    text_json(out, "message", f->message);
    text_json(out, "schedule", f->schedule);
    text_json(out, "status", f->race_key != 0 ? hd_race_outcome_word(f->fate) : "");
    if (f->kept[HD_FORMAT_html] != NULL)
        fputs(f->kept[HD_FORMAT_html], out);
    fputc('}', out);
}

static void warnings_json(FILE *out, const struct hd_result *r)
{
    fputs(",\n\"warnings\": [", out);
    for (size_t i = 0; i < r->nwarnings; i++) {
        fprintf(out, "%s\n{\"kind\": \"%s\"", i > 0 ? "," : "",
                hd_warning_kind_text(r->warnings[i].kind));
        text_json(out, "message", r->warnings[i].message);
        text_json(out, "details", r->warnings[i].details != NULL ? r->warnings[i].details : "");
        fputc('}', out);
    }
    fputc(']', out);
}

static void add_result(void *state, const struct hd_result *r, char *const *argv, int exit_code)
{
    struct hd_html *h = state;
    FILE *out = h->runs;
    char sentence[HD_GUARANTEE_TEXT];

    for (size_t i = 0; i < r->nfindings; i++)
        finding_json(h, &r->findings[i]);
    (void)argv;
    (void)exit_code;
    hd_result_guarantee(r, sentence, sizeof sentence);
    fprintf(out, "%s\n{\"verdict\": \"%s\", \"executions\": %llu, \"seconds\": %.3f, \"seed\": %llu",
            h->nruns++ > 0 ? "," : "", hd_verdict_text(r->verdict),
            (unsigned long long)r->totals.executions, r->seconds,
            (unsigned long long)r->config->seed);
    text_json(out, "test", r->test != NULL ? r->test : "");
    text_json(out, "strategy", r->config->strategy);
    text_json(out, "guarantee", sentence);
    ledger_json(out, r->ledger);
    warnings_json(out, r);
    fputc('}', out);
}

/* ---- writing the page ---------------------------------------------------------------- */

/* Prints JSON inside a script element.  Escapes all characters that could end the element, open a
 * comment in it, or be invalid in a JavaScript string.  In JSON these occur only inside strings. */
static void put_safely(FILE *out, const char *json, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (json[i] == '<')
            fputs("\\u003c", out);
        else if (n - i > 2 && memcmp(&json[i], "\xe2\x80", 2) == 0 &&
                 (json[i + 2] == '\xa8' || json[i + 2] == '\xa9')) {
            fputs(json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029", out);
            i += 2;
        } else {
            fputc(json[i], out);
        }
}

static void put_data(FILE *out, struct hd_html *h, const char *program)
{
    char *json = NULL;
    size_t size;
    FILE *text = open_memstream(&json, &size);

    HD_INVARIANT(text != NULL, "out of memory");
    fflush(h->runs); /* sets the texts of the streams */
    fflush(h->findings);
    fprintf(text, "{\"version\": 1, \"heddle\": \"%s\"", HD_VERSION_TEXT);
    text_json(text, "program", program);
    fprintf(text, ",\n\"runs\": [%s],\n\"findings\": [%s]", h->runs_text, h->findings_text);
    hd_html_book_json(text, h);
    fputs("}\n", text);
    fclose(text);
    put_safely(out, json, size);
    free(json);
}

/* Prints the template from `from` up to the mark.  Returns the position after the mark. */
static const char *put_until(FILE *out, const char *from, const char *mark)
{
    const char *at = memmem(from, (size_t)(hd_html_page_end - from), mark, strlen(mark));

    HD_INVARIANT(at != NULL, "the template has lost a mark");
    fwrite(from, 1, (size_t)(at - from), out);
    return at + strlen(mark);
}

static void write_page(FILE *out, void *state, const char *program, const struct hd_each_result *each)
{
    const char *at = put_until(out, hd_html_page, "/*STYLE*/");

    (void)each;
    fwrite(hd_html_style, 1, (size_t)(hd_html_style_end - hd_html_style), out);
    at = put_until(out, at, "/*DATA*/");
    put_data(out, state, program);
    at = put_until(out, at, "/*SCRIPT*/");
    fwrite(hd_html_script, 1, (size_t)(hd_html_script_end - hd_html_script), out);
    fwrite(at, 1, (size_t)(hd_html_page_end - at), out);
}

const struct hd_format hd_format_html = { .wants_order = true, .open = open_page,
                                          .finding = keep_finding, .result = add_result,
                                          .write = write_page, .close = close_page };
