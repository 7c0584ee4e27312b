/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outputs.h - the report files that are asked for, any formats of report/verdict/formats.def at once.
 * They are written at the end, each of them whole or not at all; several searches
 * (--each) go into the same files. */
#ifndef HD_CAMPAIGN_OUTPUTS_H
#define HD_CAMPAIGN_OUTPUTS_H

#include "campaign/options.h"
#include "report/verdict/format.h"

struct hd_outputs {
    const struct hd_options *o;
    void *state[HD_FORMATS]; /* of each format; NULL: it was not asked for */
    unsigned n; /* results so far */
};

/* Is any file asked for? */
bool hd_outputs_wanted(const struct hd_options *o);

/* Can all that is asked for be written, as things are?  False after having said what not:
 * better now than after hours. */
bool hd_outputs_writable(const struct hd_options *o);

/* Would none of them overwrite that file, which is read?  False after having said which:
 * "--json would overwrite the program, PATH". */
bool hd_outputs_spare(const struct hd_options *o, const char *path, const char *what);

/* Does one of them go to standard output, so that nothing else may? */
bool hd_outputs_take_stdout(const struct hd_options *o);

void hd_outputs_open(struct hd_outputs *out, const struct hd_options *o);

/* Describe a finding in all formats; text: as on a terminal, without colour. */
void hd_outputs_finding(struct hd_outputs *out, const struct hd_report *r, const char *text,
                        struct hd_result_finding *kept);
/* Is that text wanted? */
bool hd_outputs_want_text(const struct hd_outputs *out);

/* The result of a search of argv, for which the tool would exit with that code. */
void hd_outputs_add(struct hd_outputs *out, const struct hd_result *r, char *const *argv, int code);

/* A test of the program that was not run. */
void hd_outputs_skip(struct hd_outputs *out, const char *program, const char *test, const char *why);

/* Write the files; each is NULL when the program itself was the test.  False after having
 * said what could not be written.  Nothing is written when there are no results. */
bool hd_outputs_write(struct hd_outputs *out, const char *program, const struct hd_each_result *each);

void hd_outputs_close(struct hd_outputs *out);

#endif
