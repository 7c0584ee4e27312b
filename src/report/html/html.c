/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html.c - writes findings as one page for a browser: a time line with one lane per thread, beside
 * the source code.  The file needs no other files.
 *
 * The page consists of a fixed template (src/report/html, embedded in the tool) and data.  No text
 * of the program under test becomes HTML: names, paths, source text and output are in one JSON
 * object, and the scripts of the page show them as text (html_page.c puts both together).  A browser
 * without scripts shows the report as text. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/json.h"
#include "base/memory.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/fault.h"
#include "report/evidence/frames.h"
#include "report/evidence/gather.h"
#include "report/evidence/place.h"
#include "report/html/html_book.h"
#include "report/html/html_page.h"
#include "report/names/shorten.h"
#include "report/text/finding.h"
#include "report/verdict/ledger_print.h"

enum { SHOWN_IN_FULL = 50 }; /* number of findings in full; for later ones the page has only the message */

static void *open_page(void)
{
    struct hd_html *h = hd_zeroed(1, sizeof *h);

    hd_json_open(&h->runs, hd_memory_stream(&h->runs_text, &h->runs_size), 0);
    hd_json_open(&h->findings, hd_memory_stream(&h->findings_text, &h->findings_size), 0);
    h->plain = hd_memory_stream(&h->plain_text, &h->plain_size);
    return h;
}

static void close_page(void *state)
{
    struct hd_html *h = state;

    for (uint32_t i = 0; i < h->nsources; i++) {
        free(h->source[i].path);
        free(h->source[i].text);
    }
    fclose(h->runs.out);
    fclose(h->findings.out);
    fclose(h->plain);
    free(h->plain_text);
    free(h->runs_text);
    free(h->findings_text);
    hd_texts_free(&h->strings);
    hd_map_free(&h->places);
    free(h->site);
    free(h->source);
    free(h);
}

/* ---- one finding --------------------------------------------------------------------- */

static void text_json(struct hd_json *j, const char *key, const char *value)
{
    hd_json_put_string(hd_json_line(j), key, value);
}

/* Prints what the text report says about the cause, each sentence on a line. */
static void cause_json(struct hd_json *j, const struct hd_report *r)
{
    char *lines = NULL;
    size_t size;
    const struct hd_text plain = { .out = hd_memory_stream(&lines, &size), .unwrapped = true };

    hd_text_cause(&plain, r);
    hd_fault_text(&plain, r);
    fclose(plain.out);
    text_json(j, "cause", lines);
    free(lines);
}

static void frame_json(struct hd_json *j, struct hd_html *h, const struct hd_frame *f)
{
    char where[600], name[500];

    hd_name_shorten(f->function, name, sizeof name);
    if (f->line > 0)
        snprintf(where, sizeof where, "%s:%d", hd_base_name(f->file), f->line);
    else
        snprintf(where, sizeof where, "%s+0x%llx", f->module, (unsigned long long)f->offset);
    hd_json_array(j);
    hd_json_uint(j, hd_html_string(h, name));
    hd_json_uint(j, hd_html_string(h, where));
    hd_json_int(j, hd_html_source(h, f));
    hd_json_int(j, f->line);
    hd_json_int(j, f->inlined);
    hd_json_end(j);
}

static int64_t number_of(hd_tid tid)
{
    return tid != HD_NO_TID ? tid : -1;
}

/* Prints the first frame, the number of frames and the text of each fold. */
static void folds_json(struct hd_json *j, struct hd_html *h, const struct hd_evidence *e)
{
    char origin[300];

    hd_json_put_array(j, "folds");
    for (unsigned i = 0; i < e->n; i++) {
        unsigned n = hd_frames_folded(e, i);

        if (n == 0)
            continue;
        hd_frames_origin(e, i, n, origin, sizeof origin);
        hd_json_array(j);
        hd_json_uint(j, i);
        hd_json_uint(j, n);
        hd_json_uint(j, hd_html_string(h, origin));
        hd_json_end(j);
        i += n - 1;
    }
    hd_json_end(j);
}

