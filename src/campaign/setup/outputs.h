/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outputs.h - the requested report files, in any formats of report/verdict/formats.def at the same
 * time.  They are written at the end, each completely or not at all.  Several searches (--each)
 * share the files. */
#ifndef HD_CAMPAIGN_SETUP_OUTPUTS_H
#define HD_CAMPAIGN_SETUP_OUTPUTS_H

#include "campaign/setup/options.h"
#include "report/verdict/format.h"

struct hd_outputs {
    const struct hd_options *o;
    void *state[HD_FORMATS]; /* state of each format; NULL: not requested */
    unsigned n; /* number of results so far */
    /* Called for each finding with its text and its position in the result; may be NULL. */
    void (*listener)(void *ctx, const struct hd_format_finding *f);
    void *ctx;
};

/* True if the user has requested a report file. */
bool hd_outputs_wanted(const struct hd_options *o);

/* Checks that all requested files can be written.  Called before the search, because a failure after
 * hours would be worse.  Returns false, after a message, if one cannot. */
bool hd_outputs_writable(const struct hd_options *o);

/* Checks that no report overwrites this file, which Heddle reads.  Returns false if one would,
 * after a message such as "--json would overwrite the program, PATH". */
bool hd_outputs_spare(const struct hd_options *o, const char *path, const char *what);

/* True if a report goes to standard output, so that nothing else may be printed there. */
bool hd_outputs_take_stdout(const struct hd_options *o);

void hd_outputs_open(struct hd_outputs *out, const struct hd_options *o);

/* Describes a finding in all formats.  text: the finding as on a terminal, without colour. */
void hd_outputs_finding(struct hd_outputs *out, const struct hd_report *r, const char *text,
                        struct hd_result_finding *kept);
/* True if a format needs the text for hd_outputs_finding. */
bool hd_outputs_want_text(const struct hd_outputs *out);

/* Adds the result of a search of argv.  code: the exit code for this result. */
void hd_outputs_add(struct hd_outputs *out, const struct hd_result *r, char *const *argv, int code);

/* Adds a test of the program that was not run. */
void hd_outputs_skip(struct hd_outputs *out, const struct hd_result *test, const char *why);

/* Writes the files.  each: NULL if the program itself is the test.  Returns false, after a message,
 * if a file could not be written.  Writes nothing if there are no results. */
bool hd_outputs_write(struct hd_outputs *out, const char *program, const struct hd_each_result *each);

void hd_outputs_close(struct hd_outputs *out);

#endif
