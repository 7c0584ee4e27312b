/* SPDX-License-Identifier: BSD-2-Clause
 *
 * job_table.c - lines of text about the searches of Quicksand. */
#include "campaign/search/job_table.h"

#include <string.h>

#include "report/print/text.h"

enum { LINES_NOW = 8 };

static void put(double value, int digits, char *text, size_t cap)
{
    snprintf(text, cap, value >= 10 && value < 1e4 ? "%.*f" : "%.*g", value >= 10 && value < 1e4 ? 0 : digits, value);
}

/* Writes a number or a range: "28", "21 to 28". */
static void range(double low, double high, int digits, char *text, size_t cap)
{
    char a[32], b[32];

    put(low, digits, a, sizeof a);
    put(high, digits, b, sizeof b);
    if (strcmp(a, b) == 0)
        snprintf(text, cap, "%s", a);
    else
        snprintf(text, cap, "%s to %s", a, b);
}

void hd_job_table_estimate(const struct hd_result_job *job, char *text, size_t cap)
{
    double s = job->seconds;
    char part[72], left[72];

    text[0] = '\0';
    if (job->left <= 0)
        return;
    if (!job->holds) {
        put(job->left, 3, left, sizeof left);
        snprintf(text, cap, ", more than %s s left", left);
        return;
    }
    range(100 * s / (s + job->left), 100 * s / (s + job->left_least), 2, part, sizeof part);
    range(job->left_least, job->left, 3, left, sizeof left);
    snprintf(text, cap, ", %s%%, %s s left", part, left);
}

static void print_job(FILE *out, const struct hd_result_job *job)
{
    char number[32], rest[192];

    hd_text_number(job->executions, number, sizeof number);
    hd_job_table_estimate(job, rest, sizeof rest);
    fprintf(out, "  %-36s %-28s %10s executions %6.1f s%s\n", job->points, job->state, number, job->seconds, rest);
}

/* True if no set had a turn, and the verdict says all: one of the other searches has found a bug, or explored
 * everything. */
static bool is_only_answer(const struct hd_result_quicksand *q)
{
    bool answered = false, sets = false;

    for (size_t i = 0; i < q->njobs; i++) {
        sets |= strcmp(q->job[i].kind, "set") == 0 && q->job[i].begun;
        answered |= strcmp(q->job[i].state, "explored") == 0 || strcmp(q->job[i].state, "bug") == 0;
    }
    return answered && !sets;
}

static void print_sets(FILE *out, const struct hd_result_quicksand *q)
{
    unsigned waiting = 0;

    if (is_only_answer(q))
        return;
    fputs("Sets of scheduling points (threads were switched there, or where one had to wait):\n", out);
    for (size_t i = 0; i < q->njobs; i++) {
        if (!q->job[i].begun)
            waiting++;
        else
            print_job(out, &q->job[i]);
    }
    if (waiting > 0)
        fprintf(out, "  %u more set%s not begun\n", waiting, waiting == 1 ? " was" : "s were");
}

static void print_races(FILE *out, const struct hd_result_quicksand *q)
{
    size_t n = 0;

    for (size_t i = 0; i < q->nraces; i++)
        if (!q->race[i].told && n++ == 0)
            fputs("Data races of other searches that were not explored to the end:\n", out);
    for (size_t i = 0; i < q->nraces; i++)
        if (!q->race[i].told)
            fprintf(out, "  %s: %s seen\n", q->race[i].places, q->race[i].both ? "both orders were" : "one order was");
}

void hd_job_table_print(FILE *out, const struct hd_result_quicksand *q)
{
    print_sets(out, q);
    if (q->cpu > 0 && q->seconds > 0)
        fprintf(out, "Processor time: %.1f s in %.1f s, of which choosing among the searches took %.2g%%.\n", q->cpu,
                q->seconds, 100 * q->manager / q->cpu);
    print_races(out, q);
    fflush(out);
}

/* ---- while it runs ------------------------------------------------------------------------- */

static bool is_open(const struct hd_result_job *job)
{
    return strncmp(job->state, "explored up to", 14) == 0 || strcmp(job->state, "running") == 0 || strcmp(job->state, "suspended") == 0 ||
           strcmp(job->state, "not finished") == 0;
}

static void add(char *text, size_t cap, const struct hd_result_job *job)
{
    size_t n = strlen(text);
    char number[32], rest[192];

    hd_text_number(job->executions, number, sizeof number);
    hd_job_table_estimate(job, rest, sizeof rest);
    snprintf(text + n, cap - n, "%s%s: %s, %s executions%s", n > 0 ? "\n" : "", job->points, job->state, number, rest);
}

void hd_job_table_now(const struct hd_result_quicksand *q, char *text, size_t cap)
{
    unsigned shown = 0, explored = 0, waiting = 0, others = 0;

    text[0] = '\0';
    for (size_t i = 0; i < q->njobs; i++) {
        const struct hd_result_job *job = &q->job[i];

        if (is_open(job) && shown < LINES_NOW) {
            add(text, cap, job);
            shown++;
        } else if (!job->begun) {
            waiting++;
        } else if (strcmp(job->state, "explored") == 0) {
            explored++;
        } else {
            others++;
        }
    }
    size_t n = strlen(text);

    snprintf(text + n, cap - n, "%s%u explored, %u not begun, %u others", n > 0 ? "\n" : "", explored, waiting, others);
}
