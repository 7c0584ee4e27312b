/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stats.c - the table of fields, writing them, and the identity of the writing process. */
#include "status/stats_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "report/verdict/result.h"

#define FIELD(type, name) { #name, HD_STATS_##type, offsetof(struct hd_stats, name), \
                            sizeof ((struct hd_stats *)0)->name }

const struct hd_stats_field hd_stats_fields[] = {
    FIELD(COUNT, version), FIELD(TRUTH, running), FIELD(COUNT, pid), FIELD(COUNT, process_start),
    FIELD(TEXT, boot), FIELD(TEXT, verb), FIELD(TEXT, command), FIELD(TEXT, program),
    FIELD(TEXT, test), FIELD(NUMBER, started), FIELD(NUMBER, updated), FIELD(NUMBER, seconds),
    FIELD(TEXT, verdict), FIELD(NUMBER, exit_code), FIELD(TEXT, strategy), FIELD(COUNT, seed),
    FIELD(TRUTH, samples), FIELD(TEXT, isolation), FIELD(TEXT, fork_reason), FIELD(COUNT, jobs),
    FIELD(COUNT, workers_alive), FIELD(COUNT, workers_lost), FIELD(NUMBER, limit_executions),
    FIELD(NUMBER, limit_seconds), FIELD(COUNT, executions), FIELD(COUNT, redundant),
    FIELD(COUNT, assumed), FIELD(COUNT, discarded), FIELD(COUNT, too_long), FIELD(COUNT, loop_cuts),
    FIELD(COUNT, passes), FIELD(NUMBER, rate_now), FIELD(NUMBER, rate), FIELD(COUNT, threads_max),
    FIELD(COUNT, steps_max), FIELD(NUMBER, steps_mean), FIELD(NUMBER, bound),
    FIELD(NUMBER, explored), FIELD(NUMBER, estimate_low), FIELD(NUMBER, estimate_high),
    FIELD(NUMBER, seconds_left_low), FIELD(NUMBER, seconds_left_high),
    FIELD(NUMBER, limit_seconds_left), FIELD(TEXT, estimate_unknown), FIELD(COUNT, findings),
    FIELD(KINDS, by_kind),
    FIELD(COUNT, warnings), FIELD(COUNT, suppressed), FIELD(COUNT, races),
    FIELD(COUNT, races_confirmed), FIELD(NUMBER, last_finding_seconds),
    FIELD(NUMBER, last_finding_execution), FIELD(NUMBER, last_new_seconds),
    FIELD(NUMBER, last_new_execution), FIELD(TEXT, advice), FIELD(TEXT, sets),
};

const size_t hd_stats_field_count = sizeof hd_stats_fields / sizeof *hd_stats_fields;

void hd_stats_clear(struct hd_stats *s)
{
    const double unknown = NAN;

    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < hd_stats_field_count; i++)
        if (hd_stats_fields[i].type == HD_STATS_NUMBER)
            memcpy((char *)s + hd_stats_fields[i].at, &unknown, sizeof unknown);
}

/* ---- writing ------------------------------------------------------------------------------------ */

static void write_kinds(struct hd_json *j, const uint64_t *n)
{
    hd_json_object(j);
    for (unsigned k = 0; k < HD_FK_COUNT; k++)
        if (n[k] != 0)
            hd_json_put_uint(j, hd_finding_kind_text((enum hd_finding_kind)k), n[k]);
    hd_json_end(j);
}

/* Estimates such as 1e300 seconds are meaningless. */
static void write_number(struct hd_json *j, double n)
{
    bool whole = n == floor(n) && fabs(n) < 1e15, time = fabs(n) >= 1e6 && fabs(n) < 1e15;

    if (whole || time)
        hd_json_fixed(j, n, whole ? 0 : 3); /* times since 1970 */
    else
        hd_json_double(j, n, 6);
}

static void write_value(struct hd_json *j, enum hd_stats_type type, const void *at)
{
    switch (type) {
    case HD_STATS_TRUTH:
        hd_json_bool(j, *(const bool *)at);
        break;
    case HD_STATS_COUNT:
        hd_json_uint(j, *(const uint64_t *)at);
        break;
    case HD_STATS_NUMBER:
        write_number(j, *(const double *)at);
        break;
    case HD_STATS_TEXT:
        if (*(const char *)at == '\0')
            hd_json_null(j);
        else
            hd_json_string(j, at);
        break;
    case HD_STATS_KINDS:
        write_kinds(j, at);
        break;
    }
}

void hd_stats_json(struct hd_json *j, const struct hd_stats *s)
{
    hd_json_object(j);
    for (size_t i = 0; i < hd_stats_field_count; i++) {
        hd_json_key(i > 0 ? hd_json_line(j) : j, hd_stats_fields[i].name);
        write_value(j, hd_stats_fields[i].type, (const char *)s + hd_stats_fields[i].at);
    }
    hd_json_end(j);
}

void hd_stats_write(FILE *out, const void *what)
{
    struct hd_json j;

    hd_json_open(&j, out, 0);
    hd_stats_json(&j, what);
    fputc('\n', out);
}

/* ---- identity
 * ------------------------------------------------------------------------------------- */

static void this_boot(char *buf, size_t cap)
{
    FILE *in = fopen("/proc/sys/kernel/random/boot_id", "re");

    buf[0] = '\0';
    if (in == NULL)
        return;
    if (fgets(buf, (int)cap, in) == NULL)
        buf[0] = '\0';
    buf[strcspn(buf, "\n")] = '\0';
    fclose(in);
}

/* Start time of the process: field 22 of its stat file, counted after the name, which may
 * contain any characters.  0 if there is no such process or it is a zombie. */
static uint64_t start_of(uint64_t pid)
{
    char path[40], text[1024];
    unsigned long long start = 0;
    char state;

    snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)pid);
    FILE *in = fopen(path, "re");

    if (in == NULL)
        return 0;
    size_t n = fread(text, 1, sizeof text - 1, in);

    fclose(in);
    text[n] = '\0';
    const char *p = strrchr(text, ')');

    if (p == NULL || sscanf(p, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
                               "%*d %*d %*d %llu", &state, &start) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? 0 : start;
}

void hd_stats_identify(struct hd_stats *s)
{
    s->pid = (uint64_t)getpid();
    s->process_start = start_of(s->pid);
    this_boot(s->boot, sizeof s->boot);
}

bool hd_stats_alive(const struct hd_stats *s)
{
    char boot[sizeof s->boot];

    this_boot(boot, sizeof boot);
    return s->running && s->pid != 0 && strcmp(boot, s->boot) == 0 &&
           start_of(s->pid) == s->process_start && s->process_start != 0;
}
