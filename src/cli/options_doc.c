/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options_doc.c - generates --help and manual pages from the tables of options and verbs.
 * Shell completions: options_shell.c. */
#include <ctype.h>
#include <string.h>

#include "base/check.h"
#include "base/version.h"
#include "cli/options.h"
#include "cli/registry.h"

#define WIDTH 92   /* width of a line of help */
#define COLUMN 31  /* column where the help texts begin */

static const char *const headings[HD_GROUPS] = {
    [HD_GROUP_SEARCH] = "search",
    [HD_GROUP_PROGRAM] = "the program and its environment",
    [HD_GROUP_FINDINGS] = "findings",
    [HD_GROUP_OUTPUT] = "output",
};

/* True if the option belongs to this verb and this group. */
static bool is_in(const struct hd_option *o, enum hd_verb verb, int group)
{
    return hd_option_applies(o, verb) && (int)o->group == group;
}

static bool has_options(enum hd_verb verb, int group)
{
    for (size_t i = 0; i < hd_option_count; i++)
        if (is_in(&hd_option_table[i], verb, group))
            return true;
    return false;
}

/* The number of groups in which the verb has options. */
static int count_groups(enum hd_verb verb)
{
    int n = 0;

    for (int g = 0; g < HD_GROUPS; g++)
        n += has_options(verb, g);
    return n;
}

/* Prints the text wrapped into lines that begin at COLUMN. */
static void print_wrapped(const char *text, FILE *to)
{
    int at = COLUMN;

    for (const char *word = text; *word != '\0';) {
        int len = (int)strcspn(word, " ");

        if (at > COLUMN && at + 1 + len > WIDTH) {
            fprintf(to, "\n%*s", COLUMN, "");
            at = COLUMN;
        } else if (at > COLUMN) {
            fputc(' ', to);
            at++;
        }
        fprintf(to, "%.*s", len, word);
        at += len;
        word += len;
        word += strspn(word, " ");
    }
}

static void help_row(const struct hd_option *o, enum hd_verb verb, FILE *to)
{
    char left[128], right[2048];
    const char *fallback = o->type == HD_OPT_STRATEGY ? hd_default_strategy(verb) : o->fallback;
    int n, used;

    if (o->letter != 0)
        n = snprintf(left, sizeof left, "  -%c, --%s", o->letter, o->name);
    else
        n = snprintf(left, sizeof left, "      --%s", o->name);
    if (o->value != NULL)
        n += snprintf(left + n, sizeof left - (size_t)n, " %s", o->value);
    if (fallback != NULL)
        used = snprintf(right, sizeof right, "%s (default: %s)", o->help, fallback);
    else
        used = snprintf(right, sizeof right, "%s", o->help);
    HD_INVARIANT(used < (int)sizeof right, "a help text must not be truncated");
    if (n + 2 > COLUMN)
        fprintf(to, "%s\n%*s", left, COLUMN, "");
    else
        fprintf(to, "%-*s", COLUMN, left);
    print_wrapped(right, to);
    fputc('\n', to);
}

static void help_options(enum hd_verb verb, FILE *to)
{
    bool headed = count_groups(verb) > 1;

    if (!headed)
        fputs("\noptions:\n", to);
    for (int g = 0; g < HD_GROUPS; g++) {
        if (headed && has_options(verb, g))
            fprintf(to, "\noptions, %s:\n", headings[g]);
        for (size_t i = 0; i < hd_option_count; i++)
            if (is_in(&hd_option_table[i], verb, g))
                help_row(&hd_option_table[i], verb, to);
    }
    fprintf(to, "  -h, --help%*sprint this text\n", COLUMN - 12, "");
}

/* "7" in a verb's list means HD_EXIT_SKIPPED, 77. */
static bool exits_with(const struct hd_verb_info *v, int code)
{
    return strchr(v->exits, '0' + (code > 9 ? code / 10 : code)) != NULL;
}

void hd_options_help(enum hd_verb verb, FILE *to)
{
    const struct hd_verb_info *v = &hd_verb_table[verb];

    fprintf(to, "usage: heddle %s %s\n\n%s\n", v->name, v->synopsis, v->description);
    if (v->run_raw == NULL)
        help_options(verb, to);
    if (v->examples != NULL)
        fputs("\nexamples:\n", to);
    for (const struct hd_example *e = v->examples; e != NULL && e->command != NULL; e++)
        fprintf(to, "  %s\n      %s\n", e->command, e->meaning);
    fputs("\nexit status:\n", to);
    for (size_t i = 0; i < hd_exit_count; i++)
        if (exits_with(v, hd_exit_table[i].code))
            fprintf(to, "  %2d  %s\n", hd_exit_table[i].code, hd_exit_table[i].meaning);
    if (v->run_raw != NULL)
        fputs("  else as the compiler\n", to);
}

/* ---- manual pages (man(7) macros) ------------------------------------------------ */

/* Prints text with troff's special characters escaped. */
static void roff(const char *text, FILE *to)
{
    bool line_start = true;

    for (; *text != '\0'; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", to);
        if (*text == '\\')
            fputs("\\e", to);
        else if (*text == '-')
            fputs("\\-", to);
        else
            fputc(*text, to);
        line_start = *text == '\n';
    }
}

