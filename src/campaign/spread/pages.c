/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pages.c - see pages.h. */
#include "campaign/spread/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "report/html/html_page.h"

#define LARGEST (8u << 20) /* maximum size of a report in the store, in bytes */

/* Names come from the database: they must not lead out of a directory, or to a hidden file. */
static void make_harmless(char *name)
{
    for (char *c = name; *c != '\0'; c++)
        if (strchr("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_+.-", *c) == NULL || (*c == '.' && c == name))
            *c = '_';
}

void hd_pages_name(const char *signature, char *buf, size_t cap)
{
    snprintf(buf, cap, "%.12s.heddle", signature);
    make_harmless(buf);
}

void hd_pages_name_regression(const char *program, const char *signature, char *buf, size_t cap)
{
    snprintf(buf, cap, "%.100s-%.16s.heddle", program, signature);
    make_harmless(buf);
}

void hd_pages_name_kernel(const char *signature, char *buf, size_t cap)
{
    snprintf(buf, cap, "%.16s.kernel", signature);
    make_harmless(buf);
}

bool hd_pages_save(const char *path, const struct hd_bytes *schedule)
{
    FILE *out = fopen(path, "we");
    bool ok = out != NULL && fwrite(schedule->data, 1, schedule->size, out) == schedule->size;

    return out != NULL && fclose(out) == 0 && ok;
}

/* Two findings have the same signature in the store if a user would call them the same finding. */
void hd_pages_signature(const struct hd_result_finding *f, char *buf, size_t cap)
{
    uint64_t signature = f->record != NULL ? f->record->signature : hd_hash_bytes(f->kind, f->message, strlen(f->message));

    snprintf(buf, cap, "%016llx", (unsigned long long)signature);
}

static void name_schedule(const struct hd_result_finding *f, char *buf, size_t cap)
{
    char signature[40];

    hd_pages_signature(f, signature, sizeof signature);
    hd_pages_name(signature, buf, cap);
}

static void take(void *ctx, const struct hd_format_finding *f)
{
    struct hd_pages *p = ctx;
    struct hd_page *page = HD_PUSH(p->list, p->n);

    *page = (struct hd_page){ .record = f->finding->record, .state = hd_format_html.open() };
    page->kept = hd_format_html.finding(page->state, f);
}

void hd_pages_open(struct hd_pages *p, struct hd_findings *findings)
{
    *p = (struct hd_pages){ .outputs = { .o = findings->s->o, .listener = take, .ctx = p } };
    findings->outputs = &p->outputs;
    findings->name_schedule = name_schedule;
}

void hd_pages_close(struct hd_pages *p)
{
    for (size_t i = 0; i < p->n; i++) {
        hd_format_html.close(p->list[i].state);
        free(p->list[i].kept);
    }
    free(p->list);
    p->list = NULL;
    p->n = 0;
}

struct hd_bytes hd_pages_make(struct hd_pages *p, const struct hd_result *r, const struct hd_result_finding *f,
                              const struct hd_session *s)
{
    struct hd_bytes out = { NULL, 0 };
    struct hd_result_finding shown = *f;
    struct hd_result one = *r;
    size_t i = 0;

    while (i < p->n && (p->list[i].record != f->record || f->record == NULL))
        i++;
    if (i == p->n)
        return out;
    one.findings = &shown;
    one.nfindings = 1;
    shown.kept[HD_FORMAT_html] = p->list[i].kept;
    if (shown.schedule[0] != '\0')
        name_schedule(f, shown.schedule, sizeof shown.schedule);
    hd_format_html.result(p->list[i].state, &one, s->argv, HD_EXIT_FINDING);
    out.data = hd_html_data(p->list[i].state, s->program, &out.size);
    if (out.size > LARGEST) {
        free(out.data);
        out = (struct hd_bytes){ NULL, 0 };
    }
    return out;
}
