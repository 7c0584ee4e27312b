/* SPDX-License-Identifier: BSD-2-Clause
 *
 * page_finding.c - the page of a finding, and the pages for errors. */
#include "serve/pages_parts.h"
#include "serve/text.h"

struct page {
    const struct hd_frame *frame;
    const struct hd_view_campaign *c;
    const struct hd_view_finding *f;
};

static void head(FILE *out, const void *ctx)
{
    const struct page *p = ctx;

    fprintf(out, "<p class=\"way\"><a href=\"%s\">All campaigns</a> / <a href=\"../../\">", p->frame->root);
    hd_put_text(out, p->c->name[0] != '\0' ? p->c->name : "(no name)");
    fputs("</a></p>\n<h1>", out);
    hd_part_badge(out, "bad", p->f->kind);
    fputs(" ", out);
    hd_put_text(out, p->f->message);
    fputs("</h1>\n<p>found ", out);
    hd_put_ago(out, p->f->at, p->c->now);
    fputs(" by <code>", out);
    hd_put_text(out, p->f->worker);
    fputs("</code>", out);
    if (p->c->kind == HD_CLUSTER_INDEX) {
        fputs(" in execution ", out);
        hd_put_count(out, p->f->index + 1);
    }
    fputs("</p>\n", out);
}

static void report(FILE *out, const struct page *p)
{
    fputs("<section id=\"report\" aria-labelledby=\"report-head\">\n<h2 id=\"report-head\">The interleaving</h2>\n", out);
    if (p->f->report_size > 0)
        fputs("<p><a class=\"button\" href=\"report\">Open the report</a></p>\n<p class=\"note\">Step by step beside the source code, as its "
              "worker saw it. This address stays valid as long as the campaign is in the store.</p>\n", out);
    else
        fputs("<p class=\"note\">The store has no report of this finding: it has no steps that could be shown, or its report is too large. "
              "Where the program is, the commands below show it again.</p>\n", out);
    fputs("</section>\n", out);
}

static void reproduce(FILE *out, const struct page *p, const char *schedule)
{
    fputs("<section id=\"reproduce\" aria-labelledby=\"reproduce-head\">\n<h2 id=\"reproduce-head\">Run it again</h2>\n", out);
    if (p->f->schedule_size == 0) {
        fputs("<p class=\"note\">The store has no schedule of this finding. Run the command of the campaign again, without --store.</p>\n"
              "</section>\n", out);
        return;
    }
    fputs("<p>Download the schedule, <a href=\"schedule\" download>", out);
    hd_put_text(out, schedule);
    fputs("</a>, to where the program is. PROGRAM is the file whose SHA-256 is <code>", out);
    hd_put_text(out, p->c->hash);
    fputs("</code>.</p>\n<pre>", out);
    for (unsigned i = 0; i < 3; i++) {
        static const char *const commands[] = { "heddle replay ", "heddle replay --gdb ", "heddle report --html finding.html " };

        fputs(commands[i], out);
        hd_put_text(out, schedule);
        fputs(" -- PROGRAM\n", out);
    }
    fputs("</pre>\n</section>\n", out);
}

void hd_page_finding(FILE *out, const struct hd_frame *f, const struct hd_view_campaign *c, const struct hd_view_finding *finding,
                     const char *schedule)
{
    const struct page p = { f, c, finding };

    hd_page_open(out, f, HD_PACE_STILL, head, &p);
    report(out, &p);
    reproduce(out, &p, schedule);
    hd_page_close(out);
}

/* ---- nothing to show ------------------------------------------------------------------------------ */

static void error_head(FILE *out, const void *ctx)
{
    const struct hd_frame *f = ctx;

    fprintf(out, "<p class=\"way\"><a href=\"%s\">All campaigns</a></p>\n<h1>", f->root[0] != '\0' ? f->root : "./");
    hd_put_text(out, f->title);
    fputs("</h1>\n<p><code>", out);
    hd_put_text(out, f->store);
    fputs("</code></p>\n", out);
}

void hd_page_error(FILE *out, const struct hd_frame *f, const char *sentence)
{
    hd_page_open(out, f, HD_PACE_FAST, error_head, f);
    fputs("<section class=\"quiet\" id=\"error\">\n<p>", out);
    hd_put_text(out, sentence);
    fputs("</p>\n<p class=\"note\">This page looks again by itself.</p>\n</section>\n", out);
    hd_page_close(out);
}
