/* SPDX-License-Identifier: BSD-2-Clause
 *
 * params.h - the parameters of strategies (NAME:key=value,...)  on the command line.  Mistakes are reported before
 * anything runs, and the message says what would be right.  The tables belong to the strategies
 * (search/core/strategy.h, campaign/setup/baselines.h). */
#ifndef HD_CLI_PARAMS_H
#define HD_CLI_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "search/core/strategy.h"

/* Sets tables to the parameter tables of a strategy and its reducer, that of the reducer first.
 * Unused entries are NULL. */
enum { HD_PARAM_TABLES = 2 };
void hd_params_tables(const char *strategy, const struct hd_param *tables[HD_PARAM_TABLES]);

/* Returns false if the parameters are invalid; error is then one sentence that names the remedy. */
bool hd_params_check(const char *strategy, const char *params, char *error, size_t cap);

/* Prints one line for each parameter, for `heddle list strategies`. */
void hd_params_list(FILE *out, const struct hd_param *table);

#endif
