/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options_value.h - shared by the parts of the parser: one value of one option. */
#ifndef HD_CLI_OPTIONS_VALUE_H
#define HD_CLI_OPTIONS_VALUE_H

#include "cli/options.h"

struct hd_parser {
    enum hd_verb verb;
    struct hd_options *out;
    bool from_environment;
};

/* Print an error of the user; returns false, so that callers can return it. */
bool hd_complain(const struct hd_parser *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Set the option to that value; false, after a message, if it is invalid. */
bool hd_option_set(const struct hd_parser *p, const struct hd_option *o, const char *text);
/* The same for an option without a value. */
void hd_option_set_flag(const struct hd_parser *p, const struct hd_option *o);

#endif
