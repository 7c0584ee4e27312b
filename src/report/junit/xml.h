/* SPDX-License-Identifier: BSD-2-Clause
 *
 * xml.h - text in an XML 1.0 document.  Whatever the bytes are, what is written is
 * well-formed: invalid UTF-8 and characters that XML does not know become U+FFFD, control
 * characters are dropped. */
#ifndef HD_REPORT_JUNIT_XML_H
#define HD_REPORT_JUNIT_XML_H

#include <stddef.h>
#include <stdio.h>

/* Between two tags. */
void hd_xml_text(FILE *out, const char *text);

/* ' name="value"', with the blank before it. */
void hd_xml_attribute(FILE *out, const char *name, const char *value);

#endif
