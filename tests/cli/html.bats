#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# --html: the file.  What it looks like and how it is used is tests/browser's business.
load helper

# data FILE EXPRESSION: a Python expression over the object d inside the page
data() {
    python3 - "$@" <<'EOF'
import json, sys
page = open(sys.argv[1], encoding="utf-8").read()
assert page.count("</script") == 2, page.count("</script")
start = page.index('id="data">') + len('id="data">')
text = page[start:page.index("</script", start)]
assert "<" not in text and "\u2028" not in text
d = json.loads(text)
assert eval(sys.argv[2]), sys.argv[2]
EOF
}

bug() {
    cat >bug.c <<'EOF'
#include <assert.h>
#include <stdio.h>
/* </script><script>alert(1)</script> <!-- */
int main(void) { puts("</script><b>"); fflush(stdout); assert(!"</script>"); }
EOF
    heddle cc -g -o bug bug.c
}

@test "run and replay write a page that needs nothing else" {
    bug
    run heddle run --html r.html ./bug
    exits 2
    data r.html 'd["runs"][0]["verdict"] == "bug" and d["findings"][0]["kind"] == "assertion"'
    data r.html 'd["findings"][0]["output"] == "</script><b>\n"'
    data r.html '[f["text"] for f in d["files"]] == [open("bug.c").read()]'
    data r.html 'd["findings"][0]["schedule"].startswith(".heddle/")'
    # nothing is fetched: the only address is the name of SVG
    grep -o 'https\?://[^"'"'"' ]*' r.html | absent -v '^http://www.w3.org/2000/svg$'
    run heddle replay --html again.html
    exits 2
    data again.html 'd["findings"][0]["rows"]["n"] > 0'
    run heddle report --html report.html
    exits 0
    data report.html 'd["findings"][0]["rows"]["n"] > 0'
}

@test "a clean result is a page, too" {
    echo 'int main(void) { return 0; }' >ok.c
    heddle cc -o ok ok.c
    run heddle verify --html ok.html ./ok
    exits 0
    data ok.html 'd["runs"][0]["verdict"] == "clean" and d["findings"] == []'
}

@test "source that was changed after the program was built is named" {
    bug
    run heddle run --html r.html ./bug
    data r.html 'not d["files"][0]["newer"]'
    touch -d '+1 minute' bug.c
    run heddle run --html r.html ./bug
    data r.html 'd["files"][0]["newer"]'
    rm bug.c
    run heddle run --html r.html ./bug
    data r.html 'd["files"][0]["text"] is None'
}

@test "a page that cannot be written is said before the search" {
    bug
    run heddle run --html nowhere/r.html ./bug
    exits 1
    has "cannot write nowhere/r.html: No such file or directory; give --html a file in a directory that exists"
    grep -q FOUND <<<"$output" && return 1
    true
}

@test "the page may go to standard output" {
    bug
    heddle run --html - ./bug >page 2>text || [ $? -eq 2 ]
    data page 'd["findings"]'
    grep -q 'FOUND assertion' text
}

@test "the tests of a program are in one page" {
    cat >suite.c <<'EOF'
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
static void good(void **state) { (void)state; }
static void bad(void **state) { (void)state; assert_int_equal(1, 2); }
int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(good), cmocka_unit_test(bad) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
EOF
    heddle cc -g -o suite suite.c -lcmocka
    run heddle verify --each --html r.html ./suite
    exits 2
    data r.html '[run["test"] for run in d["runs"]] == ["tests/good", "tests/bad"]'
    data r.html '[(f["run"], f["rows"]["n"] > 0) for f in d["findings"]] == [(1, True)]'
    # the library calls abort; what is shown is the assertion
    data r.html '[d["strings"][d["sites"][s][3]] for s in d["findings"][0]["rows"]["site"]] == ["suite.c:7"]'
}
