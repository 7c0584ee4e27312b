/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/question.h"

static uint32_t next_step(const struct hd_trace *t, hd_tid tid, uint32_t k)
{
    return k > 0 ? hd_trace_thread_after(t, tid, k - 1) : t->first_of[tid];
}

static void find_pending(struct question *x, const struct hd_bpor *d, uint32_t k)
{
    for (uint32_t i = 0; i < d->exec->nthreads; i++) {
        uint32_t s = next_step(&d->trace, (hd_tid)i, k);
        const struct hd_event *op = s == HD_NO_STEP ? &hd_bpor_at_end(d)[i] : hd_reversal_operation(&d->trace, s);

        x->pending[i] = op != NULL ? *op : (struct hd_event){ .kind = HD_EV_NONE };
    }
}

static bool find_extra(struct question *x, const struct hd_bpor *d, uint32_t k, hd_tid tid)
{
    uint32_t s = next_step(&d->trace, tid, k);

    if (s == HD_NO_STEP || hd_reversal_operation(&d->trace, s) == NULL)
        return false;
    const struct hd_trace_step *step = &d->trace.step[s];

    x->extra = (struct hd_minpreempt_extra){ .step = &step->step, .tid = tid, .before = step->before,
                                             .op = hd_reversal_operation(&d->trace, s) };
    return step->before == HD_NO_STEP || step->before < k;
}

bool question_make(struct question *x, const struct hd_bpor *d, uint32_t k, hd_tid tid)
{
    bool extra = find_extra(x, d, k, tid);

    find_pending(x, d, k);
    x->q = (struct hd_minpreempt_query){ .nsteps = k, .nthreads = d->exec->nthreads, .first = d->frames[0].last,
                                         .pending = x->pending, .extra = extra ? &x->extra : NULL };
    return extra;
}
