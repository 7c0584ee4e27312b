/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppressed.c - reports which suppressions were used. */
#include "report/suppress/suppressed.h"

#include "report/print/json.h"

void hd_suppressed_text(const struct hd_text *t, const struct hd_suppressions *all)
{
    char line[700];

    for (unsigned i = 0; all != NULL && i < all->n; i++) {
        const struct hd_suppression *s = &all->all[i];

        if (s->findings > 0)
            snprintf(line, sizeof line, "%llu finding%s suppressed by %s:%u (%.300s)",
                     (unsigned long long)s->findings, s->findings == 1 ? "" : "s", s->file, s->line,
                     s->name);
        else
            snprintf(line, sizeof line, "Unused suppression: %s:%u (%.300s)", s->file, s->line,
                     s->name);
        hd_text_wrap(t, 0, 2, line);
    }
}

void hd_suppressed_json(FILE *out, const struct hd_suppressions *all, uint32_t nfindings)
{
    fprintf(out, ",\n \"suppressed\": %u, \"suppressions\": [", nfindings);
    for (unsigned i = 0; all != NULL && i < all->n; i++) {
        const struct hd_suppression *s = &all->all[i];

        fprintf(out, "%s\n  {\"name\": ", i > 0 ? "," : "");
        hd_json_string(out, s->name);
        fputs(", \"file\": ", out);
        hd_json_string(out, s->file);
        fprintf(out, ", \"line\": %u, \"findings\": %llu}", s->line,
                (unsigned long long)s->findings);
    }
    fputs("]", out);
}
