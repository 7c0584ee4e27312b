/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seal.c - checks that the shared memory has not been overwritten.  See seal.h. */
#include "wire/seal.h"

#include <stdlib.h>

#include "base/check.h"

struct hd_seal *hd_seal_make(const struct hd_wires *ws)
{
    struct hd_seal *s = malloc(sizeof *s + ws->n * sizeof s->config[0]);

    HD_INVARIANT(s != NULL, "out of memory");
    s->n = ws->n;
    for (uint32_t i = 0; i < ws->n; i++)
        s->config[i] = ws->wire[i]->config;
    return s;
}

static bool ends(const char *text, size_t room)
{
    return memchr(text, '\0', room) != NULL;
}

static bool common_holds(const struct hd_seal *s, const struct hd_common *c)
{
    return c->magic == HD_WIRE_MAGIC && c->version == HD_WIRE_VERSION && c->nworkers == s->n &&
           c->nobjects >= 1 && c->nobjects <= HD_MAX_OBJECTS && hd_common_pointers_hold(c) &&
           c->files_used <= 1 && c->files_turn <= HD_MAX_WORKERS + 1;
}

static bool modules_hold(const struct hd_wire *w)
{
    uint32_t n = w->nmodules;

    if (n > HD_MAX_MODULES)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!ends(w->modules[i].path, sizeof w->modules[i].path) || w->modules[i].build_id_len > sizeof w->modules[i].build_id)
            return false;
    return true;
}

static bool texts_hold(const struct hd_wire *w)
{
    uint32_t n = w->nassumptions;

    if (n > HD_MAX_ASSUMPTIONS)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!ends(w->assumptions[i].where, sizeof w->assumptions[i].where))
            return false;
    return ends(w->refusal, sizeof w->refusal) &&
           ends(w->internal_error, sizeof w->internal_error) && ends(w->fork_reason, sizeof w->fork_reason) &&
           w->ledger.n <= HD_LEDGER_ROOM;
}

bool hd_seal_holds(const struct hd_seal *s, const struct hd_wires *ws, uint32_t worker)
{
    const struct hd_wire *w = ws->wire[worker];
    const struct hd_config *was = &s->config[worker];

    return common_holds(s, ws->common) && w->common == ws->common &&
           memcmp(w->config.strategy, was->strategy, sizeof was->strategy) == 0 &&
           w->config.worker == was->worker && w->config.nworkers == was->nworkers &&
           w->phase <= HD_PHASE_REFUSED && w->campaign.current <= 1 && w->stop <= 1 &&
           (uintptr_t)w->findings % 8 == 0 && w->findings_used <= HD_FINDINGS_BYTES &&
           w->nweak <= HD_MAX_WEAK && w->ntx_sites <= HD_MAX_TX_SITES && w->nloops <= HD_MAX_LOOPS && w->nraced <= HD_MAX_RACED &&
           w->exec.nthreads <= HD_MAX_THREADS && w->exec.nsteps <= HD_MAX_STEPS && w->forked <= 1 &&
           hd_wire_pointers_hold(w, worker) && modules_hold(w) && texts_hold(w);
}

void hd_seal_repair(const struct hd_seal *s, struct hd_wires *ws)
{
    memset(ws->common, 0, sizeof *ws->common);
    hd_common_init(ws->common, s->n);
    for (uint32_t i = 0; i < ws->n; i++) {
        struct hd_wire *w = ws->wire[i];

        memset(w, 0, sizeof *w);
        w->config = s->config[i];
        hd_wire_point(w, i, ws->common);
        w->phase = HD_PHASE_DONE;
    }
}
