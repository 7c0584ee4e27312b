#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# --each: the tests of GoogleTest, Criterion, cmocka and HEDDLE_TEST programs, each as a search
# of its own.
# verify is used where it can be, because its numbers do not depend on luck.
load helper

programs=$BATS_TEST_DIRNAME/each

have_gtest() {
    # compiled once: it takes longer than all that is done with it
    [ -e "$BATS_FILE_TMPDIR/gtest" ] || {
        echo '#include <gtest/gtest.h>' | g++ -E -x c++ - >/dev/null 2>&1 || skip "libgtest-dev is not installed"
        heddle c++ -O1 -o "$BATS_FILE_TMPDIR/gtest" "$programs/gtest.cc" -lgtest -lgtest_main
    }
    cp "$BATS_FILE_TMPDIR/gtest" tests
}
have_criterion() {
    echo '#include <criterion/criterion.h>' | gcc -E -x c - >/dev/null 2>&1 ||
        skip "libcriterion-dev is not installed"
    heddle cc -O1 -o tests "$programs/criterion.c" -lcriterion
}
have_cmocka() {
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <cmocka.h>\n' |
        gcc -E -x c - >/dev/null 2>&1 || skip "libcmocka-dev is not installed"
    heddle cc -O1 -o tests "$programs/cmocka.c" -lcmocka
}

# row NAME VERDICT: the table of the last `run` says so
row() {
    grep -Eq "^$(sed 's/[.#/]/\\&/g' <<<"$1") +$2( |\$)" <<<"$output" || {
        echo "no row: $1 $2"
        echo "$output"
        return 1
    }
}

@test "GoogleTest: every test is searched by itself" {
    have_gtest
    run heddle verify --each --budget 60s --json r.json --junit r.xml --sarif r.sarif ./tests
    exits 2
    row Counter.LosesUpdates FAILED
    row Counter.CountsAlone clean
    row Counter.DISABLED_Fails skipped
    row DISABLED_Suite.Fails skipped
    row Other.Throws clean
    row Few/WithParameter.Counts/0 clean
    row Few/WithParameter.Counts/1 FAILED
    row Typed/0.IsZero clean
    row Typed/1.IsZero clean
    has "9 tests: 2 FAILED, 5 clean, 2 skipped"
    # the report is about the place of the failure, not about an exit code
    has "> TEST(Counter, LosesUpdates)"
    json r.json 'r["framework"] == "GoogleTest" and r["verdict"] == "bug" and r["exit_code"] == 2'
    json r.json 'sorted(r["skipped"]) == ["Counter.DISABLED_Fails", "DISABLED_Suite.Fails"]'
    json r.json '([t["test"] for t in r["tests"] if t["verdict"] == "bug"] ==
                  ["Counter.LosesUpdates", "Few/WithParameter.Counts/1"])'
    json r.sarif 'len(r["runs"]) == 1 and len(r["runs"][0]["invocations"]) == 7 and len(r["runs"][0]["results"]) == 2'
    json r.sarif '({p["locations"][0]["logicalLocations"][0]["name"] for p in r["runs"][0]["results"]} ==
                   {"Counter_LosesUpdates_Test::TestBody()", "WithParameter_Counts_Test::TestBody()"})'
    validated json:r.json junit:r.xml sarif:r.sarif
    grep -q '<testsuite name="./tests" tests="9" failures="2" errors="0" skipped="2"' r.xml
    # as GoogleTest's own XML names them
    grep -q '<testcase classname="Few/WithParameter" name="Counts/1"' r.xml
    grep -q '<testcase classname="Typed/0" name="IsZero"' r.xml
    grep -q '<testcase classname="DISABLED_Suite" name="Fails"' r.xml
}

