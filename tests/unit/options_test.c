/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options_test.c - what the parser makes of correct command lines, and the
 * nearest-word suggestions.  Messages for wrong ones: tests/cli/options.bats. */
#include "support/unit.h"

#include "cli/options.h"
#include "cli/registry.h"
#include "cli/suggest.h"

#define MAX_WORDS 32

/* Parse a line of words separated by blanks. */
static struct hd_options parsed(enum hd_verb verb, const char *line)
{
    static char text[512];
    static char *words[MAX_WORDS];
    struct hd_options o;
    int n = 0;

    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok(text, " "); w != NULL && n < MAX_WORDS - 1; w = strtok(NULL, " "))
        words[n++] = w;
    words[n] = NULL;
    assert_int_equal(hd_options_parse(verb, n, words, &o), HD_PARSE_OK);
    return o;
}

static int clean_environment(void **state)
{
    (void)state;
    return unsetenv("HEDDLE_OPTIONS") | unsetenv("NO_COLOR");
}

static void defaults(void **state)
{
    struct hd_options o = parsed(HD_VERB_RUN, "./t");

    (void)state;
    assert_string_equal(o.strategy, hd_default_strategy(HD_VERB_RUN));
    assert_string_equal(o.params, "");
    assert_true(o.bound == -1);
    assert_true(o.seed == 1);
    assert_true(o.executions == 0);
    assert_true(o.budget_ms == 0);
    assert_int_equal(o.max_steps, 1000000);
    assert_int_equal(o.loop_bound, 3);
    assert_int_equal(o.exit_grace, 1000);
    assert_int_equal(o.points, HD_POINTS_SYNC);
    assert_int_equal(o.isolation, HD_ISO_AUTO);
    assert_false(o.timeouts_idle || o.study || o.keep_going || o.quiet || o.show_output);
    assert_string_equal(o.out_dir, ".heddle");
    assert_null(o.files[HD_FORMAT_json]);
    assert_int_equal(o.nargs, 1);
}

static void faults_are_a_set_of_words(void **state)
{
    (void)state;
    assert_int_equal(parsed(HD_VERB_RUN, "./t").faults, 0);
    assert_int_equal(parsed(HD_VERB_RUN, "--faults malloc ./t").faults, HD_FAULT_MALLOC);
    assert_int_equal(parsed(HD_VERB_RUN, "--faults malloc ./t").fault_bound, 1);
    assert_int_equal(parsed(HD_VERB_VERIFY, "--faults=trylock,malloc --fault-bound 3 ./t").faults,
                     HD_FAULT_MALLOC | HD_FAULT_TRYLOCK);
    assert_int_equal(parsed(HD_VERB_RUN, "--faults spurious-wakeup --fault-bound 3 ./t").fault_bound, 3);
    /* the last one counts, as with every option */
    assert_int_equal(parsed(HD_VERB_RUN, "--faults malloc --faults trylock ./t").faults,
                     HD_FAULT_TRYLOCK);
    struct hd_options o = parsed(HD_VERB_RUN, "--faults crash=1,malloc,timer=9 ./t");

    assert_int_equal(o.faults, HD_FAULT_CRASH | HD_FAULT_MALLOC | HD_FAULT_TIMER);
    assert_int_equal(hd_fault_budget(&o.settings, 5), 1);
    assert_int_equal(hd_fault_budget(&o.settings, 0), 0); /* shares the bound */
    assert_int_equal(hd_fault_budget(&o.settings, 10), 9);
}

static void budgets(void **state)
{
    (void)state;
    assert_true(parsed(HD_VERB_RUN, "--budget 500ms ./t").budget_ms == 500);
    assert_true(parsed(HD_VERB_RUN, "--budget=30s ./t").budget_ms == 30000);
    assert_true(parsed(HD_VERB_RUN, "--budget 5m ./t").budget_ms == 300000);
    assert_true(parsed(HD_VERB_RUN, "--budget 2h ./t").budget_ms == 7200000);
}

