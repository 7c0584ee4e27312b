/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frames.h - which frames of a stack are folded into one line, in all formats alike: those of libraries and
 * frameworks around the user's own. */
#ifndef HD_REPORT_EVIDENCE_FRAMES_H
#define HD_REPORT_EVIDENCE_FRAMES_H

#include "report/evidence/list.h"

/* True if the frame is in the user's source. */
bool hd_frame_is_users(const struct hd_frame *f);

/* Returns the number of frames, from frame i on, that are folded into one line; 0 if frame i is shown.  The
 * frame that the user's code calls is shown, and everything in a stack without the user's code. */
unsigned hd_frames_folded(const struct hd_evidence *e, unsigned i);

/* Writes "6 frames of the C++ library, libgcc_s.so.1". */
void hd_frames_origin(const struct hd_evidence *e, unsigned i, unsigned n, char *buf, size_t cap);

#endif
