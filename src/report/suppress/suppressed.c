/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppressed.c - reports which suppressions were used. */
#include "base/json.h"
#include "report/suppress/suppressed.h"


void hd_suppressed_text(const struct hd_text *t, const struct hd_suppressions *all)
{
    char line[700];

    for (unsigned i = 0; all != NULL && i < all->n; i++) {
        const struct hd_suppression *s = &all->all[i];

        if (s->file == NULL) /* --mute lists its findings */
            continue;
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

void hd_suppressed_json(struct hd_json *j, const struct hd_suppressions *all, uint32_t nfindings)
{
    hd_json_put_uint(hd_json_line(j), "suppressed", nfindings);
    hd_json_put_array(j, "suppressions");
    for (unsigned i = 0; all != NULL && i < all->n; i++) {
        const struct hd_suppression *s = &all->all[i];

        if (s->file == NULL)
            continue;
        hd_json_object(hd_json_line(j));
        hd_json_put_string(j, "name", s->name);
        hd_json_put_string(j, "file", s->file);
        hd_json_put_uint(j, "line", s->line);
        hd_json_put_uint(j, "findings", s->findings);
        hd_json_end(j);
    }
    hd_json_end(j);
}