static void a_bound_chooses_the_strategy_of_verify(void **state)
{
    struct hd_options o = parsed(HD_VERB_VERIFY, "--bound 2 ./t");

    (void)state;
    assert_string_equal(o.strategy, "bpor-lazy");
    assert_true(o.bound == 2);
    o = parsed(HD_VERB_VERIFY, "--bound iterate ./t");
    assert_string_equal(o.strategy, "bpor-lazy");
    assert_true(o.bound == -1); /* without one, the strategy deepens */
    o = parsed(HD_VERB_VERIFY, "--bound=iterate --strategy idb ./t");
    assert_string_equal(o.strategy, "idb");
    assert_true(o.bound == -1);
    o = parsed(HD_VERB_RUN, "--strategy bpor-lazy:cells=1 --bound 0 ./t");
    assert_string_equal(o.strategy, "bpor-lazy");
    assert_true(o.bound == 0);
    assert_true(strcmp(parsed(HD_VERB_VERIFY, "./t").strategy, "bpor-lazy") != 0);
}

static void every_spelling(void **state)
{
    struct hd_options o = parsed(
        HD_VERB_VERIFY, "--strategy ipb+cache:finish=1,cache=2 --bound=4 --seed 0x10 -j1 -qvv -oout "
                        "--timeouts=idle --convention study --isolation fork --keep-going "
                        "--json=- --color never --progress plain ./t -q --bound 9");

    (void)state;
    assert_string_equal(o.strategy, "ipb+cache");
    assert_string_equal(o.params, "finish=1,cache=2");
    assert_true(o.bound == 4);
    assert_true(o.seed == 16);
    assert_true(o.quiet && o.timeouts_idle && o.study && o.keep_going);
    assert_int_equal(o.verbose, 2);
    assert_string_equal(o.out_dir, "out");
    assert_string_equal(o.files[HD_FORMAT_json], "-");
    assert_int_equal(o.isolation, HD_ISO_FORK);
    assert_int_equal(o.progress, HD_PROGRESS_PLAIN);
    assert_int_equal(o.color, HD_COLOR_NEVER);
    assert_int_equal(o.nargs, 4); /* the program's own arguments are left alone */
    assert_string_equal(o.args[3], "9");
    assert_null(o.args[4]);
}

static void two_dashes_end_the_options(void **state)
{
    struct hd_options o = parsed(HD_VERB_RUN, "-q -- --odd -- x");

    (void)state;
    assert_int_equal(o.nargs, 3);
    assert_string_equal(o.args[0], "--odd");
    assert_string_equal(o.args[1], "--");
}

static void verbs_without_program_take_options_anywhere(void **state)
{
    struct hd_options o = parsed(HD_VERB_REPLAY, "file --output -v");

    (void)state;
    assert_true(o.show_output);
    assert_int_equal(o.verbose, 1);
    assert_int_equal(o.nargs, 1);
    assert_int_equal(parsed(HD_VERB_REPLAY, "").nargs, 0);
}

static void environment_gives_defaults(void **state)
{
    struct hd_options o;

    (void)state;
    setenv("HEDDLE_OPTIONS", "strategy='pct:d=2':executions=5:keep-going:q=0:output=1:seed=3", 1);
    o = parsed(HD_VERB_RUN, "--seed 4 ./t");
    unsetenv("HEDDLE_OPTIONS");
    assert_string_equal(o.strategy, "pct");
    assert_string_equal(o.params, "d=2");
    assert_true(o.executions == 5);
    assert_true(o.keep_going);
    assert_false(o.quiet);
    assert_false(o.show_output); /* belongs to replay */
    assert_true(o.seed == 4);    /* the command line has the last word */
}

static void color_follows_option_and_environment(void **state)
{
    FILE *file = tmpfile(); /* no terminal */
    struct hd_options o = parsed(HD_VERB_RUN, "--color always ./t");

    (void)state;
    assert_non_null(file);
    assert_true(hd_terminal_color(o.color, file));
    setenv("NO_COLOR", "1", 1);
    assert_true(hd_terminal_color(o.color, file)); /* asked for explicitly */
    unsetenv("NO_COLOR");
    o = parsed(HD_VERB_RUN, "./t");
    assert_false(hd_terminal_color(o.color, file));
    fclose(file);
}

