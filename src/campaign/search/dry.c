/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dry.c - lists the operations of one execution by class and place. */
#include "campaign/search/dry.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/point_class.h"

/* Operations of one class at one place. */
struct row {
    unsigned class; /* enum hd_point_class; 0: always a point */
    const char *site, *what;
    uint64_t n;
};

struct list {
    struct row *row;
    size_t n;
    uint64_t begun; /* executions begun */
};

static void count(struct list *l, unsigned class, const char *site, const char *what)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->row[i].class == class && strcmp(l->row[i].site, site) == 0 && strcmp(l->row[i].what, what) == 0) {
            l->row[i].n++;
            return;
        }
    *HD_PUSH(l->row, l->n) = (struct row){ class, site, what, 1 };
}

static void count_events(struct list *l, struct hd_session *s)
{
    const struct hd_execution *x = &s->wire->exec;

    for (uint32_t i = 0; i < x->nevents; i++) {
        const struct hd_event *e = &x->events[i];

        if (e->kind > HD_EV_NONE && e->kind < HD_EV_COUNT && !(hd_kind_traits[e->kind] & HD_TRAIT_LOCAL))
            count(l, hd_point_class((enum hd_kind)e->kind), hd_symbols_site(hd_session_symbols(s), e->pc),
                  hd_kind_info[e->kind].text);
    }
}

static void count_races(struct list *l, struct hd_session *s)
{
    const struct hd_site *sites = s->wires.common->sites;

    for (unsigned i = 0; i < HD_MAX_SITES && sites[i].name != 0; i++) {
        unsigned module = hd_cname_index(sites[i].name);
        uint64_t bias = module < s->wire->nmodules ? s->wire->modules[module].bias : 0;

        count(l, HD_POINT_ACCESS, hd_symbols_site(hd_session_symbols(s), bias + hd_cname_offset(sites[i].name)),
              "racing access");
    }
}

static int by_class(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->class != y->class)
        return x->class == 0 ? 1 : y->class == 0 ? -1 : x->class < y->class ? -1 : 1;
    int c = strcmp(x->site, y->site);

    return c != 0 ? c : strcmp(x->what, y->what);
}

static const char *word_of(unsigned class)
{
    for (unsigned i = 0; i < HD_POINT_CLASSES; i++)
        if (class >> i & 1)
            return hd_point_class_words[i];
    return "always";
}

/* Called when the execution is over.  Shows the list instead of a result. */
static bool show(struct hd_findings *all, void *ctx)
{
    struct list *l = ctx;
    struct hd_session *s = all->s;

    l->begun = hd_campaign_totals(&s->wire->campaign)->begun;
    if (l->begun == 0)
        return false; /* the program did not run: the result says why */
    count_events(l, s);
    count_races(l, s);
    qsort(l->row, l->n, sizeof *l->row, by_class);
    fprintf(s->text.out, "%-8s %6s  %-24s %s\n", "class", "times", "operation", "place");
    for (size_t i = 0; i < l->n; i++)
        fprintf(s->text.out, "%-8s %6llu  %-24s %s\n", word_of(l->row[i].class), (unsigned long long)l->row[i].n,
                l->row[i].what, l->row[i].site);
    if (all->n > 0)
        fprintf(s->text.out, "This execution has findings (%zu): look for them without --dry.\n", all->n);
    fflush(s->text.out);
    return true;
}

static void complete(void *ctx, const struct hd_session *s, struct hd_result *r)
{
    (void)ctx;
    (void)s;
    (void)r;
}

void hd_dry_run(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                struct hd_one_result *out)
{
    struct hd_options with = *o;
    struct list l = { .row = NULL };
    const struct hd_stage stage = { .is_given_up = show, .complete = complete, .ctx = &l };

    snprintf(with.strategy, sizeof with.strategy, "dfs");
    with.params[0] = '\0';
    with.executions = with.jobs = 1;
    with.points = o->points == HD_POINTS_SYNC ? HD_POINTS_RACES : o->points;
    with.past_races = true;
    hd_search_stage(&with, outputs, one, &stage, out);
    free(l.row);
}