@test "GoogleTest: a finding of one test is replayed alone, without --each" {
    have_gtest
    run heddle run --each --executions 300 --junit r.xml --test-name counters ./tests --gtest_filter='Counter.*:Other.*'
    exits 2
    grep -q '<testcase classname="counters.Counter" name="LosesUpdates"' r.xml
    [ "$(grep -c '<testcase classname="counters\.' r.xml)" -eq "$(grep -c '<testcase' r.xml)" ]
    has "4 tests: 1 FAILED"
    run heddle replay
    exits 2
    has "Counter_LosesUpdates_Test::TestBody()"
    has "the same abort again"
}

@test "GoogleTest: the exit code is that of the test that matters most" {
    have_gtest
    run heddle verify --each ./tests --gtest_filter='Counter.CountsAlone:Typed*'
    exits 0
    run heddle run --each --executions 1 ./tests --gtest_filter='Counter.*'
    exits 4
    row Counter.LosesUpdates incomplete
    run heddle run --each --executions 2 --strategy dfs -q ./tests --gtest_filter='Counter.CountsAlone'
    [ -z "$output" ]
}

@test "a budget is for each test" {
    have_gtest
    run heddle run --each --executions 5 --strategy random --json r.json ./tests --gtest_filter='Few*:Counter.CountsAlone'
    json r.json 'len(r["tests"]) == 3 and all(t["executions"] == 5 or t["verdict"] == "bug" for t in r["tests"])'
}

@test "Criterion: tests run in process, between their fixtures" {
    have_criterion
    run heddle verify --each --budget 60s --json r.json --junit r.xml ./tests
    exits 2
    row fixed/is_ready clean
    row counter/loses_updates FAILED
    row counter/loses_updates_new FAILED
    row counter/loses_updates_expect FAILED
    row counter/counts_alone clean
    row counter/skips clean
    row counter/disabled skipped
    row counter/crashes skipped
    row counter/exits skipped
    row counter/counts/0 clean
    row counter/counts/1 FAILED
    has "11 tests: 4 FAILED, 4 clean, 3 skipped"
    has "Assertion failed: The expression (count_with(2)) == (2) is false."
    has "Assertion failed: eq(int, count_with(2), 2)"
    # no process, no socket, nothing of Criterion's own
    json r.json 'all(t["isolation"] == "inproc" and all(e["effect"] == "mentions" for e in t["ledger"])
        for t in r["tests"])'
    validated json:r.json junit:r.xml
    grep -q 'it expects a signal' r.xml
    grep -q '<testcase classname="counter" name="counts/1"' r.xml
    run heddle replay
    exits 2
    has "counter_loses_updates_"
}

@test "cmocka: tests are picked from their groups, with the fixtures of the group" {
    have_cmocka
    run heddle verify --each --budget 60s --json r.json --junit r.xml --sarif r.sarif ./tests
    exits 2
    row with_fixture/loses_updates FAILED
    row with_fixture/counts clean
    row with_fixture/counts#2 FAILED
    row plain/is_not_ready clean
    row plain/fails_as_expected clean
    row plain/skips clean
    has "6 tests: 2 FAILED, 4 clean"
    validated json:r.json junit:r.xml sarif:r.sarif
    for id in $(python3 -c 'import json; print(*[f["id"] for t in json.load(open("r.json"))["tests"] for f in t["findings"]])'); do
        run heddle replay "$id"
        exits 2
        has "the same abort again"
        run heddle report --sarif again.sarif "$id"
        exits 0
    done
}

@test "cmocka: also in a program that is not instrumented" {
    have_cmocka
    gcc -g -o plain "$programs/cmocka.c" -lcmocka -lpthread
    run heddle run --each --executions 300 ./plain
    exits 2
    row with_fixture/loses_updates FAILED
    row plain/is_not_ready incomplete
    run heddle replay
    exits 2
}

@test "<heddle/test.h>: every HEDDLE_TEST is searched by itself, in the order of the file" {
    heddle cc -O2 -Wall -Wextra -Wpedantic -Werror -o tests "$programs/heddle.c" "$programs/heddle_more.c"
    run heddle verify --each --budget 60s --json r.json --junit r.xml ./tests
    exits 2
    row loses_updates FAILED
    row counts_alone clean
    row in_another_file clean
    has "3 tests: 1 FAILED, 2 clean"
    json r.json '[t["test"] for t in r["tests"]] == ["loses_updates", "counts_alone", "in_another_file"]'
    validated json:r.json junit:r.xml
    run heddle replay
    exits 2
    has "heddle_test_body_loses_updates"
    # names choose among them
    run heddle verify --each ./tests counts_alone in_another_file
    exits 0
    has "2 tests: 2 clean"
}

@test "<heddle/test.h>: without Heddle all tests run, and can be listed and chosen" {
    gcc -O2 -I"$(dirname "$HEDDLE")/../include" -o tests "$programs/heddle.c" "$programs/heddle_more.c" -lpthread
    run ./tests --list
    exits 0
    [ "$output" = "$(printf 'loses_updates\ncounts_alone\nin_another_file')" ]
    run ./tests in_another_file counts_alone
    exits 0
    [ "$output" = "$(printf '1..2\n# counts_alone\nok 1 - counts_alone\n# in_another_file\nok 2 - in_another_file')" ]
    run ./tests --only=counts_alone in_another_file
    [ "${lines[0]}" = 1..1 ]
    run ./tests nonsense
    exits 1
    has "there is no test 'nonsense'"
    # also a program that is not instrumented
    run heddle run --each --executions 300 ./tests
    exits 2
    row loses_updates FAILED
}

