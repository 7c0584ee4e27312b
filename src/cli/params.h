/* SPDX-License-Identifier: BSD-2-Clause
 *
 * params.h - the parameters of strategies (NAME:key=value,...): their names and ranges,
 * so that a mistake is answered before anything runs, with what would be right.
 *
 * The strategies check for themselves too; params_test.c holds the two against each other. */
#ifndef HD_CLI_PARAMS_H
#define HD_CLI_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct hd_param {
    const char *strategies; /* with a blank after each */
    const char *key;
    int64_t min, max;
    const char *help; /* with the default */
};

extern const struct hd_param hd_param_table[];
extern const size_t hd_param_count;

/* Does the strategy (with its reducer, if it has one) take it? */
bool hd_param_applies(const struct hd_param *p, const char *strategy);

/* False with one sentence, which names the remedy. */
bool hd_params_check(const char *strategy, const char *params, char *error, size_t cap);

/* For `heddle list strategies`: a line for each parameter of a strategy without reducer. */
void hd_params_list(FILE *out, const char *strategy);

#endif
