#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# The table of the C library's functions: every function that libc exports is decided about, what the table
# has is what the runtime exports, and the documentation is made of it.
load helper

root=$BATS_TEST_DIRNAME/../..

# A copy of what tools/calls reads, to change it.
copy() {
    mkdir -p tree/src/runtime tree/docs tree/tools
    cp -r "$root/src/runtime/calls" tree/src/runtime/
    cp "$root/docs/calls.md" tree/docs/
    cp "$root/tools/calls" tree/tools/
}

@test "every function of libc is in calls.def or in passed_by.txt, and docs/calls.md is up to date" {
    run "$root/tools/calls" check
    echo "$output"
    exits 0
}

@test "what the table has is what the runtime exports" {
    library=$(dirname "$(realpath "$(command -v "$HEDDLE")")")/../lib/libheddle.so
    run "$root/tools/calls" exports "$library"
    echo "$output"
    exits 0
}

@test "an undecided function is named" {
    copy
    sed -i 's/ strfry / /' tree/src/runtime/calls/passed_by.txt
    run tree/tools/calls check
    exits 1
    has "strfry: undecided"
}

@test "a function that two decide about is named, and so is a pattern that fits nothing" {
    copy
    printf '\nmine: x\n    rand nothing_*\n' >>tree/src/runtime/calls/passed_by.txt
    run tree/tools/calls check
    exits 1
    has "rand: both in calls.def and in passed_by.txt"
    has "nothing_* (mine) fits no function"
}

@test "documentation that is not up to date is named" {
    copy
    sed -i 's/^TURN(int, rand,/TURN(long, rand,/' tree/src/runtime/calls/calls.def
    run tree/tools/calls check
    exits 1
    has "docs/calls.md: not up to date"
}
