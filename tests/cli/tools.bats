#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# tools/check-includes and tools/check-links notice every kind of violation.
load helper

tree() { # FILE LINE
    mkdir -p "tree/$(dirname "$1")"
    printf '%s\n' "$2" >"tree/$1"
}

check() { run "$BATS_TEST_DIRNAME/../../tools/check-includes" tree; }

@test "allowed directions pass" {
    tree src/model/a.c '#include "base/check.h"'
    tree src/runtime/a.c '#include "search/core/search.h"'
    tree src/cli/a.c '#include "conductor/launch.h"'
    tree src/model/b.c '#include "model/event.h"'
    tree include/heddle/heddle.h '#include <stddef.h>'
    check
    exits 0
}

@test "wrong directions are named with file and line" {
    tree src/base/a.c $'/* x */\n  #  include "model/event.h"'
    check
    exits 1
    has "src/base/a.c:2: base must not include model"
}

@test "each forbidden pair fails" {
    for pair in cli:runtime conductor:search conductor:runtime report:search search:wire \
        model:search detect:search wire:search shrink:wire; do
        rm -rf tree
        tree "src/${pair%:*}/a.c" "#include \"${pair#*:}/x.h\""
        check
        exits 1
        has "${pair%:*} must not include ${pair#*:}"
    done
}

@test "unclear names, C files and unknown modules fail" {
    tree src/cli/a.c '#include "options.h"'
    check
    exits 1
    rm -rf tree
    tree src/cli/a.c '#include "../runtime/rt.h"'
    check
    exits 1
    rm -rf tree
    tree src/cli/a.c '#include "cli/options.c"'
    check
    exits 1
    rm -rf tree
    tree src/novel/a.c '#include "base/check.h"'
    check
    exits 1
    rm -rf tree
    tree include/heddle/heddle.h '#include "base/check.h"'
    check
    exits 1
}

@test "an empty tree is not a clean one" {
    mkdir -p tree/src
    check
    exits 1
}

@test "the headers of this project compile alone, also as C++" {
    header=$BATS_TEST_DIRNAME/../../include/heddle/heddle.h
    gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c "$header"
    g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ "$header"
}

@test "folders of a module have an order" {
    tree src/runtime/calls/a.c '#include "runtime/core/gate.h"'
    check
    exits 0
    tree src/runtime/core/a.c '#include "runtime/calls/io.h"'
    check
    exits 1
    has "src/runtime/core/a.c:1: runtime/core must not include runtime/calls"
    rm -rf tree
    tree src/runtime/novel/a.c '#include "runtime/core/gate.h"'
    check
    exits 1
    has "runtime has no folder novel"
}

@test "eight units that include each other are too many" {
    for i in 1 2 3 4 5 6 7; do
        tree "src/model/u$i.h" "#include \"model/u$((i % 7 + 1)).h\""
    done
    check
    exits 0
    tree src/model/u7.h '#include "model/u8.h"'
    tree src/model/u8.h '#include "model/u1.h"'
    check
    exits 1
    has "8 units include each other in a circle"
}

object() { # FOLDER FILE CODE
    mkdir -p "objects/src/runtime/$1"
    printf '%s\n' "$3" | cc -fno-builtin -x c -c - -o "objects/src/runtime/$1/$2.o"
}

@test "an object file uses only the symbols of its own folder and of those below" {
    object core state.c 'int hd;'
    object calls io.c 'extern int hd; int hd_io(void) { return hd; } int bcmp(void) { return 0; }'
    run "$BATS_TEST_DIRNAME/../../tools/check-links" objects
    exits 0
    object core gate.c 'int hd_io(void); int bcmp(void); int hd_gate(void) { return hd_io() + bcmp(); }'
    run "$BATS_TEST_DIRNAME/../../tools/check-links" objects
    exits 1
    has "src/runtime/core/gate.c.o: uses hd_io, which runtime/calls defines"
    [ "$(grep -c uses <<<"$output")" -eq 1 ]
}

@test "make configures again after a configuration that failed" {
    mkdir bin
    cat >bin/cmake <<'END'
#!/bin/sh
[ "$1" = -S ] || exit 0
mkdir -p out
: >out/CMakeCache.txt
echo configured >>configured.txt
[ -f installed ]
END
    chmod +x bin/cmake
    touch CMakeLists.txt
    build() { MAKEFLAGS= PATH=$PWD/bin:$PATH run make -f "$BATS_TEST_DIRNAME/../../Makefile" BUILD=out all; }
    build
    exits 2
    touch installed
    build
    exits 0
    [ "$(wc -l <configured.txt)" = 2 ]
}
