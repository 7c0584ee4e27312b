/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stacks.c - prints the stacks of a finding. */
#include "report/text/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "report/evidence/describe.h"
#include "report/evidence/frames.h"
#include "report/evidence/place.h"
#include "report/names/path.h"
#include "report/names/shorten.h"

/* Prints the source line of the frame.  Prints nothing if the file cannot be read. */
static void quote_source(const struct hd_text *t, const struct hd_frame *f)
{
    FILE *src = f->line > 0 ? fopen(f->file, "re") : NULL;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n = -1;

    if (src == NULL)
        return;
    for (int i = 0; i < f->line; i++)
        if ((n = getline(&line, &cap, src)) < 0)
            break;
    if (n > 0) {
        char *at = line + strspn(line, " \t");

        at[strcspn(at, "\r\n")] = '\0';
        if (*at != '\0')
            fprintf(t->out, "       > %.*s\n", hd_text_width(t) - 9, at);
    }
    free(line);
    fclose(src);
}

static void print_frame(const struct hd_text *t, unsigned number, const struct hd_frame *f)
{
    char what[600], where[400], name[500];

    hd_name_shorten(f->function, name, sizeof name);
    if (strlen(name) + strlen("  #12  (inlined)") > (size_t)hd_text_width(t))
        hd_name_fold_parameters(name);
    snprintf(what, sizeof what, "  #%-3u %s%s", number, name, f->inlined ? " (inlined)" : "");
    if (f->line > 0)
        snprintf(where, sizeof where, "at %s:%d",
                 hd_is_system_file(f->file) ? hd_base_name(f->file) : hd_path_shown(f->file), f->line);
    else
        snprintf(where, sizeof where, "(%s+0x%llx)", f->module, (unsigned long long)f->offset);
    bool fits = strlen(what) + 1 + strlen(where) <= HD_TEXT_WIDTH;
    size_t width = (size_t)hd_text_width(t);

    if (strlen(what) > width) /* a C++ name with template arguments at its end */
        memcpy(what + width - 2, "..", 3);
    fprintf(t->out, "%s%s%s\n", what, fits ? " " : "\n       ", where);
}

/* Folds frames of libraries, unless all are wanted. */
static void print_frames(const struct hd_text *t, const struct hd_evidence *e)
{
    bool quoted = false;

    for (unsigned i = 0; i < e->n; i++) {
        unsigned n = t->all ? 0 : hd_frames_folded(e, i);
        char origin[300];

        if (n > 0) {
            hd_frames_origin(e, i, n, origin, sizeof origin);
            fprintf(t->out, "  #%u-%u ... %s\n", i, i + n - 1, origin);
            i += n - 1;
            continue;
        }
        print_frame(t, i, &e->frames[i]);
        if (!quoted && hd_frame_is_users(&e->frames[i])) {
            quote_source(t, &e->frames[i]);
            quoted = true;
        }
    }
}

static void print_creation(const struct hd_text *t, const struct hd_report *r, hd_tid tid)
{
    char parent[64];

    if (tid == 0 || tid >= r->nthreads || r->threads[tid].create_pc == 0)
        return;
    hd_describe_thread(r, r->threads[tid].parent, parent, sizeof parent);
    fprintf(t->out, "       created by %s at %s\n", parent,
            hd_symbols_site(r->symbols, hd_report_creation_place(r, tid)));
}

/* True if the creation of the thread is shown after the stack.  Not for acquisitions, decisive
 * events and the heap block: their headings already name the thread. */
static bool shows_creation(enum hd_role role)
{
    return role != HD_ROLE_TOOK && role != HD_ROLE_EVENT && role != HD_ROLE_BLOCK;
}

void hd_text_stacks(const struct hd_text *t, const struct hd_report *r,
                    const struct hd_evidence_list *l, bool brief)
{
    for (unsigned i = 0; i < l->n; i++) {
        const struct hd_evidence *e = &l->all[i];

        if (e->grouped || (brief && e->n == 1 && hd_frame_is_users(&e->frames[0])))
            continue;
        hd_text_heading(t, e->heading);
        print_frames(t, e);
        if (shows_creation(e->role))
            print_creation(t, r, e->tid);
    }
}
