/* SPDX-License-Identifier: BSD-2-Clause
 *
 * page.c - the HTML report: findings are kept as they come, the file is written at the end. */
#include "cli/page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/order.h"

enum { SHOWN_IN_FULL = 50 }; /* of later ones the page has the message only */

bool hd_page_open(struct hd_session *s)
{
    const char *path = s->o->html_file;

    if (path == NULL)
        return true;
    if (!hd_json_writable(path)) {
        fprintf(stderr, "heddle: cannot write %s: %s; give --html a file in a directory that exists "
                        "and may be written to\n", path, strerror(errno));
        return false;
    }
    s->html = hd_html_open(s->elf.path);
    return true;
}

void hd_page_close(struct hd_session *s)
{
    hd_html_free(s->html);
}

void hd_page_add(struct hd_session *s, const struct hd_report *r,
                 const struct hd_result_finding *kept)
{
    if (s->html == NULL || s->nfindings > SHOWN_IN_FULL)
        return;
    struct hd_html_order order = hd_order_of(r->events, r->nevents);

    hd_html_add(s->html, r, &order, kept);
    hd_order_free(&order);
}

bool hd_page_write(const struct hd_session *s, const struct hd_result *r)
{
    if (s->html == NULL || hd_html_file(s->html, s->o->html_file, r))
        return true;
    fprintf(stderr, "heddle: cannot write %s: %s\n", s->o->html_file, strerror(errno));
    return false;
}
