/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frames.h - decides which frames of a stack are folded into one line, the same in all formats: frames of
 * libraries and frameworks around those of the user's code. */
#ifndef HD_REPORT_EVIDENCE_FRAMES_H
#define HD_REPORT_EVIDENCE_FRAMES_H

#include "report/evidence/list.h"

/* True if the frame is in the user's source. */
bool hd_frame_is_users(const struct hd_frame *f);

/* Returns the number of frames, from frame i on, that are folded into one line; 0 if frame i is shown.  Frames
 * that the user's code calls directly are shown, and all frames of a stack without the user's code. */
unsigned hd_frames_folded(const struct hd_evidence *e, unsigned i);

/* Writes "6 frames of the C++ library, libgcc_s.so.1". */
void hd_frames_origin(const struct hd_evidence *e, unsigned i, unsigned n, char *buf, size_t cap);

#endif
