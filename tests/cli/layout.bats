#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# The files that the build makes and an installation holds: their names, sonames
# and symbols are what the loader and the compilers go by.
load helper

prefix() { cd "$(dirname "$HEDDLE")/.." && pwd; }

soname() { readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'; }

@test "each name of the runtime has the soname that programs ask for" {
    lib=$(prefix)/lib
    [ "$(soname "$lib/libheddle.so")" = libheddle.so ]
    [ "$(soname "$lib/tsan/libtsan.so.2")" = libtsan.so.2 ]
    [ "$(soname "$lib/tsan/libclang_rt.tsan-x86_64.so")" = libclang_rt.tsan-x86_64.so ]
    [ "$(soname "$lib/tsan/link/libtsan.so")" = libheddle.so ]
}

@test "the runtime needs only libc and its unwinder, binds at once, versions nothing" {
    lib=$(prefix)/lib/libheddle.so
    needed=$(readelf -d "$lib" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
    sed -e '/^libc\.so\.6$/d' -e '/^libgcc_s\.so\.1$/d' -e '/^ld-linux/d' <<<"$needed" | absent .
    readelf -d "$lib" | grep -q BIND_NOW
    readelf -d "$lib" | absent VERDEF
}

@test "the runtime exports every entry point of both TSan libraries" {
    nm -D --defined-only "$(prefix)/lib/libheddle.so" | sed 's/.* //' | sort >ours
    clang=$(clang -print-resource-dir 2>/dev/null)/lib/linux/libclang_rt.tsan-x86_64.so
    checked=0
    for theirs in "$(gcc -print-file-name=libtsan.so)" "$clang"; do
        [ -e "$theirs" ] || continue
        nm -D --defined-only "$theirs" | sed 's/.* //; s/@.*//' | grep '^__tsan_' | sort >wanted
        run comm -13 ours wanted
        [ -z "$output" ]
        checked=$((checked + 1))
    done
    [ "$checked" -gt 0 ] || skip "no TSan library to compare with"
}

@test "nothing internal leaks out of the runtime" {
    run bash -c "nm -D --defined-only '$(prefix)/lib/libheddle.so' | grep ' hd_'"
    [ -z "$output" ]
}

@test "an installation works wherever it is put" {
    [ -f "$(prefix)/CMakeCache.txt" ] || skip "not a build tree"
    cmake --install "$(prefix)" --prefix "$PWD/a place" >/dev/null
    installed="$PWD/a place/bin/heddle"
    run "$installed" doctor
    exits 0
    printf 'int x; int main(void) { return x++; }\n' >a.c
    "$installed" cc -o a a.c
    readelf -d a | grep -q "RUNPATH.*a place/lib"
    ./a
    for verb in $(heddle help | sed -n 's/^  \([a-z+]*\)  *.*/\1/p' | grep -vx heddle); do
        [ -s "a place/share/man/man1/heddle-$verb.1" ]
    done
    [ -s "a place/share/man/man1/heddle.1" ]
    [ -s "a place/share/bash-completion/completions/heddle" ]
    [ -s "a place/share/zsh/site-functions/_heddle" ]
    [ -s "a place/share/fish/vendor_completions.d/heddle.fish" ]
    for file in include/heddle/heddle.h include/heddle/test.h lib/cmake/heddle/heddleConfig.cmake \
        lib/pkgconfig/heddle.pc share/heddle/gdb/load.py share/doc/heddle/docs/integration.md; do
        [ -s "a place/$file" ]
    done
}
