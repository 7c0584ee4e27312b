/* SPDX-License-Identifier: BSD-2-Clause
 *
 * align.h - finds the recorded operations of a thread again in an execution of an edited program.
 *
 * Operations have names without addresses and lines.  An operation may have been added, removed or
 * renamed, so the two sequences are aligned like two versions of a text: the pairs keep the order of
 * both, and their names agree as far as possible. */
#ifndef HD_SHRINK_ALIGN_H
#define HD_SHRINK_ALIGN_H

#include <stdbool.h>
#include <stdint.h>

#define HD_ALIGN_NONE UINT32_MAX
#define HD_ALIGN_ANY 0u /* name of an operation, function or object that is unknown */
#define HD_ALIGN_MAX 1024u /* length of a sequence */

/* Names are numbers chosen by the caller. */
struct hd_align_op {
    uint32_t kind, function, object;
};

/* What is known about renamed functions and objects.  A recorded name that no execution has now may
 * have become a name that the recording does not have.  It always becomes the same one. */
struct hd_align_names {
    uint32_t n;        /* names are smaller */
    bool *recorded;    /* [n]: the recording has it */
    bool *present;     /* [n]: an execution has it now */
    uint32_t *renamed; /* [n]: what it is called now; 0: unknown */
};

/* Aligns the sequences, each at most HD_ALIGN_MAX long.  Stores for each recorded operation the
 * index of its partner, or HD_ALIGN_NONE.  If several alignments are equally good, takes the one
 * with the earliest partners. */
void hd_align(const struct hd_align_names *names, const struct hd_align_op *recorded, uint32_t nrecorded,
              const struct hd_align_op *now, uint32_t nnow, uint32_t *partner);

/* Notes the new names in a pair of operations. */
void hd_align_learn(struct hd_align_names *names, const struct hd_align_op *recorded,
                    const struct hd_align_op *now);

/* True if the recorded name is, or may be, the name `now` of this build. */
bool hd_align_same(const struct hd_align_names *names, uint32_t recorded, uint32_t now);

#endif
