/* SPDX-License-Identifier: BSD-2-Clause
 *
 * page_campaign.c - one campaign. */
#include <math.h>
#include <string.h>

#include "serve/pages_parts.h"
#include "serve/text.h"

struct page {
    const struct hd_frame *frame;
    const struct hd_whole *w;
    struct hd_state state;
};

/* ---- top ----------------------------------------------------------------------------------- */

static void head(FILE *out, const void *ctx)
{
    const struct page *p = ctx;
    const struct hd_view_campaign *c = p->w->c;

    fprintf(out, "<p class=\"way\"><a href=\"%s\">All campaigns</a></p>\n<h1>", p->frame->root[0] != '\0' ? p->frame->root : "./");
    hd_put_text(out, c->name[0] != '\0' ? c->name : "(no name)");
    fputs(" ", out);
    hd_part_badge(out, p->state.mark, p->state.word);
    fputs("</h1>\n<p>", out);
    hd_part_search(out, c->spec);
    fputs("; begun ", out);
    hd_put_ago(out, c->created, c->now);
    if (c->last > 0) {
        fputs(p->state.open ? ", last result " : ", ended ", out);
        hd_put_ago(out, c->last, c->now);
    }
    fputs("</p>\n", out);
}

/* Shows the sentence of the worker that had seen most executions when it left, or why there is none. */
static void claim(FILE *out, const struct page *p)
{
    const struct hd_view_campaign *c = p->w->c;
    const char *mark = hd_part_verdict_mark(c->verdict);

    fprintf(out, "<section class=\"claim %s\" id=\"claim\" aria-label=\"What is known\">\n<p>", mark);
    if (c->verdict != NULL) {
        hd_part_badge(out, mark, hd_part_verdict_word(c->verdict));
        fputs(" ", out);
        hd_put_text(out, c->claim.sentence != NULL ? c->claim.sentence : "");
        fputs(".</p>\n<p class=\"note\">A worker said so after ", out);
        hd_put_count(out, c->claim.executions);
        fputs(" executions, ", out);
        hd_put_ago(out, c->claim.at, c->now);
        fputs(".</p>\n", out);
    } else if (p->state.open) {
        fputs("Nothing is claimed while the campaign runs: ", out);
        hd_put_count(out, c->executions);
        fprintf(out, " executions so far, %s.</p>\n", c->buggy > 0 ? "some of which fail" : "none of which fails");
    } else {
        fputs("No worker has ended normally, so there is no verdict. Start a worker again with the command of the "
              "campaign: it states the verdict and ends.</p>\n", out);
    }
    if (strncmp(c->outcome, "refused", 7) == 0) {
        fputs("<p>", out);
        hd_put_text(out, c->outcome);
        fputs("</p>\n", out);
    }
    fputs("</section>\n", out);
}

/* ---- numbers ---------------------------------------------------------------------------------- */

static void tile_open(FILE *out, const char *id, const char *name)
{
    fprintf(out, "<div class=\"tile\" id=\"%s\"><dt>%s</dt><dd>", id, name);
}

static void tile_close(FILE *out)
{
    fputs("</dd></div>\n", out);
}

static void tile_executions(FILE *out, const struct page *p)
{
    const struct hd_view_campaign *c = p->w->c;

    tile_open(out, "executions", "Executions");
    hd_put_count(out, c->executions);
    fputs("<span class=\"below\">", out);
    hd_put_about(out, p->state.rate);
    fputs(" per second", out);
    if (c->redundant > 0) {
        fputs("; and ", out);
        hd_put_count(out, c->redundant);
        fputs(" redundant", out);
    }
    fputs("</span>", out);
    tile_close(out);
}

static void tile_budget(FILE *out, const struct page *p)
{
    const struct hd_view_campaign *c = p->w->c;

    tile_open(out, "budget", "Time");
    hd_put_duration(out, p->state.elapsed);
    if (p->state.budget >= 0) {
        hd_part_bar(out, p->state.budget, "budget used");
        fprintf(out, "<span class=\"below\">%.0f%% of a budget of ", 100 * p->state.budget);
        hd_put_duration(out, c->deadline - c->created);
        fputs("</span>", out);
    } else {
        fputs("<span class=\"below\">no budget</span>", out);
    }
    tile_close(out);
}

