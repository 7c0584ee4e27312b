/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ledger.c - entries of the ledger, and the change to fork isolation. */
#include "runtime/core/ledger.h"

#include "runtime/core/state.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

void hd_uncontrolled(const char *what)
{
    if (hd.wire != NULL)
        hd_ledger_add(&hd.wire->ledger, HD_DENIES, what);
}

void hd_qualified(const char *what)
{
    if (hd.wire != NULL)
        hd_ledger_add(&hd.wire->ledger, HD_QUALIFIES, what);
}

void hd_mentioned(const char *what)
{
    if (hd.wire != NULL)
        hd_ledger_add(&hd.wire->ledger, HD_MENTIONS, what);
}

static void go_over_to_fork(const char *why, void (*tell_otherwise)(const char *what))
{
    struct hd_wire *w = hd.wire;

    if (w == NULL || w->forked)
        return;
    if (w->config.isolation == HD_ISO_INPROC) {
        tell_otherwise(why);
        return;
    }
    hd_format(w->fork_reason, sizeof w->fork_reason, "%s", why);
    w->forked = 1;
}

void hd_needs_fork(const char *why)
{
    go_over_to_fork(why, hd_uncontrolled);
}

void hd_prefers_fork(const char *why)
{
    go_over_to_fork(why, hd_mentioned);
}
