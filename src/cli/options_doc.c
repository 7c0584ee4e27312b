/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options_doc.c - generates --help and manual pages from the tables of options and verbs.
 * Shell completions: options_shell.c. */
#include <ctype.h>
#include <string.h>

#include "cli/options.h"
#include "cli/registry.h"
#include "cli/version.h"

#define WIDTH 92   /* width of a line of help */
#define COLUMN 31  /* column where the help texts begin */

static bool has_options(enum hd_verb verb)
{
    for (size_t i = 0; i < hd_option_count; i++)
        if (hd_option_applies(&hd_option_table[i], verb))
            return true;
    return false;
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
    char left[128], right[512];
    const char *fallback = o->type == HD_OPT_STRATEGY ? hd_default_strategy(verb) : o->fallback;
    int n;

    if (o->letter != 0)
        n = snprintf(left, sizeof left, "  -%c, --%s", o->letter, o->name);
    else
        n = snprintf(left, sizeof left, "      --%s", o->name);
    if (o->value != NULL)
        n += snprintf(left + n, sizeof left - (size_t)n, " %s", o->value);
    if (fallback != NULL)
        snprintf(right, sizeof right, "%s (default: %s)", o->help, fallback);
    else
        snprintf(right, sizeof right, "%s", o->help);
    if (n + 2 > COLUMN)
        fprintf(to, "%s\n%*s", left, COLUMN, "");
    else
        fprintf(to, "%-*s", COLUMN, left);
    print_wrapped(right, to);
    fputc('\n', to);
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
    if (v->run_raw == NULL) {
        fputs("\noptions:\n", to);
        for (size_t i = 0; i < hd_option_count; i++)
            if (hd_option_applies(&hd_option_table[i], verb))
                help_row(&hd_option_table[i], verb, to);
        fprintf(to, "  -h, --help%*sprint this text\n", COLUMN - 12, "");
    }
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
    if (has_options(verb))
        fputs(".SH OPTIONS\n", to);
    for (size_t i = 0; i < hd_option_count; i++)
        if (hd_option_applies(&hd_option_table[i], verb))
            man_option(&hd_option_table[i], verb, to);
    man_exits(v, to);
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