static void tile_work(FILE *out, const struct page *p)
{
    const struct hd_view_campaign *c = p->w->c;

    tile_open(out, "work", c->kind == HD_CLUSTER_INDEX ? "Ranges of work" : "Rows of work");
    hd_put_count(out, c->unfinished);
    fputs(" left<span class=\"below\">of ", out);
    hd_put_count(out, c->rows);
    fputs("; ", out);
    hd_put_count(out, c->leased);
    fputs(" in work", out);
    if (c->kind != HD_CLUSTER_INDEX && c->bound > 0) {
        fputs("; bound ", out);
        hd_put_count(out, c->bound);
    }
    fputs("</span>", out);
    tile_close(out);
}

static void tile_workers(FILE *out, const struct page *p)
{
    const struct hd_view_campaign *c = p->w->c;

    tile_open(out, "alive", "Workers");
    hd_put_count(out, c->alive);
    fputs(" alive<span class=\"below\">", out);
    if (c->lost > 0) {
        fputs("<b class=\"lost\">", out);
        hd_put_count(out, c->lost);
        fputs(" lost</b>, ", out);
    }
    hd_put_count(out, c->left);
    fprintf(out, " %s left</span>", c->left == 1 ? "has" : "have");
    tile_close(out);
}

static void tiles(FILE *out, const struct page *p)
{
    const struct hd_view_campaign *c = p->w->c;

    fputs("<dl class=\"tiles\">\n", out);
    tile_open(out, "progress", "Progress");
    if (p->state.done >= 0)
        fprintf(out, "%.0f%%", floor(100 * p->state.done));
    else
        fputs(p->state.open ? "under way" : "not complete", out);
    hd_part_progress(out, c, &p->state, false);
    tile_close(out);
    tile_executions(out, p);
    tile_budget(out, p);
    tile_work(out, p);
    tile_workers(out, p);
    tile_open(out, "found", "Findings");
    hd_put_count(out, c->findings);
    fputs("<span class=\"below\">", out);
    hd_put_count(out, c->buggy);
    fprintf(out, " execution%s fail%s</span>", c->buggy == 1 ? "" : "s", c->buggy == 1 ? "s" : "");
    tile_close(out);
    fputs("</dl>\n", out);
}

/* ---- tables ---------------------------------------------------------------------------------------- */

static void finding(FILE *out, const struct hd_view_campaign *c, const struct hd_view_finding *f)
{
    fputs("<tr>\n<th scope=\"row\"><a href=\"finding/", out);
    hd_put_address(out, f->signature);
    fputs("/\">", out);
    hd_put_text(out, f->message[0] != '\0' ? f->message : "(no message)");
    fputs("</a></th>\n<td data-name=\"Kind\"><span class=\"kind\">", out);
    hd_put_text(out, f->kind);
    fputs("</span></td>\n<td data-name=\"Found\">", out);
    hd_put_ago(out, f->at, c->now);
    fputs("</td>\n<td data-name=\"By\"><code>", out);
    hd_put_text(out, f->worker);
    fputs("</code></td>\n<td data-name=\"Report\">", out);
    if (f->report_size > 0) {
        fputs("<a href=\"finding/", out);
        hd_put_address(out, f->signature);
        fputs("/report\">step by step</a>", out);
    }
    fputs("</td>\n</tr>\n", out);
}

