#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# What `heddle doctor` says about programs; `heddle run` refuses the same ones.
load helper

program() { # NAME COMPILER-ARGUMENTS...
    local name=$1
    shift
    printf '#include <pthread.h>\nint x;\nint main(void) { return x++; }\n' >p.c
    "${CC:-gcc}" -o "$name" p.c "$@"
}

refused() { # PROGRAM PROBLEM REMEDY
    run heddle doctor "$1"
    exits 1
    has "$2"
    has "remedy: "
    has "$3"
    run heddle run "$1"
    exits 1
    has "$2"
    has "$3"
}

@test "the machine" {
    run heddle doctor
    exits 0
    has "shared memory"
    has "runtime is in its place"
    run heddle doctor -q
    exits 0
    [[ "$output" != *"ok "* ]]
}

@test "a plain program runs, with a warning about what is not visible" {
    program plain -pthread
    run heddle doctor ./plain
    exits 0
    has "not instrumented"
    has "no debug information"
    has "remedy: compile it with heddle cc"
}

@test "what is not seen has its effect on a claim, and a name for people" {
    printf 'namespace own { int x; void bump(long by) { x += by; } }\n' >plain.cc
    printf 'namespace own { void bump(long); }\nint main() { own::bump(1); return 0; }\n' >p.cc
    "${CXX:-g++}" -O1 -g -c plain.cc
    run heddle c++ -O1 -g -o mixed p.cc plain.o
    exits 0
    has "not seen, because it is not instrumented: own::bump(long)"
    run heddle doctor ./mixed
    exits 0
    has "functions are not seen: own::bump(long) (denies: if it runs beside other threads"
    [[ "$output" != *_ZN* ]]
    run heddle verify --progress none ./mixed
    exits 0
    has "did not run beside other threads: own::bump(..)"
    program plain -pthread
    run heddle doctor ./plain
    has "(denies: a search proves nothing)"
}

@test "a program of heddle cc has nothing to be warned about" {
    printf 'int x;\nint main(void) { return x++; }\n' >p.c
    heddle cc -o good p.c
    run heddle doctor ./good
    exits 0
    has "linked with Heddle's runtime"
    has "instrumented: "
    has "debug information: "
    has "build id"
}

@test "heddle cc is recognised when there is nothing to instrument, and only then" {
    printf 'int main(void) { return 0; }\n' >none.c
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        HEDDLE_CC=$cc heddle cc -o none none.c
        run heddle doctor ./none
        exits 0
        has "instrumented: "
        run heddle verify ./none
        exits 0
        [[ "$output" != *"not instrumented"* ]]
        $cc -c none.c
        HEDDLE_CC=$cc heddle cc -o linked none.o
        run heddle doctor ./linked
        exits 0
        has "linked with Heddle's runtime"
        has "not instrumented"
    done
}

@test "a dynamic TSan build of gcc" {
    CC=gcc program tsan -fsanitize=thread
    run heddle doctor ./tsan
    exits 0
    has "gcc's ThreadSanitizer"
    has "instrumented: "
}

@test "a dynamic TSan build of clang" {
    command -v clang >/dev/null || skip "clang is not installed"
    CC=clang program tsan -fsanitize=thread -shared-libsan || skip "no shared TSan runtime"
    run heddle doctor ./tsan
    exits 0
    has "clang's ThreadSanitizer"
}

@test "a program at a fixed address" {
    program fixed -no-pie
    run heddle doctor ./fixed
    exits 0
    has "at a fixed address"
}

@test "refused: TSan's runtime built in" {
    program builtin -fsanitize=thread -static-libtsan || skip "no static TSan runtime"
    refused ./builtin "built into it" "heddle cc"
}

@test "refused: the runtimes of other sanitizers" {
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        CC=$cc program asan -fsanitize=address || continue
        refused ./asan "AddressSanitizer's runtime" "without -fsanitize=address"
    done
    command -v clang >/dev/null || return 0
    CC=clang program asan -fsanitize=address -shared-libsan || return 0
    refused ./asan "AddressSanitizer's runtime" "without -fsanitize=address"
    CC=clang program msan -fsanitize=memory || return 0
    refused ./msan "MemorySanitizer's runtime" "without -fsanitize=memory"
}

@test "UBSan's runtime is no obstacle" {
    printf '#include <limits.h>\nint x;\nint main(int n, char **v) { (void)v; x = n + 1; return x != 2; }\n' >p.c
    heddle cc -fsanitize=undefined -o ubsan p.c || skip "no UBSan"
    run heddle doctor ./ubsan
    exits 0
    run heddle run --executions 10 ./ubsan
    [ "$status" -eq 0 ] || [ "$status" -eq 4 ]
}

@test "a stripped program runs, with a warning about what reports lack" {
    printf 'int x;\nint main(void) { return x++; }\n' >p.c
    heddle cc -g -o stripped p.c
    run heddle verify ./stripped
    exits 0
    [[ "$output" != *"debug information"* ]]
    strip stripped
    run heddle doctor ./stripped
    exits 0
    has "instrumented: "
    has "no debug information"
    has "remedy: compile it with -g"
    for verb in run verify; do
        run heddle $verb ./stripped
        exits 0
        has "./stripped has no debug information: reports cannot name files and lines; compile it with -g"
    done
    run heddle run -q ./stripped
    [ -z "$output" ]
}

