/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inherited.h - which descriptors the target gets: those that Heddle was started with.
 *
 * The numbers that the target's own descriptors have follow from those that are taken
 * already.  A search starts its target early; the target of a second look or of a smaller
 * schedule is started when debug information has been read, and the library for that leaves
 * its files open across exec.  All of them must begin alike, or no replay fits. */
#ifndef HD_CONDUCTOR_INHERITED_H
#define HD_CONDUCTOR_INHERITED_H

/* First of all in the tool. */
void hd_inherited_note(void);

/* Before exec: everything else is closed by it, except keep. */
void hd_inherited_only(int keep);

#endif
