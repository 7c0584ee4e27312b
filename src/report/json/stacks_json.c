/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stacks_json.c - prints the call stacks of a finding, each with its thread and its role. */
#include "base/json.h"
#include "report/evidence/describe.h"
#include "report/evidence/frames.h"
#include "report/evidence/gather.h"

static const char *const roles[] = {
    [HD_ROLE_SECOND_ACCESS] = "second-access", [HD_ROLE_FIRST_ACCESS] = "first-access",
    [HD_ROLE_STOPPED] = "stopped", [HD_ROLE_FAILS] = "fails", [HD_ROLE_BLOCK] = "block",
    [HD_ROLE_TOOK] = "took-lock", [HD_ROLE_EVENT] = "event", [HD_ROLE_ALLOCATED] = "allocated",
    [HD_ROLE_CREATED] = "created",
};

static void put_frame(struct hd_json *j, const struct hd_frame *f)
{
    hd_json_object(hd_json_line(j));
    hd_json_put_string(j, "function", f->function);
    hd_json_put_string_or_null(j, "file", f->file);
    hd_json_put_int_or_null(j, "line", f->line > 0, f->line);
    hd_json_put_string(j, "module", f->module);
    hd_json_put_uint(j, "offset", f->offset);
    hd_json_put_bool(j, "inlined", f->inlined);
    hd_json_put_bool(j, "own", hd_frame_is_users(f));
    hd_json_end(j);
}

static void put_stack(struct hd_json *j, const struct hd_report *r, const struct hd_evidence *e)
{
    char who[64] = "";

    if (e->tid != HD_NO_TID)
        hd_describe_thread(r, e->tid, who, sizeof who);
    hd_json_object(hd_json_line(j));
    hd_json_put_string(j, "role", roles[e->role]);
    hd_json_put_string_or_null(j, "thread", who);
    hd_json_put_string(j, "title", e->title);
    hd_json_put_array(j, "frames");
    for (unsigned i = 0; i < e->n; i++)
        put_frame(j, &e->frames[i]);
    hd_json_end(j);
    hd_json_end(j);
}

void hd_stacks_json(struct hd_json *j, const struct hd_report *r)
{
    struct hd_evidence_list l;

    hd_evidence_gather(&l, r);
    hd_json_put_array(hd_json_line(j), "stacks");
    for (unsigned i = 0; i < l.n; i++)
        put_stack(j, r, &l.all[i]);
    hd_json_end(j);
    hd_evidence_free(&l);
}