@test "OpenMP: what can be found, and what to do for a proof" {
    printf '#include <omp.h>\nint x;\nint main(void) {\n#pragma omp parallel num_threads(2)\n__atomic_fetch_add(&x, 1, 5);\nreturn x != 2; }\n' >omp.c
    heddle cc -fopenmp -o omp omp.c || skip "no OpenMP"
    run heddle doctor ./omp
    exits 0
    has "OpenMP"
    has "for a proof, write the test with pthreads"
    run heddle run --executions 100 ./omp
    exits 4
    has "OpenMP: for a proof,"
}

@test "a source that is newer than the program" {
    printf 'int x;\n#include "h.h"\nint main(void) { return x++ * H; }\n' >p.c
    printf '#define H 0\nstatic inline int h(void) { return H; }\n' >h.h
    heddle cc -g -o p p.c
    touch -d '2020-01-01' p.c h.h
    run heddle run --executions 10 ./p
    [[ "$output" != *"is newer than"* ]]
    touch -d '+1 hour' p.c
    for verb in run verify; do
        run heddle $verb ./p
        exits 0
        has "warning: p.c is newer than ./p: build it again"
    done
    run heddle run -q ./p
    [ -z "$output" ]
    rm p.c
    run heddle verify ./p
    exits 0
    [[ "$output" != *"is newer than"* ]]
}

@test "refused: a static program" {
    program static -static
    refused ./static "linked statically" "without -static"
    program static-pie -static-pie
    refused ./static-pie "linked statically" "without -static"
}

@test "refused: a 32-bit program" {
    # an ELF header is enough: class 1 (32 bits), executable, machine 3 (i386)
    { printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\3\0\1\0\0\0'; head -c 28 /dev/zero; } >small
    chmod +x small
    refused ./small "32-bit" "x86-64"
}

@test "refused: another processor" {
    program other
    printf '\267\0' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null # machine 183: AArch64
    refused ./other "another kind of processor" "x86-64"
}

@test "refused: setuid" {
    program suid
    chmod u+s suid
    [ -u suid ] || skip "this file system has no setuid bit"
    refused ./suid "setuid" "copy"
}

@test "refused: missing, not executable, a directory" {
    refused ./missing "No such file" "check the path"
    program closed
    chmod -x closed
    refused ./closed "not executable" "chmod +x"
    mkdir folder
    refused ./folder "not a regular file" "path of a program"
}

@test "refused: a script, a text, an object file, a damaged file" {
    printf '#!/bin/sh\n:\n' >script
    printf 'hello\n' >text
    chmod +x script text
    refused ./script "script" "program that the script starts"
    refused ./text "not an ELF program" "built for this machine"
    program object.o -c
    chmod +x object.o
    refused ./object.o "object file" "link it"
    printf '\177ELF\2\1\1' >damaged
    chmod +x damaged
    refused ./damaged "" "build it again"
}

@test "refused: a program that is cut off" {
    program whole -g
    for size in 3000 12000; do
        head -c $size whole >cut
        chmod +x cut
        refused ./cut "truncated" "build it again"
    done
    head -c -100 whole >cut
    refused ./cut "truncated" "build it again"
}

@test "a missing library" {
    printf 'int zz(void) { return 0; }\n' >zz.c
    printf 'int zz(void);\nint main(void) { return zz(); }\n' >p.c
    gcc -shared -fPIC -o libzz.so zz.c
    gcc -o needs p.c -L. -lzz
    for name in ./needs needs; do
        PATH=.:$PATH run heddle doctor $name
        exits 1
        has "library that it needs is missing: libzz.so"
        has "remedy: install that library, or name its directory in LD_LIBRARY_PATH"
    done
    run heddle run ./needs
    exits 1
    has "libzz.so"
    has "run it alone first"
    LD_LIBRARY_PATH=. run heddle doctor ./needs
    exits 0
    LD_LIBRARY_PATH=. run heddle verify --strategy dfs ./needs
    exits 4 # it runs, and a plain binary proves nothing
    has "1 place is not seen (plain binary:"
}

@test "refused: a loader that is not here" {
    program strange -Wl,--dynamic-linker=/no/such/loader
    refused ./strange "the dynamic linker that it needs, /no/such/loader, is not here" "build it on this machine"
}

@test "refused: a shared library" {
    program lib.so -shared -fPIC
    chmod +x lib.so
    refused ./lib.so "shared library" "program that uses"
}

@test "a name without slash is looked up in PATH" {
    program here-only
    refused here-only "in PATH" "write ./here-only"
    PATH=$PWD:$PATH run heddle doctor here-only
    exits 0
}

@test "damage inside the file does not disturb" {
    program whole -g
    size=$(stat -c %s whole)
    for at in 32 40 64 600 $((size / 2)) $((size - 900)) $((size - 100)); do
        cp whole broken
        head -c 64 /dev/urandom | dd of=broken bs=1 seek="$at" conv=notrunc 2>/dev/null
        run heddle doctor ./broken
        [ "$status" -le 1 ]
        head -c "$at" whole >cut
        chmod +x cut
        run heddle doctor ./cut
        [ "$status" -le 1 ]
    done
}
