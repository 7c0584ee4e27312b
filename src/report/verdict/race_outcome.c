/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_outcome.c - text about the status of races. */
#include "report/verdict/race_outcome.h"

#include "report/verdict/claim.h"
#include "report/verdict/result.h"

enum { LISTED = 20 };

/* A filter excludes accesses whose other order may matter.  A lazy reduction omits orders of
 * critical sections that determine which accesses race.  In both cases no race counts as explored. */
enum hd_race_outcome hd_race_outcome_of(const struct hd_result *r, uint32_t seen)
{
    if (r->config->points == HD_POINTS_SYNC || r->config->replay)
        return HD_RACE_CANDIDATE;
    if (seen & HD_RACE_ANY_FAILED)
        return HD_RACE_HARMFUL;
    if (hd_result_complete(r) && r->config->filters.n == 0 && r->config->no_points == 0 && !hd_claim_is_lazy(r))
        return HD_RACE_EXPLORED;
    return (seen & HD_RACE_BOTH) == HD_RACE_BOTH ? HD_RACE_CONFIRMED : HD_RACE_CANDIDATE;
}

const char *hd_race_outcome_word(enum hd_race_outcome o)
{
    static const char *const words[] = { "candidate", "confirmed", "harmful", "explored" };

    return words[o];
}

static bool is_open(const struct hd_result_finding *f)
{
    return f->race_outcome == HD_RACE_CANDIDATE || f->race_outcome == HD_RACE_CONFIRMED;
}

static const char *orders(const struct hd_result_finding *f)
{
    if ((f->seen & HD_RACE_BOTH) == HD_RACE_BOTH)
        return "both orders were seen";
    return f->phase == HD_RACE_INITIALISES ? "one order was seen, the earlier access in an initialisation"
         : f->phase == HD_RACE_DESTROYS    ? "one order was seen, the later access in a destruction"
                                           : "one order was seen";
}

static const char *outcome(const struct hd_result_finding *f)
{
    if (f->race_outcome == HD_RACE_EXPLORED)
        return ", and no execution in which it occurs fails";
    if (f->race_outcome != HD_RACE_HARMFUL)
        return "";
    return f->seen & HD_RACE_ONE_WAY ? ", and executions fail in which it occurs in one of them"
                                     : ", and an execution in which it occurs fails";
}

void hd_race_outcome_text(const struct hd_result *r, const struct hd_result_finding *f, char *buf, size_t cap)
{
    char bound[64] = "";

    if (r->config->bound >= 0 && f->race_outcome == HD_RACE_EXPLORED)
        snprintf(bound, sizeof bound, " up to the bound of %lld", (long long)r->config->bound);
    snprintf(buf, cap, "%s%s: %s%s", hd_race_outcome_word(f->race_outcome), bound, orders(f), outcome(f));
}

static void say_one(const struct hd_text *t, const struct hd_result *r,
                    const struct hd_result_finding *f)
{
    char line[512], status[200];

    hd_race_outcome_text(r, f, status, sizeof status);
    snprintf(line, sizeof line, "%s: %s", f->places, status);
    fputs("  ", t->out);
    hd_text_wrap(t, 2, 4, line);
}

/* Lists the open races if `open`, otherwise the others.  Returns their number. */
static size_t list(const struct hd_text *t, const struct hd_result *r, bool open, const char *head)
{
    size_t n = 0;

    for (size_t i = 0; i < r->nfindings; i++) {
        const struct hd_result_finding *f = &r->findings[i];

        if (f->race_key == 0 || is_open(f) != open)
            continue;
        if (n++ == 0)
            fprintf(t->out, "%s\n", head);
        if (n <= LISTED || t->all)
            say_one(t, r, f);
    }
    if (n > LISTED && !t->all)
        fprintf(t->out, "  and %zu more\n", n - LISTED);
    return n;
}

/* Lists predicted races.  They are not findings, and the verdict does not mention them.  A complete
 * search without a race has disproved them. */
static void list_predicted(const struct hd_text *t, const struct hd_result *r)
{
    bool disproved = r->nfindings == 0 && r->config->bound < 0 && hd_result_complete(r);

    for (size_t i = 0; i < r->npredicted; i++) {
        if (i == 0)
            hd_text_wrap(t, 0, 2, disproved
                ? "Predicted races, which the complete search has shown to be impossible:"
                : "Predicted races: not seen, and perhaps impossible; only the order of critical "
                  "sections kept these accesses apart, which have no lock in common:");
        fputs("  ", t->out);
        hd_text_wrap(t, 2, 4, r->predicted[i]);
    }
}

void hd_race_outcome_summary(const struct hd_text *t, const struct hd_result *r)
{
    if (r->config->replay)
        return;
    list_predicted(t, r);
    list(t, r, false, "Data races:");
    size_t n = list(t, r, true, "Data races that were not explored to the end:");

    if (n > 0 && r->config->points == HD_POINTS_SYNC) {
        fputs("  ", t->out);
        hd_text_wrap(t, 2, 4, "--points=races runs racing accesses in both orders and tells whether one "
                              "of them fails.");
    }
}
