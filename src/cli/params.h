/* SPDX-License-Identifier: BSD-2-Clause
 *
 * params.h - the parameters of strategies (NAME:key=value,...) on the command line: a
 * mistake is answered before anything runs, with what would be right.  The tables are
 * the strategies' own (search/core/strategy.h, campaign/baselines.h). */
#ifndef HD_CLI_PARAMS_H
#define HD_CLI_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "search/core/strategy.h"

/* The tables of a strategy with its reducer, the reducer's first; those not used are NULL. */
enum { HD_PARAM_TABLES = 2 };
void hd_params_tables(const char *strategy, const struct hd_param *tables[HD_PARAM_TABLES]);

/* False with one sentence, which names the remedy. */
bool hd_params_check(const char *strategy, const char *params, char *error, size_t cap);

/* For `heddle list strategies`: a line for each parameter. */
void hd_params_list(FILE *out, const struct hd_param *table);

#endif
