/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif.h - writes findings as SARIF 2.1.0.  The format represents an interleaving as a code flow:
 * one thread flow per thread, whose locations have an execution order.
 *
 * A file has one run with the results of all searches, because readers such as GitHub do not accept
 * several runs of one tool.  Each search is one of its invocations. */
#ifndef HD_REPORT_SARIF_SARIF_H
#define HD_REPORT_SARIF_SARIF_H

#include "base/json.h"
#include "report/verdict/format.h"

/* The source files that locations name, each once. */
struct hd_sarif_files {
    struct hd_sarif_file {
        char *uri;
        bool relative; /* relative to the working directory (SRCROOT) */
    } *all;
    unsigned n;
    char root[4096]; /* the working directory, without a trailing slash */
};

struct hd_sarif_list {
    struct hd_json json;
    char *text;
    size_t size;
};

struct hd_sarif {
    struct hd_sarif_files files;
    struct hd_sarif_list results, invocations;
    uint64_t steps; /* number of steps in all interleavings so far */
};

void hd_sarif_open(struct hd_sarif *s);

/* Returns the members of the result object that need the record of the finding: message, locations,
 * stacks, the interleaving.  The caller frees the text. */
char *hd_sarif_finding(struct hd_sarif *s, const struct hd_report *r, const char *message);

void hd_sarif_close(struct hd_sarif *s);

/* ---- shared by the parts (sarif_place.c, sarif_finding.c, sarif_flow.c) -------------- */

void hd_sarif_files_open(struct hd_sarif_files *files);
void hd_sarif_files_close(struct hd_sarif_files *files);

/* Prints the member artifactLocation for a file. */
void hd_sarif_artifact(struct hd_json *j, struct hd_sarif_files *files, const char *path);

/* Prints a location object.  message NULL: without message; id -1: without id. */
void hd_sarif_location(struct hd_json *j, struct hd_sarif_files *files, const struct hd_frame *f,
                       const char *message, int id);

/* hd_sarif_artifacts prints the member artifacts, hd_sarif_bases the member that defines SRCROOT. */
void hd_sarif_artifacts(struct hd_json *j, const struct hd_sarif_files *files);
void hd_sarif_bases(struct hd_json *j, const struct hd_sarif_files *files);

/* Prints the member codeFlows.  Returns its number of steps. */
uint32_t hd_sarif_flows(struct hd_json *j, struct hd_sarif_files *files, const struct hd_report *r);

/* Prints the member "key": {"text": ...}. */
void hd_sarif_message(struct hd_json *j, const char *key, const char *text);

#endif
