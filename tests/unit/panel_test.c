/* SPDX-License-Identifier: BSD-2-Clause
 *
 * panel_test.c - the panel: nothing is wider than the terminal, nothing is left out. */
#include "support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status/panel.h"

/* 25% of a tree after 40 s. */
static void tree(struct hd_stats *s)
{
    hd_stats_clear(s);
    s->running = true;
    strcpy(s->command, "heddle verify ./t");
    strcpy(s->program, "./t");
    strcpy(s->strategy, "dpor");
    strcpy(s->isolation, "inproc");
    s->seed = 7;
    s->jobs = s->workers_alive = s->passes = 1;
    s->seconds = 40;
    s->executions = 500;
    s->redundant = 20;
    s->rate = 13;
    s->rate_now = 12;
    s->threads_max = 4;
    s->steps_max = 60;
    s->steps_mean = 42.4;
    s->explored = 0.25;
    s->estimate_low = 2000;
    s->estimate_high = 3000;
    s->seconds_left_low = 120;
    s->seconds_left_high = 200;
    strcpy(s->advice, "it ends by itself when all is explored");
}

/* All that there can be, as long as it can be. */
static void worst(struct hd_stats *s)
{
    hd_stats_clear(s);
    s->running = true;
    memset(s->command, 'c', sizeof s->command - 1);
    memset(s->program, 'p', sizeof s->program - 1);
    memset(s->test, 't', sizeof s->test - 1);
    memset(s->strategy, 's', sizeof s->strategy - 1);
    memset(s->fork_reason, 'f', sizeof s->fork_reason - 1);
    memset(s->advice, 'a', sizeof s->advice - 1);
    memset(s->estimate_unknown, 'u', sizeof s->estimate_unknown - 1);
    strcpy(s->isolation, "fork");
    s->seed = s->executions = s->redundant = s->assumed = s->discarded = UINT64_MAX;
    s->too_long = s->loop_cuts = s->passes = s->jobs = s->workers_alive = UINT64_MAX;
    s->workers_lost = s->findings = s->races = s->races_confirmed = UINT64_MAX;
    s->threads_max = s->steps_max = s->warnings = s->suppressed = UINT64_MAX;
    for (unsigned k = 0; k < HD_FK_COUNT; k++)
        s->by_kind[k] = UINT64_MAX;
    s->seconds = s->rate = s->rate_now = s->steps_mean = s->bound = 1e15;
    s->explored = 1e-300;
    s->estimate_low = 1e200;
    s->estimate_high = s->seconds_left_high = 1e300;
    s->seconds_left_low = 0;
    s->limit_seconds = s->limit_executions = 1e15;
    s->limit_seconds_left = 1e15;
    s->last_finding_seconds = s->last_finding_execution = 1e14;
    s->last_new_seconds = s->last_new_execution = 1e14;
}

static void no_line_is_too_wide(void **state)
{
    static void (*const makes[])(struct hd_stats *) = { tree, worst, hd_stats_clear };
    struct hd_stats s;
    struct hd_panel p;

    (void)state;
    for (size_t m = 0; m < COUNT_OF(makes); m++)
        for (int width = HD_PANEL_NARROWEST; width <= 200; width++) {
            makes[m](&s);
            hd_panel_lay(&p, &s, width);
            assert_in_range(p.n, 3, HD_PANEL_LINES);
            for (int i = 0; i < p.n; i++) {
                assert_in_range(strlen(p.line[i].text), 1, width);
                assert_in_range(p.line[i].label, 0, strlen(p.line[i].text));
            }
        }
}

/* An ordinary search leaves a terminal of 24 rows some room. */
static void it_fits_80_by_24(void **state)
{
    struct hd_stats s;
    struct hd_panel p;

    (void)state;
    tree(&s);
    hd_panel_lay(&p, &s, 79);
    assert_in_range(p.n, 10, 22);
}

