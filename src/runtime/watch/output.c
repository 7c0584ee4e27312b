/* SPDX-License-Identifier: BSD-2-Clause
 *
 * output.c - compares the output of an execution with the expected one (--expect, --expect-same).
 *
 * Output is what the program writes to descriptors 1 and 2, in its order.  With these options the order
 * counts, so such writes are operations (kernel/shared_state.h, U4). */
#include "runtime/watch/detectors.h"

#include <sched.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/core/ledger.h"
#include "runtime/core/output.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

static char printed[HD_EXPECTED_BYTES + 1];

/* Makes this output the expected one.  If another worker is doing that, waits for it.  If that worker dies
 * meanwhile, its successor has the same number and does it again. */
static void agree(struct hd_expected *e, uint32_t n)
{
    uint32_t was = 0, me = hd.cfg->worker + 1;

    if (__atomic_compare_exchange_n(&e->state, &was, me, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) || was == me) {
        hd_mem_copy(e->text, printed, n);
        e->size = n;
        __atomic_store_n(&e->state, HD_EXPECTED_KNOWN, __ATOMIC_RELEASE);
    }
    while (__atomic_load_n(&e->state, __ATOMIC_ACQUIRE) != HD_EXPECTED_KNOWN && !hd.wire->stop)
        hd_sys(SYS_sched_yield, 0, 0, 0);
}

static void cut_out(struct hd_output_diff *d, unsigned which, const char *text, uint32_t from, uint32_t size)
{
    uint32_t left = size - from, n = left < sizeof d->text[0] ? left : (uint32_t)sizeof d->text[0];

    hd_mem_copy(d->text[which], text + from, n);
    d->size[which] = n;
    d->more[which] = left - n;
}

static void report(const struct hd_expected *e, uint32_t n, uint32_t same)
{
    static struct hd_output_diff d;
    struct hd_finding f = { .kind = HD_FK_WRONG_OUTPUT, .tid = HD_NO_TID,
                            .message = "the output is not the expected one" };
    uint32_t line = 0;

    d.line = 1;
    for (uint32_t i = 0; i < same; i++)
        if (printed[i] == '\n') {
            d.line++;
            line = i + 1;
        }
    cut_out(&d, 0, e->text, line, e->size);
    cut_out(&d, 1, printed, line, n);
    hd_finding_emit(&f, NULL, &(struct hd_evidence){ .diff = &d }, false);
}

static bool holds_zero(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (printed[i] == '\0')
            return true;
    return false;
}

static void look(void)
{
    struct hd_expected *e = &hd.wire->common->expected;

    if (hd.cfg->expect == HD_EXPECT_NOTHING)
        return;
    hd_output_show();
    if (!hd_detectors_program_ended())
        return;
    uint32_t n = (uint32_t)hd_output_whole(printed, sizeof printed), same = 0;

    if (n > HD_EXPECTED_BYTES || holds_zero(n)) {
        hd_uncontrolled("output of more than 1 MiB, or with zero bytes, is not compared (--expect)");
        return;
    }
    if (hd.cfg->expect == HD_EXPECT_SAME)
        agree(e, n);
    if (__atomic_load_n(&e->state, __ATOMIC_ACQUIRE) != HD_EXPECTED_KNOWN)
        return;
    while (same < n && same < e->size && printed[same] == e->text[same])
        same++;
    if (same < n || same < e->size)
        report(e, n, same);
}

const struct hd_detector hd_detector_output = { .end = look };