static void stack_json(struct hd_json *j, struct hd_html *h, const struct hd_evidence *e)
{
    hd_json_object(hd_json_line(j));
    hd_json_put_int(j, "tid", number_of(e->tid));
    hd_json_put_string(j, "title", e->heading);
    hd_json_put_array(j, "frames");
    for (unsigned i = 0; i < e->n; i++)
        frame_json(j, h, &e->frames[i]);
    hd_json_end(j);
    folds_json(j, h, e);
    hd_json_end(j);
}

static void stacks_json(struct hd_json *j, struct hd_html *h, const struct hd_report *r)
{
    struct hd_evidence_list l;

    hd_json_put_array(hd_json_line(j), "stacks");
    hd_evidence_gather(&l, r);
    for (unsigned i = 0; i < l.n; i++)
        if (!l.all[i].grouped)
            stack_json(j, h, &l.all[i]);
    hd_evidence_free(&l);
    hd_json_end(j);
}

/* Prints which thread of a deadlock waits for which. */
static void waits_json(struct hd_json *j, struct hd_html *h, const struct hd_report *r)
{
    struct hd_wait w;

    hd_json_put_array(hd_json_line(j), "waits");
    for (uint32_t t = 0; r->finding->kind == HD_FK_DEADLOCK && t < r->nthreads; t++) {
        if (!hd_deadlock_wait(r, (hd_tid)t, &w))
            continue;
        hd_json_object(hd_json_line(j));
        hd_json_put_uint(j, "tid", t);
        hd_json_put_int(j, "on", number_of(w.on));
        hd_json_put_bool(j, "cycle", w.in_cycle);
        hd_json_put_uint(j, "site", hd_html_place(h, r->symbols, hd_report_place(r, hd_report_pending(r, (hd_tid)t))));
        hd_json_put_uint(j, "held", hd_html_place(h, r->symbols, w.held_pc));
        hd_json_put_string(j, "what", w.what);
        hd_json_put_string(j, "reason", w.reason);
        hd_json_end(j);
    }
    hd_json_end(j);
}

static void output_json(struct hd_json *j, const struct hd_report *r)
{
    char *text = hd_zeroed(r->noutput + 1, 1);

    for (size_t i = 0; i < r->noutput; i++)
        text[i] = r->output[i] != '\0' ? r->output[i] : '\xff';
    text_json(j, "output", text);
    free(text);
}

static void ledger_json(struct hd_json *j, const struct hd_ledger *l)
{
    hd_json_key(hd_json_line(j), "uncontrolled");
    hd_ledger_sentences_json(j, l);
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
    struct hd_json j;
    char *text = NULL;
    size_t size;

    if (h->nfull >= SHOWN_IN_FULL)
        return NULL;
    fputs(f->text, h->plain);
    hd_json_open(&j, hd_memory_stream(&text, &size), 1);
    note_build(h, r->wire);
    h->nfull++;
    hd_json_put_uint(&j, "skipped", hd_report_first_step(r));
    cause_json(&j, r);
    hd_html_rows_json(&j, h, r, f->order);
    waits_json(&j, h, r);
    stacks_json(&j, h, r);
    output_json(&j, r);
    ledger_json(&j, r->ledger);
    fclose(j.out);
    return text;
}

/* ---- results --------------------------------------------------------------------------- */

static void finding_json(struct hd_html *h, const struct hd_result *r, const struct hd_result_finding *f)
{
    struct hd_json *j = &h->findings;
    char status[200] = "";

    if (f->race_key != 0)
        hd_race_outcome_text(r, f, status, sizeof status);

    hd_json_object(hd_json_line(j));
    hd_json_put_uint(j, "run", h->nruns);
    hd_json_put_string(j, "id", f->id);
    hd_json_put_string(j, "kind", hd_finding_kind_text(f->kind));
    hd_json_put_uint(j, "execution", f->execution);
    hd_json_put_uint(j, "preemptions", f->preemptions);
    text_json(j, "message", f->message);
    text_json(j, "schedule", f->schedule);
    text_json(j, "status", status);
    if (f->kept[HD_FORMAT_html] != NULL)
        hd_json_raw(hd_json_line(j), f->kept[HD_FORMAT_html]);
    hd_json_end(j);
}

