/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_options.c - `heddle options`: a hidden verb.  The build uses it to generate manual pages and
 * completions. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "cli/registry.h"

static int print_man(const char *name)
{
    enum hd_verb verb = hd_verb_find(name);

    if (strcmp(name, "heddle") == 0) {
        hd_options_man_overview(stdout);
        return HD_EXIT_CLEAN;
    }
    if (verb == HD_VERBS) {
        fprintf(stderr, "heddle options: there is no verb '%s'\n", name);
        return HD_EXIT_USAGE;
    }
    hd_options_man(verb, stdout);
    return HD_EXIT_CLEAN;
}

int hd_cmd_options(const struct hd_options *o)
{
    if (o->man != NULL)
        return print_man(o->man);
    if (o->bash)
        hd_options_bash(stdout);
    else if (o->zsh)
        hd_options_zsh(stdout);
    else if (o->fish)
        hd_options_fish(stdout);
    else {
        fputs("heddle options: say what to print: --man VERB, --bash, --zsh or --fish\n", stderr);
        return HD_EXIT_USAGE;
    }
    return HD_EXIT_CLEAN;
}