static void findings(FILE *out, const struct page *p)
{
    const struct hd_view_findings *all = p->w->findings;

    fputs("<section id=\"findings\" aria-labelledby=\"findings-head\">\n<h2 id=\"findings-head\">Findings</h2>\n", out);
    if (all->n == 0) {
        fputs("<p class=\"note\">None so far.</p>\n</section>\n", out);
        return;
    }
    fputs("<div class=\"wide cards\"><table>\n<thead><tr><th scope=\"col\">Message</th><th scope=\"col\">Kind</th><th scope=\"col\">Found</th>"
          "<th scope=\"col\">By worker</th><th scope=\"col\">Report</th></tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < all->n; i++)
        finding(out, p->w->c, &all->list[i]);
    fputs("</tbody>\n</table></div>\n", out);
    if ((int64_t)all->n < p->w->c->findings)
        fputs("<p class=\"note\">Only the first ones are shown; 'heddle campaign export' writes all.</p>\n", out);
    fputs("</section>\n", out);
}

static void worker(FILE *out, const struct hd_view_worker *w)
{
    static const struct { const char *word, *mark; } states[] = {
        [HD_WORKER_ALIVE] = { "alive", "busy" }, [HD_WORKER_LOST] = { "lost", "bad" }, [HD_WORKER_LEFT] = { "left", "" },
    };

    fputs("<tr>\n<th scope=\"row\"><code>", out);
    hd_put_text(out, w->id);
    fputs("</code></th>\n<td data-name=\"State\">", out);
    hd_part_badge(out, states[w->state].mark, w->state == HD_WORKER_ALIVE && w->idle && w->leases == 0 ? "idle" : states[w->state].word);
    fputs("</td>\n<td data-name=\"Last seen\" class=\"r\">", out);
    hd_put_duration(out, w->silent > 0 ? w->silent : 0);
    fputs(" ago</td>\n<td data-name=\"Lease\" class=\"r\">", out);
    if (w->leases > 0 && w->lease > 0) {
        fputs("for ", out);
        hd_put_duration(out, w->lease);
    } else {
        fputs(w->leases > 0 ? "expired" : "none", out);
    }
    fputs("</td>\n<td data-name=\"Slices\" class=\"r\">", out);
    hd_put_count(out, w->slices);
    fputs("</td>\n<td data-name=\"Executions\" class=\"r\">", out);
    hd_put_count(out, w->executions);
    fputs("</td>\n</tr>\n", out);
}

static void workers(FILE *out, const struct page *p)
{
    const struct hd_view_workers *all = p->w->workers;

    fputs("<section id=\"workers\" aria-labelledby=\"workers-head\">\n<h2 id=\"workers-head\">Workers</h2>\n", out);
    if (all->n == 0) {
        fputs("<p class=\"note\">None has come yet.</p>\n</section>\n", out);
        return;
    }
    if (p->w->c->lost > 0)
        fputs("<p class=\"note\">A lost worker has fallen silent without leaving, and its lease has expired: others do its last slice "
              "again, and nothing is lost or counted twice.</p>\n", out);
    fputs("<div class=\"wide cards\"><table>\n<thead><tr><th scope=\"col\">Worker</th><th scope=\"col\">State</th><th scope=\"col\" class=\"r\">"
          "Last seen</th><th scope=\"col\" class=\"r\">Lease</th><th scope=\"col\" class=\"r\">Slices</th><th scope=\"col\" class=\"r\">"
          "Executions</th></tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < all->n; i++)
        worker(out, &all->list[i]);
    fputs("</tbody>\n</table></div>\n</section>\n", out);
}

/* ---- what is searched --------------------------------------------------------------------------------- */

static void pair(FILE *out, const char *name, size_t n, const char *value)
{
    fprintf(out, "<dt>%.*s</dt><dd><code>", (int)n, name);
    hd_put_text(out, value);
    fputs("</code></dd>\n", out);
}

/* Shows the next line of the specification, unless it says that an option is off or was not given.  Returns the
 * remaining lines. */
static const char *option(FILE *out, const char *line)
{
    char value[4096];
    size_t n = strspn(line, "abcdefghijklmnopqrstuvwxyz-0123456789"), end = strcspn(line, "\n");

    if (n > 0 && line[n] == '\t') {
        snprintf(value, sizeof value, "%.*s", (int)(end - n - 1), line + n + 1);
        if (value[0] != '\0' && strcmp(value, "off") != 0)
            pair(out, line, n, value);
    }
    return line + end + (line[end] != '\0');
}

static void search(FILE *out, const struct page *p)
{
    const struct hd_view_campaign *c = p->w->c;

    fputs("<section id=\"search\" aria-labelledby=\"search-head\">\n<h2 id=\"search-head\">What is searched</h2>\n<dl class=\"pairs\">\n", out);
    pair(out, "SHA-256 of the program", 22, c->hash);
    if (c->program != NULL) {
        pair(out, "carried by the store", 20, c->program);
        pair(out, "build id", 8, c->build_id);
    }
    fputs("</dl>\n<details id=\"options\"><summary>Options that all workers share</summary>\n<dl class=\"pairs\">\n", out);
    for (const char *line = c->spec; *line != '\0';)
        line = option(out, line);
    fprintf(out, "</dl></details>\n<p class=\"note\">Stopped, resumed and deleted by <code>heddle campaign</code>; this page only looks. "
                 "The same as <a href=\"%sapi/id/%lld\">JSON</a>.</p>\n</section>\n", p->frame->root, (long long)c->id);
}

void hd_page_campaign(FILE *out, const struct hd_frame *f, const struct hd_whole *w)
{
    struct page p = { .frame = f, .w = w };

    hd_state_of(w->c, &p.state);
    hd_page_open(out, f, p.state.open ? HD_PACE_FAST : HD_PACE_SLOW, head, &p);
    claim(out, &p);
    tiles(out, &p);
    fputs("<section id=\"rates\" aria-labelledby=\"rates-head\">\n<h2 id=\"rates-head\">Executions per second</h2>\n", out);
    hd_plot_rate(out, w);
    fputs("</section>\n", out);
    findings(out, &p);
    workers(out, &p);
    search(out, &p);
    hd_page_close(out);
}
