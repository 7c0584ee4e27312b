/* SPDX-License-Identifier: BSD-2-Clause
 *
 * facts.h - everything that the verdict of a campaign depends on, for one slice or for several together: the totals,
 * and what sessions have recorded on their wires (ledger, weak atomics, cut loops ...).  The store keeps the bytes
 * of this struct, because all sessions of a campaign have the same version of Heddle. */
#ifndef HD_CAMPAIGN_SPREAD_FACTS_H
#define HD_CAMPAIGN_SPREAD_FACTS_H

#include "campaign/session/session.h"
#include "store/store.h"

struct hd_facts {
    struct hd_totals totals;
    struct hd_ledger ledger;
    uint32_t untried, forked, hangs, workers_lost;
    char fork_reason[128];
    uint32_t nweak, nassumptions, ntx_sites, nloops;
    uint64_t weak[HD_MAX_WEAK];
    struct hd_assumption assumptions[HD_MAX_ASSUMPTIONS];
    struct hd_tx_site tx_sites[HD_MAX_TX_SITES];
    uint64_t loops[HD_MAX_LOOPS];
    uint32_t loop_rounds[HD_MAX_LOOPS];
    struct hd_longest longest;
    double seconds;
    struct { /* copied from struct hd_linear_state */
        uint64_t judged, by_rule, overlapped;
        struct hd_lin_saved saved[HD_LIN_COMPONENTS];
    } linear;
};

/* Collects the facts of a session that is over. */
void hd_facts_of(struct hd_session *s, struct hd_facts *out);

/* Adds the facts of another slice. *any: whether `into` contains the facts of a slice already. */
void hd_facts_merge(struct hd_facts *into, const struct hd_facts *one, bool *any);

/* hd_facts_pack converts the facts to bytes without trailing zeros, hd_facts_unpack converts them back.  The latter
 * returns false if another version of Heddle has written the bytes. */
struct hd_bytes hd_facts_pack(const struct hd_facts *f);
bool hd_facts_unpack(struct hd_facts *f, const struct hd_bytes *b);

/* Sets the totals and wires of a session that is over as if this session had made the whole search. */
void hd_facts_put(const struct hd_facts *f, struct hd_session *s);

#endif
