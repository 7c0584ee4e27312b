/* SPDX-License-Identifier: BSD-2-Clause
 *
 * page.c - the result of a search as one HTML page without scripts: for each finding a table with a column for each
 * context.  The words are those of the text (rows.h). */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/drive/report.h"
#include "kernel/drive/rows.h"

#define ROWS 2000

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>heddle kernel</title>\n<style>\n"
    "body { font: 14px/1.4 sans-serif; margin: 2em; max-width: 110em }\n"
    "table { border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: .15em .7em; "
    "border-left: 1px solid #bbb; font-family: monospace }\n"
    "td.n { color: #777; border: 0 } tr.tick td { background: #fff3cd } tr.end td { background: #f8d7da; font-weight: bold }\n"
    "pre { background: #f4f4f4; padding: .7em; overflow: auto }\n"
    "@media (prefers-color-scheme: dark) { body { background: #1c1c1c; color: #ddd } pre { background: #2a2a2a } "
    "tr.tick td { background: #4a3d10 } tr.end td { background: #5a2228 } }\n</style></head><body>\n";

static void put_text(FILE *f, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        case '"': fputs("&quot;", f); break;
        default: fputc(*text, f); break;
        }
    }
}

static void put_threads(const struct hd_ksession *s, FILE *f)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);

    if (lines == NULL)
        return;
    hd_kreport_threads(s, lines);
    fclose(lines);
    fputs("<h3>Threads</h3>\n<pre>", f);
    put_text(f, text);
    fputs("</pre>\n", f);
    free(text);
}

static void put_row(const struct hd_ksession *s, const struct hd_k_log *r, unsigned number, FILE *f)
{
    static const char *const classes[] = { [HD_KLOG_TICK] = "tick", [HD_KLOG_SWITCH] = "switch", [HD_KLOG_END] = "end",
                                           [HD_KLOG_CALL] = "call" };
    const struct hd_klink *l = s->machine.link;
    unsigned lane = hd_krow_lane(l, r->context), lanes = hd_krow_lane(l, l->ncontexts);
    char text[320];

    hd_krow_text(s, r, text, sizeof text);
    fprintf(f, "<tr class=\"%s\"><td class=\"n\">%u</td>", classes[r->row], number);
    for (unsigned k = 0; k < lanes; k++) {
        fputs("<td>", f);
        if (k == lane)
            put_text(f, text);
        fputs("</td>", f);
    }
    fputs("</tr>\n", f);
}

static void put_table(const struct hd_ksession *s, FILE *f)
{
    const struct hd_klink *l = s->machine.link;
    unsigned shown = 0;
    char name[24];

    fputs("<h3>What happened</h3>\n<table><tr><th></th>", f);
    for (unsigned k = l->is_linux ? 0 : 1; k < l->ncontexts; k++) {
        if (l->context[k].idle)
            continue;
        hd_krow_name(s, k, name, sizeof name);
        fputs("<th>", f);
        put_text(f, name);
        fputs("</th>", f);
    }
    fputs("</tr>\n", f);
    for (uint32_t i = 0; i < l->nlog && shown < ROWS; i++)
        if (hd_krow_is_shown(l, &l->log[i]))
            put_row(s, &l->log[i], ++shown, f);
    fputs("</table>\n", f);
}

void hd_kpage_finding(struct hd_ksession *s, const struct hd_kernel_finding *found)
{
    size_t size = 0;
    char *text = NULL;
    FILE *f = open_memstream(&text, &size);

    if (f == NULL)
        return;
    fputs(s->page == NULL ? "" : s->page, f);
    fputs("<h2>", f);
    put_text(f, found->kind);
    fputs(": ", f);
    put_text(f, found->message);
    fprintf(f, "</h2>\n<p>In execution %llu, reproduced %u of %u; %u interrupts%s.", (unsigned long long)found->execution,
            found->reproduced, found->tried, found->ticks, found->minimal && found->ticks > 0 ? ", each of them needed" : "");
    if (found->windows > 1)
        fprintf(f, " It needs the %u executions since the snapshot.", found->windows);
    fputs("</p>\n<p>To run it again: <code>heddle kernel replay ", f);
    put_text(f, found->schedule);
    fputs("</code></p>\n", f);
    put_threads(s, f);
    put_table(s, f);
    fclose(f);
    free(s->page);
    s->page = text;
}

bool hd_kpage_write(struct hd_ksession *s, int code, const char *file)
{
    FILE *out = strcmp(file, "-") == 0 ? stdout : fopen(file, "we");
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);

    if (out == NULL || lines == NULL) {
        fprintf(stderr, "heddle: cannot write %s: %s\n", file, strerror(errno));
        return false;
    }
    hd_kreport_verdict(s, code, lines);
    hd_kraces_print(s, lines);
    fclose(lines);
    fprintf(out, "%s<h1>", head);
    put_text(out, s->request->kernel);
    fputs("</h1>\n<pre>", out);
    put_text(out, text);
    fprintf(out, "</pre>\n%s</body></html>\n", s->page == NULL ? "" : s->page);
    free(text);
    bool good = ferror(out) == 0;

    return (out == stdout ? fflush(out) == 0 : fclose(out) == 0) && good;
}
