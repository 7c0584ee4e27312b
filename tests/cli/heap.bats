#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Findings of the heap: what the report tells, and that each is there again in a
# replay, also what only a comparison of executions has shown.
load helper

programs=$BATS_TEST_DIRNAME/../litmus/heap

# build NAME: the program of that name, with its places in the code
build() {
    heddle cc -g -O1 -o "$1" "$programs/$1.c"
}

# again KIND ARGUMENT...: found, and found again in a replay
again() {
    local kind=$1
    shift
    run heddle run --strategy dfs --progress none "$@"
    exits 2
    has "FOUND $kind"
    found=$output
    run heddle replay
    exits 2
    has "the same $kind again"
    # the same words, but for what depends on the run
    first=$(sed -n '2,/^Interleaving/p' <<<"$found")
    has "$first"
}

@test "every kind is found again by its replay" {
    for program in uaf double_free realloc mutex_freed dead_stack; do
        build ${program}_bug
    done
    again use-after-free ./uaf_bug
    again use-after-free ./realloc_bug
    again use-after-free ./mutex_freed_bug
    again use-after-free ./dead_stack_bug
    again double-free ./double_free_bug
    build range_bug
    again heap-overflow ./range_bug memcpy
    build bad_free_bug
    again bad-free ./bad_free_bug stack
}

@test "a replay knows how the heap was used" {
    build aba_bug
    again use-after-free --heap recycle ./aba_bug
}

@test "a leak is found again, whichever execution showed the difference" {
    build leak_bug
    again leak ./leak_bug
    build leak_first_bug
    again leak ./leak_first_bug
    has "execution 1"
}

@test "a report tells who allocated and freed the block, where and between which steps" {
    build uaf_bug
    run heddle run --strategy dfs --progress none ./uaf_bug
    has "T1 reads *data at uaf_bug.c:14, at the start of a block of 4 bytes that main has"
    rows=$(sed -n '/^Interleaving/,/^$/s/  */ /gp' <<<"$output")
    [[ "$rows" == *"lock lock uaf_bug.c:28"$'\n'"> frees the block uaf_bug.c:29"* ]]
    [[ "$rows" == *"> ** use-after-free uaf_bug.c:14"* ]]
    has "free(data);  <- main frees"
    absent "#0 " <<<"$output" # nothing called anything
    run heddle replay -v
    has "The block was allocated by main before step 1"
    has "The block was freed by main between steps 2 and 3"
    has "uaf_bug.c:21"
    has "free(data);"
}

@test "the same seed gives the same findings" {
    build leak_bug
    build atomic_uaf_bug
    for program in leak_bug atomic_uaf_bug; do
        heddle run --strategy random --seed 5 --executions 300 --keep-going --progress none \
            ./$program | grep -v " in .* ms\| per second\|reproduce" >one || true
        heddle run --strategy random --seed 5 --executions 300 --keep-going --progress none \
            ./$program | grep -v " in .* ms\| per second\|reproduce" >two || true
        grep -q FOUND one
        diff one two
    done
}

@test "every execution in a process of its own finds the same" {
    build leak_first_bug
    build uaf_bug
    again leak --isolation fork ./leak_first_bug
    again use-after-free --isolation fork ./uaf_bug
}
