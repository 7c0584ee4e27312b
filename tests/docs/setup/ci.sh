# SPDX-License-Identifier: BSD-2-Clause
# The page tests the bank and a program of GoogleTest; a schedule of the bank is a regression test of the
# repaired one.
if ! echo '#include <gtest/gtest.h>' | g++ -E -x c++ - >/dev/null 2>&1; then
    echo "libgtest-dev is not installed"
    (exit 77)
else
    cp "$DOCS_SOURCE/tests/cli/each/counter.h" . &&
        cp "$DOCS_SOURCE/tests/cli/each/gtest.cc" unit_tests.cc &&
        heddle cc -o bank bank.c && heddle cc -o bank_fixed bank_fixed.c &&
        mkdir build && cp bank_fixed build/bank && { heddle run -o tests/schedules ./bank || [ $? -eq 2 ]; }
fi
