/* SPDX-License-Identifier: BSD-2-Clause
 *
 * align.h - finds the recorded operations of a thread again in an execution of an edited program.
 *
 * The names of operations contain neither addresses nor line numbers.  Operations may have been added, removed
 * or renamed.  So the two sequences are aligned like two versions of a text: pairs respect the order of both,
 * and their names agree as far as possible. */
#ifndef HD_SHRINK_ALIGN_H
#define HD_SHRINK_ALIGN_H

#include <stdbool.h>
#include <stdint.h>

#define HD_ALIGN_NONE UINT32_MAX
#define HD_ALIGN_ANY 0u /* name of an operation, function or object that is unknown */
#define HD_ALIGN_MAX 1024u /* maximum length of a sequence */

/* Names are numbers chosen by the caller. */
struct hd_align_op {
    uint32_t kind, function, object;
};

/* What is known about renamed functions and objects.  If no execution has a recorded name any more, the name
 * may have been replaced by one that the recording does not have, always by the same one. */
struct hd_align_names {
    uint32_t n;        /* all names are smaller than this */
    bool *recorded;    /* [n]: the recording has this name */
    bool *present;     /* [n]: an execution of the edited program has this name */
    uint32_t *renamed; /* [n]: the new name; 0: unknown */
};

/* Aligns the sequences, each of which has at most HD_ALIGN_MAX operations.  Stores for each recorded operation
 * the index of its partner, or HD_ALIGN_NONE.  Among equally good alignments, takes the one with the earliest
 * partners. */
void hd_align(const struct hd_align_names *names, const struct hd_align_op *recorded, uint32_t nrecorded,
              const struct hd_align_op *now, uint32_t nnow, uint32_t *partner);

/* Records the new names that a pair of operations shows. */
void hd_align_learn(struct hd_align_names *names, const struct hd_align_op *recorded,
                    const struct hd_align_op *now);

/* True if the recorded name is, or may have become, the name `now`. */
bool hd_align_same(const struct hd_align_names *names, uint32_t recorded, uint32_t now);

#endif