static void warnings_json(struct hd_json *j, const struct hd_result *r)
{
    hd_json_put_array(hd_json_line(j), "warnings");
    for (size_t i = 0; i < r->nwarnings; i++) {
        hd_json_object(hd_json_line(j));
        hd_json_put_string(j, "kind", hd_warning_kind_text(r->warnings[i].kind));
        text_json(j, "message", r->warnings[i].message);
        text_json(j, "details", r->warnings[i].details != NULL ? r->warnings[i].details : "");
        hd_json_end(j);
    }
    hd_json_end(j);
}

/* Adds the end of the text report. */
static void summary_text(struct hd_html *h, const struct hd_result *r)
{
    char *text = NULL;
    size_t size;
    struct hd_text t = { .out = hd_memory_stream(&text, &size) };

    hd_result_summary(&t, r);
    fclose(t.out);
    if (r->test != NULL) {
        fputs(r->test, h->plain);
        fputs(": ", h->plain);
    }
    fputs(text, h->plain);
    fputc('\n', h->plain);
    free(text);
}

static void add_result(void *state, const struct hd_result *r, char *const *argv, int exit_code)
{
    struct hd_html *h = state;
    struct hd_json *j = &h->runs;
    char sentence[HD_GUARANTEE_TEXT];

    for (size_t i = 0; i < r->nfindings; i++)
        finding_json(h, r, &r->findings[i]);
    summary_text(h, r);
    (void)argv;
    (void)exit_code;
    h->nruns++;
    hd_result_guarantee(r, sentence, sizeof sentence);
    hd_json_object(hd_json_line(j));
    hd_json_put_string(j, "verdict", hd_verdict_text(r->verdict));
    hd_json_put_uint(j, "executions", r->totals.executions);
    hd_json_key(j, "seconds");
    hd_json_fixed(j, r->seconds, 3);
    hd_json_put_uint(j, "seed", r->config->seed);
    text_json(j, "test", r->test != NULL ? r->test : "");
    text_json(j, "strategy", r->config->strategy);
    text_json(j, "guarantee", sentence);
    ledger_json(j, r->ledger);
    warnings_json(j, r);
    hd_json_end(j);
}

/* ---- the data of the page ------------------------------------------------------------ */

static void put_list(struct hd_json *j, const char *key, const struct hd_json *list, char *const *text)
{
    fflush(list->out); /* flushing sets the text */
    hd_json_put_array(hd_json_line(j), key);
    hd_json_raw(j, *text);
    hd_json_end(j);
}

char *hd_html_data(void *state, const char *program, size_t *size)
{
    struct hd_html *h = state;
    struct hd_json j;
    char *data = NULL;

    hd_json_open(&j, hd_memory_stream(&data, size), 0);
    fflush(h->plain); /* flushing sets the text */
    fwrite(h->plain_text, 1, h->plain_size, j.out);
    fputc('\0', j.out);
    hd_json_object(&j);
    hd_json_put_uint(&j, "version", 1);
    hd_json_put_string(&j, "heddle", HD_VERSION_TEXT);
    text_json(&j, "program", program);
    put_list(&j, "runs", &h->runs, &h->runs_text);
    put_list(&j, "findings", &h->findings, &h->findings_text);
    hd_html_book_json(&j, h);
    hd_json_end(&j);
    fputc('\n', j.out);
    fclose(j.out);
    return data;
}

static void write_page(FILE *out, void *state, const char *program, const struct hd_each_result *each)
{
    size_t size;
    char *data = hd_html_data(state, program, &size);

    (void)each;
    hd_html_page_write(out, data, size, NULL);
    free(data);
}

const struct hd_format hd_format_html = { .wants_text = true, .wants_order = true, .open = open_page,
                                          .finding = keep_finding, .result = add_result,
                                          .write = write_page, .close = close_page };
