/* SPDX-License-Identifier: BSD-2-Clause
 *
 * xml_test.c - text of any bytes in XML: what is reserved is escaped, what XML 1.0 does not
 * know is replaced or dropped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/finding.h"
#include "report/evidence/kinds.h"
#include "report/junit/xml.h"

#define NOT_UTF8 "\xef\xbf\xbd"

static const struct { const char *name, *in, *text, *attribute; } rows[] = {
    { "empty", "", "", "" },
    { "reserved", "a<b & c>d", "a&lt;b &amp; c&gt;d", "a&lt;b &amp; c&gt;d" },
    { "end of CDATA", "]]>", "]]&gt;", "]]&gt;" },
    { "quotes", "\"x\" 'y'", "\"x\" 'y'", "&quot;x&quot; 'y'" },
    { "newline and tab", "a\n\tb", "a\n\tb", "a&#10;&#9;b" },
    { "control characters", "\x01" "a\x1b[1m\r\x7f", "a[1m", "a[1m" },
    { "utf-8", "\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\xf0\x9f\x98\x80" },
    { "latin-1", "caf\xe9", "caf" NOT_UTF8, "caf" NOT_UTF8 },
    { "cut off", "\xe2\x82", NOT_UTF8 NOT_UTF8, NOT_UTF8 NOT_UTF8 },
    { "no character", "\xef\xbf\xbf", NOT_UTF8, NOT_UTF8 },
};

static void check(const char *name, const char *want, const char *in, int attribute)
{
    char *got, all[200];
    size_t n;
    FILE *f = open_memstream(&got, &n);

    if (attribute) {
        hd_xml_attribute(f, "k", in);
        snprintf(all, sizeof all, " k=\"%s\"", want);
    } else {
        hd_xml_text(f, in);
        snprintf(all, sizeof all, "%s", want);
    }
    fclose(f);
    if (strcmp(got, all) != 0)
        fail_msg("%s: got %s, want %s", name, got, all);
    free(got);
}

static void text_is_escaped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(rows[i].name, rows[i].text, rows[i].in, 0);
        check(rows[i].name, rows[i].attribute, rows[i].in, 1);
    }
}

/* A kind without a rule would be a result without help. */
static void every_kind_has_a_rule(void **state)
{
    (void)state;
    for (int k = 0; k < HD_FK_COUNT; k++) {
        size_t rule = hd_rule_find(hd_finding_kind_text((enum hd_finding_kind)k));

        if (k != HD_FK_NOT_LINEARIZABLE) /* no detector makes it yet */
            assert_true(rule < hd_rule_findings);
    }
    for (int k = HD_WARN_NONE + 1; k < HD_WARN_COUNT; k++) {
        size_t rule = hd_rule_find(hd_warning_kind_text((enum hd_warning_kind)k));

        assert_true(rule >= hd_rule_findings && rule < hd_rule_count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(every_kind_has_a_rule),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
