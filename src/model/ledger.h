/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ledger.h - what is not known to be controlled, each with a sentence and with what it
 * does to the claim of a search.
 *
 * A claim is earned: it stands only when nothing on the ledger denies it.  Whoever meets
 * something that Heddle neither decides nor repeats, does not see, or takes on somebody's
 * word, makes an entry; DENIES is what an entry does unless a weaker effect is justified.
 * The target's entries are on its wire; the tool has a ledger of its own, into which
 * those of all workers are merged.  What an effect means for a verdict is in
 * report/verdict/claim.c, and nowhere else. */
#ifndef HD_MODEL_LEDGER_H
#define HD_MODEL_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

/* name, word in JSON, heading of the list in a summary.  The strongest comes first, and is
 * what a number that is none of them counts as. */
#define HD_LEDGER_EFFECTS(X)                                                                           \
    X(DENIES, "denies", "Not seen or not controlled, so nothing is proved")                     \
    X(QUALIFIES, "qualifies", "Not controlled")                                                 \
    X(MENTIONS, "mentions", "Taken as given")

enum hd_ledger_effect {
#define HD_LEDGER_NAME(name, word, heading) HD_##name,
    HD_LEDGER_EFFECTS(HD_LEDGER_NAME)
#undef HD_LEDGER_NAME
    HD_LEDGER_NEFFECTS
};

enum { HD_LEDGER_ROOM = 128, HD_LEDGER_TEXT = 252 };

struct hd_entry {
    uint32_t effect; /* enum hd_ledger_effect */
    char text[HD_LEDGER_TEXT];
};

struct hd_ledger {
    uint32_t n; /* entries; written after the entry itself */
    uint32_t left_out[HD_LEDGER_NEFFECTS]; /* for which there was no room */
    struct hd_entry entry[HD_LEDGER_ROOM];
};

/* Make an entry.  The same text again is the same entry: it keeps the stronger effect. */
void hd_ledger_add(struct hd_ledger *l, enum hd_ledger_effect effect, const char *text);

/* Make all entries of from, which another process may be writing. */
void hd_ledger_merge(struct hd_ledger *l, const struct hd_ledger *from);

/* How many entries there are that can be read; of NULL none. */
uint32_t hd_ledger_count(const struct hd_ledger *l);

/* How many have that effect, those without room included. */
uint32_t hd_ledger_effects(const struct hd_ledger *l, enum hd_ledger_effect effect);

/* The effect of an entry, whatever number stands there. */
enum hd_ledger_effect hd_entry_effect(const struct hd_entry *e);

const char *hd_ledger_word(enum hd_ledger_effect effect);
const char *hd_ledger_heading(enum hd_ledger_effect effect);

#endif
