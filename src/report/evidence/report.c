/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.c - finds the sections in the record of a finding. */
#include "report/evidence/report.h"

#include <string.h>

static const void *payload(const struct hd_finding *f, enum hd_section_type type, uint32_t *count)
{
    const struct hd_section *s = hd_finding_section(f, type, HD_NO_TID);

    *count = s != NULL ? s->count : 0;
    return s != NULL ? s + 1 : NULL;
}

void hd_report_open(struct hd_report *r, const struct hd_wire *w, const struct hd_finding *f,
                    struct hd_symbols *symbols)
{
    const struct hd_section *out = hd_finding_section(f, HD_SEC_OUTPUT, HD_NO_TID);
    uint32_t nraces;

    memset(r, 0, sizeof *r);
    r->wire = w;
    r->finding = f;
    r->execution = f->execution;
    r->symbols = symbols;
    r->decisions = payload(f, HD_SEC_DECISIONS, &r->ndecisions);
    r->events = payload(f, HD_SEC_EVENTS, &r->nevents);
    r->pending = payload(f, HD_SEC_PENDING, &r->npending);
    r->threads = payload(f, HD_SEC_THREADS, &r->nthreads);
    r->holds = payload(f, HD_SEC_HOLDS, &r->nholds);
    r->slots = payload(f, HD_SEC_SLOTS, &r->nslots);
    r->race = payload(f, HD_SEC_RACE, &nraces);
    r->stands = payload(f, HD_SEC_BLOCKED_STATES, &r->nstands);
    r->locks = payload(f, HD_SEC_LOCKS, &r->nlocks);
    if (r->slots == NULL) {
        r->nslots = hd_common_slots(w->common, r->all_slots);
        r->slots = r->all_slots;
    }
    if (out != NULL) {
        r->output = (const char *)(out + 1);
        r->noutput = out->bytes;
    }
}

const struct hd_event *hd_report_pending(const struct hd_report *r, hd_tid tid)
{
    if (tid >= r->npending || tid >= r->nthreads || r->threads[tid].state != HD_TH_LIVE)
        return NULL;
    return r->pending[tid].kind != HD_EV_NONE ? &r->pending[tid] : NULL;
}

bool hd_report_is_stuck(const struct hd_report *r)
{
    return r->finding->kind == HD_FK_DEADLOCK || r->finding->kind == HD_FK_LIVELOCK;
}

const struct hd_capture *hd_report_witnessed(const struct hd_report *r, uint32_t event)
{
    for (uint32_t i = 0; r->witness != NULL && i < r->witness->nwanted; i++)
        if (r->witness->wanted[i] == event && r->witness->event[i].pc != 0)
            return &r->witness->event[i];
    return NULL;
}

hd_tid hd_report_thread_of_slot(const struct hd_report *r, unsigned slot)
{
    for (uint32_t t = 0; t < r->nthreads; t++)
        if (r->threads[t].slot == slot)
            return (hd_tid)t;
    return HD_NO_TID;
}

const struct hd_block_info *hd_report_block(const struct hd_report *r)
{
    const struct hd_section *s = hd_finding_section(r->finding, HD_SEC_BLOCK, HD_NO_TID);

    return s != NULL && s->bytes >= sizeof(struct hd_block_info)
               ? (const struct hd_block_info *)(const void *)(s + 1) : NULL;
}

/* ---- steps ------------------------------------------------------------------------------ */

bool hd_report_is_local(const struct hd_event *e)
{
    return (hd_kind_info[e->kind].traits & HD_TRAIT_LOCAL) && !(e->flags & HD_EVF_CHOICE);
}

/* Inside an atomic section no other thread runs.  So at most one thread is inside a section at a
 * time. */
bool hd_report_is_inner(const struct hd_event *e, hd_tid *section)
{
    bool inside = *section == e->tid && !(e->flags & HD_EVF_CHOICE);

    if (*section != e->tid || hd_kind_ends_section(e->kind))
        *section = HD_NO_TID;
    if (hd_kind_begins_section(e->kind))
        *section = e->tid;
    return inside || hd_report_is_local(e);
}

static bool is_plain(const struct hd_event *e)
{
    return e->kind == HD_EV_PLAIN_READ || e->kind == HD_EV_PLAIN_WRITE;
}

/* Returns the number of events that are scheduling points.  If there are more candidates than
 * decisions, plain accesses were recorded without decisions and do not count.  There are fewer than
 * decisions if the execution was so long that only its last events were kept. */
static uint32_t count_points(const struct hd_report *r)
{
    uint32_t points = 0, plain = 0;
    hd_tid section = HD_NO_TID;

    for (uint32_t i = 0; i < r->nevents; i++)
        if (!hd_report_is_inner(&r->events[i], &section)) {
            points++;
            plain += is_plain(&r->events[i]);
        }
    return points > r->ndecisions ? points - plain : points;
}

uint32_t hd_report_first_step(const struct hd_report *r)
{
    uint32_t points = count_points(r);

    return r->ndecisions > points + 1 ? r->ndecisions - points : 0;
}
