/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif.h - findings as SARIF 2.1.0.  An interleaving is what that format calls a code flow:
 * one thread flow for each thread, whose locations have an execution order.
 *
 * A file has one run with the results of all searches, because readers such as GitHub do not
 * accept several runs of one tool; each search is one of its invocations. */
#ifndef HD_REPORT_SARIF_SARIF_H
#define HD_REPORT_SARIF_SARIF_H

#include "report/verdict/format.h"

/* Source files that locations name, each once. */
struct hd_sarif_files {
    struct hd_sarif_file {
        char *uri;
        bool relative; /* to the working directory, SRCROOT */
    } *all;
    unsigned n;
    char root[4096]; /* the working directory, without a slash at its end */
};

struct hd_sarif_list {
    FILE *out;
    char *text;
    size_t size;
    unsigned n;
};

struct hd_sarif {
    struct hd_sarif_files files;
    struct hd_sarif_list results, invocations;
    uint64_t steps; /* of interleavings, so far */
};

void hd_sarif_open(struct hd_sarif *s);

/* The members of the result object that need the record of the finding: message, locations,
 * stacks, the interleaving.  To be freed. */
char *hd_sarif_finding(struct hd_sarif *s, const struct hd_report *r, const char *message);

void hd_sarif_close(struct hd_sarif *s);

/* ---- for the parts of it (sarif_place.c, sarif_finding.c) ---------------------------------- */

void hd_sarif_files_open(struct hd_sarif_files *files);
void hd_sarif_files_close(struct hd_sarif_files *files);

/* The artifactLocation of a file. */
void hd_sarif_artifact(FILE *out, struct hd_sarif_files *files, const char *path);

/* A location object; message NULL and id -1: without. */
void hd_sarif_location(FILE *out, struct hd_sarif_files *files, const struct hd_frame *f,
                       const char *message, int id);

/* The array of artifacts, and the object that says where SRCROOT is. */
void hd_sarif_artifacts(FILE *out, const struct hd_sarif_files *files);
void hd_sarif_bases(FILE *out, const struct hd_sarif_files *files);

/* The codeFlows array; returns how many steps it has. */
uint32_t hd_sarif_flows(FILE *out, struct hd_sarif_files *files, const struct hd_report *r);

/* {"text": ...} */
void hd_sarif_message(FILE *out, const char *text);

#endif