/* Rows that share a name must not share a verb, or one would hide the other. */
static void rows_are_unambiguous(void **state)
{
    (void)state;
    for (size_t i = 0; i < hd_option_count; i++) {
        const struct hd_option *a = &hd_option_table[i];

        assert_non_null(a->name);
        assert_non_null(a->help);
        assert_true(a->help[strlen(a->help) - 1] != '.');
        for (size_t j = i + 1; j < hd_option_count; j++) {
            const struct hd_option *b = &hd_option_table[j];

            if ((a->verbs & b->verbs) == 0)
                continue;
            assert_string_not_equal(a->name, b->name);
            assert_false(a->letter != 0 && a->letter == b->letter);
        }
    }
}

static const char *nearest(const char *typed)
{
    static const char *const known[] = { "strategy", "seed", "bound", "budget", "random" };
    struct hd_suggestion s = hd_suggest_for(typed);

    for (size_t i = 0; i < COUNT_OF(known); i++)
        hd_suggest_offer(&s, known[i]);
    return s.best;
}

static void suggestions(void **state)
{
    (void)state;
    assert_string_equal(nearest("strtegy"), "strategy");   /* a letter is missing */
    assert_string_equal(nearest("bonud"), "bound");        /* two are swapped */
    assert_string_equal(nearest("budgett"), "budget");     /* one too many */
    assert_string_equal(nearest("strat"), "strategy");     /* an abbreviation */
    assert_null(nearest("frobnicate"));
    assert_null(nearest("x"));
    assert_null(nearest("a-word-that-is-much-longer-than-any-option-could-ever-be"));
}

/* ---- documents ------------------------------------------------------------------------ */

enum { HELP, MAN, BASH, ZSH, FISH, DOCUMENTS };

static char *document(int which, enum hd_verb verb)
{
    static void (*const shells[])(FILE *) = { [BASH] = hd_options_bash, [ZSH] = hd_options_zsh,
                                              [FISH] = hd_options_fish };
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    assert_non_null(f);
    if (which == HELP)
        hd_options_help(verb, f);
    else if (which == MAN)
        hd_options_man(verb, f);
    else
        shells[which](f);
    fclose(f);
    return text;
}

/* How the option is spelt there; a hyphen that is to be one has a backslash in a manual. */
static void spelt(int which, enum hd_verb verb, const char *name, char *buf, size_t cap)
{
    size_t at;

    if (which == FISH) {
        snprintf(buf, cap, "__fish_seen_subcommand_from %s' -l %s", hd_verb_table[verb].name, name);
        return;
    }
    if (which != MAN) {
        snprintf(buf, cap, "--%s", name);
        return;
    }
    at = (size_t)snprintf(buf, cap, "\\-\\-");
    for (; *name != '\0'; name++)
        at += (size_t)snprintf(buf + at, cap - at, *name == '-' ? "\\-" : "%c", *name);
}

static void every_option_is_in_every_document(void **state)
{
    char spelling[128];

    (void)state;
    for (int v = 0; v < HD_VERBS; v++)
        for (int d = 0; d < DOCUMENTS && !hd_verb_table[v].hidden; d++) {
            char *text = document(d, (enum hd_verb)v);

            assert_non_null(strstr(text, hd_verb_table[v].name));
            for (size_t i = 0; i < hd_option_count; i++) {
                if (!hd_option_applies(&hd_option_table[i], (enum hd_verb)v))
                    continue;
                spelt(d, (enum hd_verb)v, hd_option_table[i].name, spelling, sizeof spelling);
                if (strstr(text, spelling) == NULL)
                    fail_msg("document %d of %s lacks %s", d, hd_verb_table[v].name, spelling);
            }
            free(text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(budgets),
        cmocka_unit_test(faults_are_a_set_of_words),
        cmocka_unit_test(a_bound_chooses_the_strategy_of_verify),
        cmocka_unit_test(every_spelling),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(verbs_without_program_take_options_anywhere),
        cmocka_unit_test(environment_gives_defaults),
        cmocka_unit_test(color_follows_option_and_environment),
        cmocka_unit_test(rows_are_unambiguous),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(every_option_is_in_every_document),
    };

    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
