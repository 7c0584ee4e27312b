/* SPDX-License-Identifier: BSD-2-Clause
 *
 * identity.h - everything that a search depends on.  An interrupted search is continued only if all of it is the
 * same.
 *
 * It is a list of facts.  As text, a fact is its kind, name and value, separated by tabs and terminated by a zero
 * byte.  Facts of the kind "search" describe the progress of the search; they are not compared. */
#ifndef HD_CAMPAIGN_SESSION_IDENTITY_H
#define HD_CAMPAIGN_SESSION_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

struct hd_session;

struct hd_identity_fact {
    char *kind, *name, *value;
};

struct hd_identity {
    struct hd_identity_fact *fact;
    size_t n;
};

/* Adds a fact; the strings are copied. */
void hd_identity_add(struct hd_identity *id, const char *kind, const char *name, const char *value);
/* Returns the value of a fact, or NULL. */
const char *hd_identity_get(const struct hd_identity *id, const char *kind, const char *name);
void hd_identity_free(struct hd_identity *id);

/* Adds everything but files: program, arguments, options, directory, environment, kernel. */
void hd_identity_describe(struct hd_identity *id, const struct hd_session *s);
/* Adds a file with a hash of its contents. */
void hd_identity_add_file(struct hd_identity *id, const char *path);

/* Returns the text of the facts, which the caller frees. */
char *hd_identity_text(const struct hd_identity *id, size_t *size);
/* Adds the facts of a text that hd_identity_text has made. */
void hd_identity_parse(struct hd_identity *id, const char *text, size_t size);

/* Writes the differences to buf, each as a sentence without a full stop.  Returns their number. */
unsigned hd_identity_compare(const struct hd_identity *was, const struct hd_identity *is, char *buf, size_t cap);

/* Returns the environment of the interrupted search: the variables that were compared, and those of
 * the login session as they were.  With it the arguments of the program get the same addresses
 * again.  NULL-terminated; the caller frees it with hd_identity_environment_free. */
char **hd_identity_environment(const struct hd_identity *was);
void hd_identity_environment_free(char **env);

#endif
