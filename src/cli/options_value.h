/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options_value.h - shared by the parts of the parser: sets one option to one value. */
#ifndef HD_CLI_OPTIONS_VALUE_H
#define HD_CLI_OPTIONS_VALUE_H

#include "cli/options.h"

struct hd_parser {
    enum hd_verb verb;
    struct hd_options *out;
    bool from_environment;
};

/* Prints a message about an error of the user.  Returns false, so that callers can return it. */
bool hd_complain(const struct hd_parser *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the option to the value.  Returns false, after a message, if the value is invalid. */
bool hd_option_set(const struct hd_parser *p, const struct hd_option *o, const char *text);
/* Sets an option without a value. */
void hd_option_set_flag(const struct hd_parser *p, const struct hd_option *o);

#endif
