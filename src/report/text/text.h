/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.h - a finding and the result of a run, for people at a terminal. */
#ifndef HD_REPORT_TEXT_TEXT_H
#define HD_REPORT_TEXT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/evidence/describe.h"

#define HD_TEXT_WIDTH 80
#define HD_TEXT_LINES 40 /* of a finding without its stacks, if that is possible */
#define HD_TEXT_COMMANDS 5 /* of them the ones that follow hd_text_finding */

/* Where the stacks of a finding go when they are not to be printed; frames innermost first,
 * tid HD_NO_TID: the heading says all. */
struct hd_stack_sink {
    void (*take)(void *ctx, const char *head, hd_tid tid, const struct hd_frame *f, unsigned n);
    void *ctx;
};

struct hd_text {
    FILE *out;
    bool color;
    bool all; /* fold nothing */
    bool brief; /* places have been shown with their source: a stack of one frame adds nothing */
    int width; /* that the table of a finding may have; 0: HD_TEXT_WIDTH */
    const struct hd_stack_sink *stacks; /* NULL: they are printed */
};

enum hd_ink { HD_INK_BAD, HD_INK_GOOD, HD_INK_MARK, HD_INK_HEAD, HD_INK_DIM };

/* How long a line may be that is not wrapped; sentences are no longer than HD_TEXT_WIDTH,
 * which is easier to read. */
int hd_text_width(const struct hd_text *t);

/* The text, coloured when that is wanted. */
void hd_text_ink(const struct hd_text *t, enum hd_ink ink, const char *text);

/* Words of the text in lines of at most HD_TEXT_WIDTH, each after `indent`
 * blanks; the first line starts where the cursor stands, at column `at`. */
/* Control characters (also those of two bytes in UTF-8) as they are spelled in C: what a program
 * has chosen is shown, and does not steer the terminal. */
void hd_text_visible(const char *text, char *out, size_t cap);

void hd_text_wrap(const struct hd_text *t, unsigned at, unsigned indent, const char *text);

/* A line that begins a part, after an empty one. */
void hd_text_heading(const struct hd_text *t, const char *text);

/* Everything about a finding but how to reproduce it.  program: as typed. */
void hd_text_finding(const struct hd_text *t, const struct hd_report *r, const char *program);

/* The parts of that: what went wrong, in a few lines; the stacks that belong to it. */
void hd_text_cause(const struct hd_text *t, const struct hd_report *r);
void hd_text_all_stacks(const struct hd_text *t, const struct hd_report *r);

/* One sentence of what a finding says of itself, with the names that things have. */
void hd_text_message(const struct hd_report *r, char *buf, size_t cap);

/* A heading and the places in the code under it, innermost first: each follows a call. */
void hd_text_calls(const struct hd_text *t, const struct hd_report *r, const char *head,
                   const uint64_t *pc, unsigned n);
void hd_text_calls_of(const struct hd_text *t, const struct hd_report *r, const char *head,
                      const struct hd_capture *c);
/* The stack of a thread that stands still, of one that was captured, or a place of
 * which nothing more is known; each with its heading and the thread's creation. */
void hd_text_stack(const struct hd_text *t, const struct hd_report *r, const char *head, hd_tid tid,
                   uint64_t pc);
void hd_text_capture(const struct hd_text *t, const struct hd_report *r, const char *head,
                     const struct hd_capture *c);
void hd_text_place(const struct hd_text *t, const struct hd_report *r, const char *head, hd_tid tid,
                   uint64_t pc);

/* Of all threads that stand where the finding is: one that fails, or all that are stuck. */
void hd_text_stacks(const struct hd_text *t, const struct hd_report *r);

/* Their places in the code, innermost first, at most HD_MAX_FRAMES: all but the
 * runtime's follow a call. */
unsigned hd_text_stack_pcs(const struct hd_report *r, hd_tid tid, uint64_t pc, uint64_t *pcs);
unsigned hd_text_captured(const struct hd_report *r, const struct hd_capture *c, uint64_t *pcs);

/* The frames of a stack as they are printed: of a thread that stands still, of one that
 * was captured, of places that each follow a call; how many. */
unsigned hd_text_stack_frames(const struct hd_report *r, hd_tid tid, uint64_t pc,
                              struct hd_frame *out, unsigned max);
unsigned hd_text_captured_frames(const struct hd_report *r, const struct hd_capture *c,
                                 struct hd_frame *out, unsigned max);
unsigned hd_text_call_frames(const struct hd_report *r, const uint64_t *pc, unsigned n,
                             struct hd_frame *out, unsigned max);

/* The interleaving, one column per thread. */
void hd_text_table(const struct hd_text *t, const struct hd_report *r);

/* What the program printed, the last lines of it. */
void hd_text_output(const struct hd_text *t, const char *data, size_t n, unsigned lines);

/* "12,345" */
void hd_text_number(uint64_t n, char *buf, size_t cap);

#endif
