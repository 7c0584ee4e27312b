/* SPDX-License-Identifier: BSD-2-Clause
 *
 * made.c - findings that tests construct by hand. */
#include "support/made.h"

#include "report/text/finding.h"

struct made *make(uint32_t kind, hd_tid tid, unsigned nthreads)
{
    struct made *m = calloc(1, sizeof *m);

    m->wire = calloc(1, sizeof *m->wire);
    m->wire->common = calloc(1, sizeof *m->wire->common);
    m->wire->common->objects = calloc(16, sizeof *m->wire->common->objects);
    m->wire->common->nobjects = 1;
    m->symbols = hd_symbols_open(NULL, 0);
    m->head = (struct hd_finding){ .kind = kind, .tid = tid, .execution = 1234, .preemptions = 1 };
    for (unsigned i = 0; i < nthreads; i++)
        m->threads[i] = (struct hd_thread_info){ .state = HD_TH_LIVE, .slot = (uint16_t)i };
    m->report = (struct hd_report){ .wire = m->wire, .finding = &m->head, .execution = 1234, .symbols = m->symbols,
                                    .events = m->events, .decisions = m->decisions,
                                    .threads = m->threads, .pending = m->pending,
                                    .holds = m->holds, .nthreads = nthreads,
                                    .npending = nthreads };
    return m;
}

void unmake(struct made *m)
{
    hd_symbols_close(m->symbols);
    free(m->wire->common->objects);
    free(m->wire->common);
    free(m->wire);
    free(m);
}

uint32_t object(struct made *m, enum hd_object_type type, uint64_t addr)
{
    m->wire->common->objects[m->wire->common->nobjects] = (struct hd_object_info){ .type = (uint8_t)type,
                                                                   .addr = addr };
    return m->wire->common->nobjects++;
}

void event(struct made *m, hd_tid tid, enum hd_kind kind, uint32_t obj, unsigned flags,
                  uint64_t value)
{
    struct hd_report *r = &m->report;

    m->events[r->nevents++] = (struct hd_event){ .tid = tid, .kind = (uint8_t)kind,
                                                 .flags = (uint8_t)flags, .obj = obj,
                                                 .peer = HD_NO_TID, .value = value };
    if (!(hd_kind_info[kind].traits & HD_TRAIT_LOCAL))
        m->decisions[r->ndecisions++] = (struct hd_decision){ tid, 0, 0 };
}

char *rendered(void (*render)(const struct hd_text *, const struct hd_report *),
                      struct made *m)
{
    static char buf[65536];
    FILE *f = fmemopen(buf, sizeof buf, "w");
    struct hd_text t = { .out = f };

    render(&t, &m->report);
    fclose(f);
    return buf;
}

void whole(const struct hd_text *t, const struct hd_report *r)
{
    hd_text_finding(t, r, "./t");
}

void want_line(const char *text, const char *line)
{
    if (strstr(text, line) == NULL)
        fail_msg("missing line:\n%s\nin\n%s", line, text);
}

void want_width(const char *text)
{
    for (const char *p = text; *p != '\0'; p += strcspn(p, "\n") + (p[strcspn(p, "\n")] != '\0'))
        if (strcspn(p, "\n") > HD_TEXT_WIDTH)
            fail_msg("too long: %.*s", (int)strcspn(p, "\n"), p);
}

unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}
