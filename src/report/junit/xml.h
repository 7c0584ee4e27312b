/* SPDX-License-Identifier: BSD-2-Clause
 *
 * xml.h - prints text in an XML 1.0 document.  The output is well-formed for any input: invalid
 * UTF-8 and characters that XML does not allow become U+FFFD, control characters are dropped. */
#ifndef HD_REPORT_JUNIT_XML_H
#define HD_REPORT_JUNIT_XML_H

#include <stddef.h>
#include <stdio.h>

/* Prints text between two tags. */
void hd_xml_text(FILE *out, const char *text);

/* Prints ' name="value"', with the leading blank. */
void hd_xml_attribute(FILE *out, const char *name, const char *value);

#endif