@test "<heddle/test.h>: in C++, with either compiler, and within other frameworks" {
    for compiler in gcc clang g++ clang++; do
        command -v $compiler >/dev/null || continue
        case $compiler in *++) language="c++ -std=c++11" ;; *) language="c -std=c99" ;; esac
        for level in -O0 -O2; do
            $compiler -x $language $level -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only \
                -I"$BATS_TEST_DIRNAME/../../include" "$programs/heddle_more.c"
            $compiler -x $language $level -I"$BATS_TEST_DIRNAME/../../include" -o tests "$programs/heddle.c" \
                "$programs/heddle_more.c" -lpthread
            [ "$(./tests --list | tr '\n' ' ')" = "loses_updates counts_alone in_another_file " ]
        done
    done
    # a name twice does not link
    run heddle cc -o tests "$programs/heddle.c" "$programs/heddle_more.c" -x c - <<<$'#include <heddle/test.h>\nHEDDLE_TEST(counts_alone) {}'
    [ "$status" -ne 0 ]
    has "multiple definition"
    # what only defines tests for another framework is not taken for a program of ours
    printf '#include <heddle/test.h>\nHEDDLE_TEST(t) {}\nint main(void) { HEDDLE_TEST_CALL(t); return 0; }\n' >own.c
    heddle cc -o own own.c
    ./own
    run heddle run --each ./own
    exits 1
    has "HEDDLE_TEST_MAIN"
}

@test "interrupted: the rest is not run, and what is known is written" {
    have_gtest
    "$HEDDLE" run --each --strategy random --budget 60s --junit r.xml --json r.json ./tests \
        --gtest_filter='Counter.CountsAlone:Other.*:Typed*' >out.txt 2>&1 3>&- &
    pid=$!
    eventually grep -q '^\[1/4\]' out.txt || eventually pgrep -P "$pid" >/dev/null
    sleep 1
    kill -TERM $pid
    code=0
    wait $pid || code=$?
    [ "$code" -eq 4 ] || { cat out.txt; return 1; }
    validated json:r.json junit:r.xml
    json r.json 'r["verdict"] == "budget" and len(r["skipped"]) > 0 and r["tests"][-1]["interrupted"]'
    grep -q '<skipped message="interrupted"/>' r.xml
}

@test "what has no tests is refused, and nothing is written" {
    printf 'int main(void) { return 0; }\n' >none.c
    heddle cc -o none none.c
    run heddle run --each --junit r.xml ./none
    exits 1
    has "finds no GoogleTest, Catch2, Criterion, cmocka or HEDDLE_TEST_MAIN"
    [ ! -e r.xml ]
    run heddle run --each ./missing
    exits 1
    has "missing"
    # marked as GoogleTest, and knows nothing of it
    printf 'const char *mark = "gtest_list_tests"; int main(void) { return mark[0] == 0; }\n' >fake.c
    heddle cc -o fake fake.c
    run heddle run --each ./fake
    exits 1
    has "lists no tests"
    printf 'const char *mark = "gtest_list_tests"; int main(void) { return mark[0]; }\n' >bad.c
    heddle cc -o bad bad.c
    run heddle run --each ./bad
    exits 1
    has "cannot list its tests: it ended with exit code 103"
    printf 'void _cmocka_run_group_tests(void) {} int main(void) { return 0; }\n' >static.c
    heddle cc -o static static.c
    run heddle run --each ./static
    exits 1
    has "as a shared library"
}

@test "--each belongs to searches" {
    run heddle replay --each
    exits 1
    has "belongs to"
}

@test "Catch2: each test is a search, and the framework's message is the finding's" {
    echo '#include <catch2/catch.hpp>' | g++ -E -x c++ - >/dev/null 2>&1 || skip "catch2 is not installed"
    # compiling main takes 20 seconds: only where there is no library that has it
    heddle c++ -O0 -o tests "$programs/catch2.cc" -lCatch2WithMain ||
        heddle c++ -O0 -DCATCH_CONFIG_MAIN -o tests "$programs/catch2.cc"
    run heddle run --each --executions 30 --minimize-budget 1s ./tests
    exits 2
    row "all updates count" FAILED
    row "one update, alone" incomplete
    has "Tests of ./tests (Catch2)"
    output=$(tr -s ' \n' ' ' <<<"$output") # the message is wrapped where the path of the file ends
    has "REQUIRE( n.load() == 2 )"
}
