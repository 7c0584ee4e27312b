/* SPDX-License-Identifier: BSD-2-Clause
 *
 * page_list.c - the campaigns of a store. */
#include "serve/pages_parts.h"
#include "serve/text.h"

struct list {
    const struct hd_frame *frame;
    const struct hd_view_campaigns *all;
};

static void head(FILE *out, const void *ctx)
{
    const struct list *l = ctx;
    int64_t open = 0;

    for (size_t i = 0; i < l->all->n; i++) {
        struct hd_state s;

        hd_state_of(&l->all->list[i], &s);
        open += s.open;
    }
    fputs("<h1>Campaigns</h1>\n<p>", out);
    hd_put_count(out, l->all->all);
    fputs(" in <code>", out);
    hd_put_text(out, l->frame->store);
    fputs("</code>, ", out);
    hd_put_count(out, open);
    fputs(" open</p>\n", out);
}

static void nothing(FILE *out)
{
    fputs("<section class=\"quiet\" id=\"nothing\">\n<h2>No campaign yet</h2>\n<p>The store is empty. A search with <code>--store</code> and "
          "<code>--campaign</code> begins one, from any machine that can reach the database:</p>\n"
          "<pre>heddle verify --store URL --campaign NAME ./program</pre>\n<p>It appears here by itself.</p>\n</section>\n", out);
}

static void workers(FILE *out, const struct hd_view_campaign *c)
{
    hd_put_count(out, c->alive);
    fputs("<span class=\"below\">alive", out);
    if (c->lost > 0) {
        fputs(", <b class=\"lost\">", out);
        hd_put_count(out, c->lost);
        fputs(" lost</b>", out);
    }
    fputs("</span>", out);
}

static void executions(FILE *out, const struct hd_view_campaign *c, const struct hd_state *s)
{
    hd_put_count(out, c->executions);
    fputs("<span class=\"below\">", out);
    if (s->rate > 0) {
        hd_put_about(out, s->rate);
        fputs(" per second", out);
    }
    fputs("</span>", out);
}

static void row(FILE *out, const struct hd_view_campaign *c)
{
    struct hd_state s;

    hd_state_of(c, &s);
    fprintf(out, "<tr id=\"campaign-%lld\">\n<th scope=\"row\"><a href=\"", (long long)c->id);
    hd_part_link(out, "", c);
    fputs("\">", out);
    hd_put_text(out, c->name[0] != '\0' ? c->name : "(no name)");
    fputs("</a><span class=\"below\">", out);
    hd_part_search(out, c->spec);
    fputs("</span></th>\n<td data-name=\"State\">", out);
    hd_part_badge(out, s.mark, s.word);
    fputs("<span class=\"below\">", out);
    if (c->verdict != NULL) {
        hd_put_text(out, hd_part_verdict_word(c->verdict));
        fputs("; ", out);
    }
    fputs("begun ", out);
    hd_put_ago(out, c->created, c->now);
    fputs("</span></td>\n<td data-name=\"Progress\" class=\"progress\">", out);
    hd_part_progress(out, c, &s, true);
    fputs("</td>\n<td data-name=\"Executions\" class=\"r\">", out);
    executions(out, c, &s);
    fputs("</td>\n<td data-name=\"Rate\" class=\"sparks\">", out);
    hd_plot_spark(out, c->spark, c->nsparks);
    fputs("</td>\n<td data-name=\"Workers\" class=\"r\">", out);
    workers(out, c);
    fputs("</td>\n<td data-name=\"Findings\" class=\"r\">", out);
    fprintf(out, c->findings > 0 ? "<b class=\"found\">" : "<span>");
    hd_put_count(out, c->findings);
    fprintf(out, c->findings > 0 ? "</b>" : "</span>");
    fputs("</td>\n</tr>\n", out);
}

void hd_page_campaigns(FILE *out, const struct hd_frame *f, const struct hd_view_campaigns *all)
{
    const struct list l = { f, all };
    bool running = all->n == 0;

    for (size_t i = 0; i < all->n; i++)
        running |= all->list[i].alive > 0;
    hd_page_open(out, f, running ? HD_PACE_FAST : HD_PACE_SLOW, head, &l);
    if (all->n == 0) {
        nothing(out);
    } else {
        fputs("<div class=\"wide cards\"><table>\n<thead><tr><th scope=\"col\">Campaign</th><th scope=\"col\">State</th>"
              "<th scope=\"col\">Progress</th><th scope=\"col\" class=\"r\">Executions</th><th scope=\"col\">Rate over time</th>"
              "<th scope=\"col\" class=\"r\">Workers</th><th scope=\"col\" class=\"r\">Findings</th></tr></thead>\n<tbody>\n", out);
        for (size_t i = 0; i < all->n; i++)
            row(out, &all->list[i]);
        fputs("</tbody>\n</table></div>\n", out);
    }
    if ((int64_t)all->n < all->all)
        fputs("<p class=\"note\">Only open and new campaigns are shown; each one keeps its address.</p>\n", out);
    fprintf(out, "<p class=\"note\">The same as <a href=\"%sapi/campaigns\">JSON</a>.</p>\n", f->root);
    hd_page_close(out);
}
