/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html_page.h - the page of a report, from its data.  The data may come from another process and may be hostile:
 * whatever it contains, the page shows it as text. */
#ifndef HD_REPORT_HTML_HTML_PAGE_H
#define HD_REPORT_HTML_HTML_PAGE_H

#include <stddef.h>
#include <stdio.h>

/* Returns the data of a page, which the caller frees: the report as text, a zero byte, and a JSON object. state: the
 * state of hd_format_html. */
char *hd_html_data(void *state, const char *program, size_t *size);

/* Writes the page. link: HTML for a link at its top (with address and text), or NULL. */
void hd_html_page_write(FILE *out, const char *data, size_t size, const char *link);

/* Writes the content of the page's script element, so that a content security policy can allow this script alone. */
void hd_html_page_script(FILE *out);

#endif
