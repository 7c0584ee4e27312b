/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ledger.h - a list of everything that Heddle does not control, each entry with a text and
 * its effect on the claim of a search.
 *
 * A search may claim something only if no entry denies it.  Code adds an entry when it meets an effect that
 * Heddle can neither decide nor repeat, cannot see, or has to trust.  The effect is DENIES unless a weaker one
 * is justified.  The target's entries are on its wire; the tool has its own ledger, into which those of all
 * workers are merged.  The meaning of an effect for a verdict is defined in report/verdict/claim.c only. */
#ifndef HD_MODEL_LEDGER_H
#define HD_MODEL_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

/* Name, word in JSON, heading in a summary.  The strongest effect comes first; an invalid value counts as the
 * strongest. */
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
    uint32_t n; /* number of entries; written after the entry itself */
    uint32_t left_out[HD_LEDGER_NEFFECTS]; /* number of entries for which there was no room */
    struct hd_entry entry[HD_LEDGER_ROOM];
};

/* Adds an entry.  If an entry with the same text exists, that one keeps the stronger effect. */
void hd_ledger_add(struct hd_ledger *l, enum hd_ledger_effect effect, const char *text);

/* Adds all entries of `from`, to which another process may be writing. */
void hd_ledger_merge(struct hd_ledger *l, const struct hd_ledger *from);

/* Returns the number of readable entries; 0 for NULL. */
uint32_t hd_ledger_count(const struct hd_ledger *l);

/* Returns the number of entries with that effect, including those for which there was no room. */
uint32_t hd_ledger_effects(const struct hd_ledger *l, enum hd_ledger_effect effect);

/* Returns the effect of an entry; an invalid value counts as the strongest. */
enum hd_ledger_effect hd_entry_effect(const struct hd_entry *e);

const char *hd_ledger_word(enum hd_ledger_effect effect);
const char *hd_ledger_heading(enum hd_ledger_effect effect);

#endif
