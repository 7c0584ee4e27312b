/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suggest.h - "did you mean": finds the known word nearest to a mistyped one. */
#ifndef HD_CLI_SUGGEST_H
#define HD_CLI_SUGGEST_H

#include <stddef.h>

struct hd_suggestion {
    const char *typed;
    const char *best; /* NULL while no word is near enough */
    size_t distance;  /* edit distance of best */
};

static inline struct hd_suggestion hd_suggest_for(const char *typed)
{
    return (struct hd_suggestion){ typed, NULL, 0 };
}

/* Offers a known word.  It becomes best if it is nearer than the best so far. */
void hd_suggest_offer(struct hd_suggestion *s, const char *known);

#endif
