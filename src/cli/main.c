/* SPDX-License-Identifier: BSD-2-Clause
 *
 * main.c - finds the verb, parses its options and calls it. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "cli/registry.h"
#include "cli/suggest.h"
#include "conductor/inherited.h"

static void print_overview(FILE *to)
{
    fputs("usage: heddle VERB ...\n\n"
          "Runs a C or C++ program under its own scheduler, finds the order of threads that\n"
          "fails, and replays it.\n\nverbs:\n", to);
    for (int v = 0; v < HD_VERBS; v++)
        if (!hd_verb_table[v].hidden)
            fprintf(to, "  %-8s %s\n", hd_verb_table[v].name, hd_verb_table[v].summary);
    fputs("\n'heddle VERB --help' explains a verb. To begin with:\n"
          "  heddle cc -o prog prog.c\n"
          "  heddle run ./prog\n", to);
}

static int unknown_verb(const char *name)
{
    struct hd_suggestion near = hd_suggest_for(name);

    for (int v = 0; v < HD_VERBS; v++)
        if (!hd_verb_table[v].hidden)
            hd_suggest_offer(&near, hd_verb_table[v].name);
    fprintf(stderr, "heddle: there is no verb '%s'", name);
    if (name[0] == '-')
        fputs("; options come after the verb", stderr);
    else if (near.best != NULL)
        fprintf(stderr, "; did you mean '%s'?", near.best);
    fputs("\nTry 'heddle --help'.\n", stderr);
    return HD_EXIT_USAGE;
}

static int help(const char *about)
{
    enum hd_verb verb;

    if (about == NULL) {
        print_overview(stdout);
        return HD_EXIT_CLEAN;
    }
    verb = hd_verb_find(about);
    if (verb == HD_VERBS)
        return unknown_verb(about);
    hd_options_help(verb, stdout);
    return HD_EXIT_CLEAN;
}

static int run_verb(enum hd_verb verb, int argc, char **argv)
{
    const struct hd_verb_info *v = &hd_verb_table[verb];
    struct hd_options options;

    if (v->run_raw != NULL) {
        if (argc == 2 && strcmp(argv[1], "--help") == 0)
            return help(v->name);
        return v->run_raw(argc, argv);
    }
    switch (hd_options_parse(verb, argc - 1, argv + 1, &options)) {
    case HD_PARSE_HELP:
        return HD_EXIT_CLEAN;
    case HD_PARSE_BAD:
        return HD_EXIT_USAGE;
    case HD_PARSE_OK:
        break;
    }
    return v->run(&options);
}

/* True if clang has started this program as its assembler (cmd_cc.c). */
static bool is_assembler(const char *self)
{
    const char *slash = strrchr(self, '/');

    return strcmp(slash != NULL ? slash + 1 : self, "as") == 0;
}

static int dispatch(int argc, char **argv)
{
    enum hd_verb verb;

    if (argc > 0 && is_assembler(argv[0]))
        return hd_cmd_as(argv);
    if (argc < 2) {
        print_overview(stderr);
        return HD_EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0)
        return help(argv[2]);
    verb = strcmp(argv[1], "--version") == 0 ? HD_VERB_VERSION : hd_verb_find(argv[1]);
    if (verb == HD_VERBS)
        return unknown_verb(argv[1]);
    return run_verb(verb, argc - 1, argv + 1);
}

/* If a full disk truncates a report, the exit code must not be that of success.  The errno of an
 * earlier failed write is lost; the message contains it only if fflush itself failed. */
int main(int argc, char **argv)
{
    signal(SIGCHLD, SIG_DFL); /* if inherited as ignored, exit codes of children would be lost */
    hd_inherited_note();
    int code = dispatch(argc, argv);

    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "heddle: cannot write to standard output%s%s; the output is incomplete\n",
                errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
        if (code == HD_EXIT_CLEAN)
            code = HD_EXIT_USAGE;
    }
    return code;
}
