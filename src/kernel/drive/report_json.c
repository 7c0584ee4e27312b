/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report_json.c - writes the result of a search as JSON. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "kernel/drive/report.h"

static void write_findings(const struct hd_ksession *s, struct hd_json *j)
{
    hd_json_put_array(j, "findings");
    for (unsigned i = 0; i < s->nfindings; i++) {
        const struct hd_kernel_finding *f = &s->finding[i];

        hd_json_line(j);
        hd_json_object(j);
        hd_json_put_string(j, "id", f->id);
        hd_json_put_string(j, "kind", f->kind);
        hd_json_put_string(j, "message", f->message);
        hd_json_put_uint(j, "execution", f->execution);
        hd_json_put_uint(j, "interrupts", f->ticks);
        hd_json_put_bool(j, "minimal", f->minimal);
        hd_json_put_uint(j, "reproduced", f->reproduced);
        hd_json_put_uint(j, "tried", f->tried);
        hd_json_put_uint(j, "executions", f->windows);
        hd_json_put_string(j, "schedule", f->schedule);
        hd_json_end(j);
    }
    hd_json_end(j);
}

bool hd_kreport_json(const struct hd_ksession *s, int code, const char *file)
{
    const struct hd_kernel_request *r = s->request;
    const struct hd_klink *l = s->machine.link;
    FILE *out = strcmp(file, "-") == 0 ? stdout : fopen(file, "w");
    struct hd_json j;
    char text[300], version[160];

    if (out == NULL) {
        fprintf(stderr, "heddle: cannot write %s: %s\n", file, strerror(errno));
        return false;
    }
    hd_kreport_guarantee(s, text, sizeof text);
    hd_machine_version(version, sizeof version);
    hd_json_open(&j, out, 0);
    hd_json_object(&j);
    hd_json_put_uint(&j, "version", 1);
    hd_json_put_string(&j, "kernel", r->kernel);
    hd_json_put_string(&j, "words", r->words);
    hd_json_put_string(&j, "qemu", version);
    hd_json_put_string(&j, "strategy", r->strategy);
    hd_json_put_string(&j, "verdict", hd_kreport_word(code));
    hd_json_put_bool(&j, "complete", s->complete && s->nfindings == 0);
    hd_json_put_string(&j, "guarantee", text);
    hd_json_put_uint(&j, "executions", l->total.executions);
    hd_json_put_int_or_null(&j, "bound", r->bound >= 0, r->bound);
    hd_json_put_uint(&j, "seed", r->seed);
    hd_json_key(&j, "seconds");
    hd_json_fixed(&j, s->seconds, 3);
    hd_json_put_uint(&j, "restores", s->machine.restores);
    hd_json_key(&j, "restore_seconds");
    hd_json_fixed(&j, s->machine.restore_seconds, 3);
    hd_json_put_uint(&j, "instructions", l->total.instructions);
    hd_json_put_uint(&j, "points", l->total.points);
    hd_json_put_uint(&j, "interrupts", l->total.ticks);
    hd_json_put_uint(&j, "idle_interrupts", l->total.idle_ticks);
    hd_json_put_uint(&j, "racing_instructions", l->nsites);
    hd_json_put_uint(&j, "held_back", l->total.starved);
    hd_json_put_uint(&j, "unreachable", l->total.unreachable);
    hd_json_put_uint(&j, "late_interrupts", l->total.late);
    hd_json_put_int_or_null(&j, "first_bug_execution", s->nfindings > 0,
                            s->nfindings > 0 ? (int64_t)s->finding[0].execution : 0);
    write_findings(s, &j);
    hd_kraces_json(s, &j);
    hd_json_end(&j);
    fputc('\n', out);
    bool good = ferror(out) == 0;

    return (out == stdout ? fflush(out) == 0 : fclose(out) == 0) && good;
}
