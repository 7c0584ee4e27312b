/* SPDX-License-Identifier: BSD-2-Clause
 *
 * variables_json.c - prints the accesses to plain variables that a report shows, with their values. */
#include "base/json.h"
#include "report/evidence/accesses.h"
#include "report/evidence/memory.h"
#include "report/evidence/rows.h"
#include "report/evidence/value.h"

static void put_value(struct hd_json *j, const char *key, const struct hd_report *r,
                      const struct hd_plain_access *a)
{
    char text[128] = "";

    if (a->valued)
        hd_value_text(r, a->name, a->addr, a->value, a->size, text, sizeof text);
    hd_json_put_string_or_null(j, key, text);
}

static void put_access(struct hd_json *j, const struct hd_report *r, const struct hd_variable *v, uint32_t step)
{
    const struct hd_plain_access *a = v->access;
    struct hd_operation o;
    struct hd_memory m;
    char who[64];

    hd_describe_thread(r, a->tid, who, sizeof who);
    hd_variable_operation(r, v, &o);
    hd_memory_name(r, a->name, a->addr, &m);
    hd_json_object(hd_json_line(j));
    hd_json_put_uint(j, "after_step", step);
    hd_json_put_string(j, "thread", who);
    hd_json_put_string(j, "operation", o.verb);
    hd_json_put_string(j, "variable", m.name);
    if (m.type[0] != '\0')
        hd_json_put_string(j, "type", m.type);
    put_value(j, "value", r, a);
    if (v->before != NULL)
        put_value(j, "before", r, v->before);
    hd_json_put_string(j, "at", hd_symbols_site(r->symbols, hd_accesses_place(r, a)));
    hd_json_end(j);
}

void hd_variables_json(struct hd_json *j, const struct hd_report *r)
{
    struct hd_rows rows;
    uint32_t step = hd_report_first_step(r);

    hd_rows_open(&rows, r, false);
    hd_json_put_array(j, "values");
    for (uint32_t i = 0; i < rows.n; i++) {
        if (rows.all[i].step != 0)
            step = rows.all[i].step;
        if (rows.all[i].type == HD_ROW_VARIABLE)
            put_access(j, r, rows.all[i].variable, step);
    }
    hd_json_end(j);
    hd_rows_close(&rows);
}