static char *printed(const struct hd_stats *s, int width, bool color, bool redraws)
{
    struct hd_panel p;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    hd_panel_lay(&p, s, width);
    hd_panel_print(out, &p, color, redraws);
    fclose(out);
    return text;
}

/* In words of one blank, wherever the lines end. */
static void squeeze(char *text)
{
    char *to = text;

    for (const char *p = text; *p != '\0'; p++)
        if (*p != ' ' && *p != '\n')
            *to++ = *p;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
}

static void every_fact_is_there(void **state)
{
    static const int widths[] = { HD_PANEL_NARROWEST, 79, 80, 119, 120 };
    static const char *const want[] = {
        "heddle verify ./t 0:00:40", "search dpor, seed 7, executions in process",
        "executions 500 complete, 20 redundant", "speed 12/s now, 13/s on average",
        "program ./t; 4 threads at most; steps: 42 on average, 60 at most",
        "tree about 25% explored of 2,000 to 3,000 executions (two estimates); 2 min to 3 min left",
        "limits none", "findings 0", "workers 1 of 1 at work; 0 processes lost and replaced",
        "when to stop it ends by itself when all is explored",
    };
    struct hd_stats s;

    (void)state;
    tree(&s);
    for (size_t w = 0; w < COUNT_OF(widths); w++) {
        char *text = printed(&s, widths[w], false, false);

        assert_null(strchr(text, '\033'));
        squeeze(text);
        for (size_t i = 0; i < COUNT_OF(want); i++)
            if (strstr(text, want[i]) == NULL)
                fail_msg("missing at %d columns: %s\nin: %s", widths[w], want[i], text);
        free(text);
    }
}

static void findings_and_races_are_told_apart(void **state)
{
    struct hd_stats s;

    (void)state;
    tree(&s);
    s.findings = 3;
    s.by_kind[HD_FK_DATA_RACE] = 2;
    s.by_kind[HD_FK_DEADLOCK] = 1;
    s.last_finding_seconds = 30;
    s.last_finding_execution = 400;
    s.races = 5;
    s.races_confirmed = 2;
    char *text = printed(&s, 120, false, false);

    squeeze(text);
    assert_non_null(strstr(text, "findings 3: 1 deadlock, 2 data-race; the last at 0:00:30, execution "
                                 "400 (0:00:10 ago)"));
    assert_non_null(strstr(text, "races 3 seen in one order, 2 confirmed in both"));
    free(text);
}

/* A name can be anything; what is shown of it must not be. */
static void names_do_nothing_to_the_terminal(void **state)
{
    struct hd_stats s;

    (void)state;
    tree(&s);
    strcpy(s.command, "heddle run './a\033[2J\r\n\x7f\xc3\xa4'");
    strcpy(s.program, "./a\033]0;x\007");
    char *text = printed(&s, 80, false, false);

    for (const char *p = text; *p != '\0'; p++)
        assert_true(*p == '\n' || (*p >= ' ' && *p < 0x7f));
    free(text);
}

/* Colour adds sequences and nothing else; a line that is redrawn ends the one before it. */
static void colour_changes_no_text(void **state)
{
    struct hd_stats s;

    (void)state;
    tree(&s);
    char *plain = printed(&s, 80, false, false), *redrawn = printed(&s, 80, true, true);
    char *to = redrawn;
    unsigned ends = 0, lines = 0;

    for (const char *p = redrawn; *p != '\0';)
        if (*p == '\033') {
            p += strcspn(p, "mK");
            ends += *p++ == 'K';
        } else {
            lines += *p == '\n';
            *to++ = *p++;
        }
    *to = '\0';
    assert_string_equal(plain, redrawn);
    assert_int_equal(ends, lines);
    free(plain);
    free(redrawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_line_is_too_wide),
        cmocka_unit_test(it_fits_80_by_24),
        cmocka_unit_test(every_fact_is_there),
        cmocka_unit_test(findings_and_races_are_told_apart),
        cmocka_unit_test(names_do_nothing_to_the_terminal),
        cmocka_unit_test(colour_changes_no_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