static void man_head(const char *page, const char *summary, FILE *to)
{
    fprintf(to, ".TH ");
    for (const char *c = page; *c != '\0'; c++)
        fputc(toupper((unsigned char)*c), to);
    fprintf(to, " 1 \"\" \"heddle %s\" \"Heddle\"\n.SH NAME\n", HD_VERSION_TEXT);
    roff(page, to);
    fputs(" \\- ", to);
    roff(summary, to);
    fputs("\n.SH SYNOPSIS\n", to);
}

static void man_option(const struct hd_option *o, enum hd_verb verb, FILE *to)
{
    const char *fallback = o->type == HD_OPT_STRATEGY ? hd_default_strategy(verb) : o->fallback;

    fputs(".TP\n\\fB", to);
    if (o->letter != 0)
        fprintf(to, "\\-%c\\fR, \\fB", o->letter);
    fputs("\\-\\-", to);
    roff(o->name, to);
    fputs("\\fR", to);
    if (o->value != NULL) {
        fputs(" \\fI", to);
        roff(o->value, to);
        fputs("\\fR", to);
    }
    fputc('\n', to);
    roff(o->help, to);
    fputs(".\n", to);
    if (fallback != NULL) {
        fputs("Default: ", to);
        roff(fallback, to);
        fputs(".\n", to);
    }
}

static void man_exits(const struct hd_verb_info *v, FILE *to)
{
    fputs(".SH EXIT STATUS\n", to);
    for (size_t i = 0; i < hd_exit_count; i++) {
        if (v != NULL && !exits_with(v, hd_exit_table[i].code))
            continue;
        fprintf(to, ".TP\n.B %d\n", hd_exit_table[i].code);
        roff(hd_exit_table[i].meaning, to);
        fputs(".\n", to);
    }
}

static void man_environment(FILE *to)
{
    fputs(".SH ENVIRONMENT\n.TP\n.B HEDDLE_OPTIONS\n"
          "Defaults for options, as \\fIkey\\fR=\\fIvalue\\fR:\\fIkey\\fR=\\fIvalue\\fR.\n"
          "A value that contains a colon is put in quotes.\n"
          ".TP\n.B HEDDLE_CC\\fR, \\fBHEDDLE_CXX\n"
          "The compilers that \\fBheddle cc\\fR and \\fBheddle c++\\fR run.\n"
          ".TP\n.B NO_COLOR\nWhen not empty, no colour is used.\n", to);
}

static void man_options(enum hd_verb verb, FILE *to)
{
    int groups = count_groups(verb);

    if (groups > 0)
        fputs(".SH OPTIONS\n", to);
    for (int g = 0; g < HD_GROUPS; g++) {
        if (groups > 1 && has_options(verb, g))
            fprintf(to, ".SS %c%s\n", toupper((unsigned char)headings[g][0]), headings[g] + 1);
        for (size_t i = 0; i < hd_option_count; i++)
            if (is_in(&hd_option_table[i], verb, g))
                man_option(&hd_option_table[i], verb, to);
    }
}

static void man_examples(const struct hd_verb_info *v, FILE *to)
{
    if (v->examples == NULL)
        return;
    fputs(".SH EXAMPLES\n", to);
    for (const struct hd_example *e = v->examples; e->command != NULL; e++) {
        fputs(".TP\n\\fB", to);
        roff(e->command, to);
        fputs("\\fR\n", to);
        roff(e->meaning, to);
        fputs(".\n", to);
    }
}

void hd_options_man(enum hd_verb verb, FILE *to)
{
    const struct hd_verb_info *v = &hd_verb_table[verb];
    char page[32];

    snprintf(page, sizeof page, "heddle-%s", v->name);
    man_head(page, v->summary, to);
    fprintf(to, "\\fBheddle %s\\fR ", v->name);
    roff(v->synopsis, to);
    fputs("\n.SH DESCRIPTION\n", to);
    roff(v->description, to);
    fputc('\n', to);
    man_options(verb, to);
    man_exits(v, to);
    man_examples(v, to);
    man_environment(to);
    fputs(".SH SEE ALSO\n.BR heddle (1)\n", to);
}

void hd_options_man_overview(FILE *to)
{
    man_head("heddle", "find, prove absent and replay concurrency bugs", to);
    fputs("\\fBheddle\\fR \\fIVERB\\fR ...\n.SH DESCRIPTION\n"
          "Heddle runs an unmodified C or C++ program under its own scheduler, explores the\n"
          "orders in which its threads can run, and replays the one that fails.\n"
          ".SH VERBS\n", to);
    for (int i = 0; i < HD_VERBS; i++) {
        if (hd_verb_table[i].hidden)
            continue;
        fprintf(to, ".TP\n.BR heddle\\-%s (1)\n", hd_verb_table[i].name);
        roff(hd_verb_table[i].summary, to);
        fputs(".\n", to);
    }
    man_exits(NULL, to);
    man_environment(to);
}
