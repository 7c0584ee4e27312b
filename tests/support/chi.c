/* SPDX-License-Identifier: BSD-2-Clause
 *
 * chi.c - counts outcomes and computes Pearson's sum. */
#include "support/chi.h"

#include "support/unit.h"

static unsigned cell_of(const struct chi_tally *t, uint64_t outcome)
{
    unsigned i = 0;

    while (i < t->ncells && t->name[i] != outcome)
        i++;
    return i;
}

void chi_count(struct chi_tally *t, uint64_t outcome)
{
    unsigned i = cell_of(t, outcome);

    assert_true(i < CHI_CELLS);
    if (i == t->ncells)
        t->name[t->ncells++] = outcome;
    t->seen[i]++;
    t->total++;
}

unsigned chi_seen(const struct chi_tally *t, uint64_t outcome)
{
    unsigned i = cell_of(t, outcome);

    return i < t->ncells ? t->seen[i] : 0;
}

double chi_term(unsigned seen, double p, unsigned total)
{
    double want = p * total, off = seen - want;

    return off * off / want;
}

double chi_uniform(const struct chi_tally *t, unsigned n)
{
    double sum = 0;

    assert_true(t->ncells <= n);
    for (unsigned i = 0; i < n; i++)
        sum += chi_term(i < t->ncells ? t->seen[i] : 0, 1.0 / n, t->total);
    return sum;
}
