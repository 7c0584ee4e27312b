/* SPDX-License-Identifier: BSD-2-Clause
 *
 * each.h - libheddle-each.so, preloaded into programs of test frameworks that cannot run a
 * single test in their own process.  Its functions take precedence over the framework's of
 * the same name.  It knows the frameworks' data by their ABI and includes none of their
 * headers, so Heddle can be built without them. */
#ifndef HD_EACH_EACH_H
#define HD_EACH_EACH_H

#include <stdbool.h>

#define HD_EACH_API __attribute__((visibility("default")))

enum hd_each_mode { HD_EACH_OFF, HD_EACH_LISTS, HD_EACH_RUNS };

enum hd_each_mode hd_each_mode(void);

/* Write a test to the list; why: reason to skip it, NULL: none. */
void hd_each_list(const char *name, const char *why);

/* True if it is the test to run. */
bool hd_each_is_wanted(const char *name);

/* The framework's own function; aborts if there is none. */
void *hd_each_real(const char *name);

#endif
