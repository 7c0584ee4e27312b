#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# ways_in.sh - the three ways in (compiled by heddle cc, an existing build for
# ThreadSanitizer, a plain binary), and the programs that are refused, each with
# what to do about it.
. "$(dirname "$0")/common.shlib"
need gcc

have_clang() {
    command -v clang >/dev/null 2>&1
}

# finds NAME: the bug of ordered.c, and its replay; in a clean program none
finds() {
    random 1000 5 ./prog
    same "$1: finding" "2 assertion" "$rc $(field kind)"
    heddle replay -o "$work/found"
    same "$1: replay" 2 "$rc"
    search verify ./prog
    same "$1: verify" "2 bug" "$rc $(field verdict)"
}

instrumented() {
    for compiler in gcc clang; do
        command -v $compiler >/dev/null 2>&1 || continue
        for level in -O0 -O2; do
            HEDDLE_CC=$compiler "$HEDDLE" cc $level -o "$work/prog" "$programs/ordered.c" &&
                finds "heddle cc, $compiler $level"
            same "$compiler $level: nothing uncontrolled" '' "$(uncontrolled)"
        done
        # Without heddle it is an ordinary program.
        HEDDLE_CC=$compiler "$HEDDLE" cc -O1 -o "$work/native" "$programs/threads20.c" &&
            "$work/native" >"$work/said" 2>&1
        same "$compiler: runs without heddle" 0 $?
    done
    "$HEDDLE" c++ -O1 -o "$work/native" "$programs/throwing.cc" && "$work/native" >"$work/said" 2>&1
    same "c++: runs without heddle" 0 $?
    # Compiled and linked in two steps, as a build system does it.
    "$HEDDLE" cc -O1 -c -o "$work/prog.o" "$programs/ordered.c" &&
        "$HEDDLE" cc -o "$work/prog" "$work/prog.o" && finds "in two steps"
}

uncontrolled() {
    sed -n '/"uncontrolled"/,$p' "$json" | grep -o '\[".*' | head -1
}

# The count of orders shows that atomics and accesses are seen just as well.
existing_tsan() {
    gcc -g -O1 -fsanitize=thread -o "$work/prog" "$programs/ordered.c" && finds "gcc's tsan"
    have_clang || return
    clang -g -O1 -fsanitize=thread -shared-libsan -o "$work/prog" "$programs/ordered.c" \
        2>"$work/said" && finds "clang's shared tsan"
}

# Same program, same orders, however it came in.
same_space() {
    build prog counter.c -O1 && search verify --strategy dfs --executions 250000 ./prog
    want="$rc $(field executions)"
    same "counter, instrumented" "0 188604" "$want"
    gcc -O1 -fsanitize=thread -o "$work/prog" "$programs/counter.c" && search verify --strategy dfs ./prog
    same "counter, gcc's tsan" "$want" "$rc $(field executions)"
    gcc -O1 -o "$work/prog" "$programs/counter.c" && search verify --strategy dfs ./prog
    same "counter, plain: it proves nothing" "4 ${want#0 }" "$rc $(field executions)"
}

plain() {
    gcc -g -O1 -o "$work/prog" "$programs/ordered.c" && finds "plain"
    says "plain: races cannot be seen" 'not instrumented\|without instrumentation\|heddle cc'
    holds "plain: in the JSON, too" test -n "$(uncontrolled)"
    gcc -O1 -o "$work/prog" "$programs/stack_garbage.c" -I "$include" &&
        clean_random "plain, restarted" 2000 --isolation inproc ./prog
    g++ -O1 -o "$work/prog" "$programs/throwing.cc" &&
        clean_random "plain C++, restarted" 1000 --isolation inproc ./prog
}

# refused NAME PATTERN PROGRAM: exit 1, and the message holds the remedy; doctor
# says the same before anything is run
refused() {
    heddle run "$3"
    same "$1: exit code" 1 "$rc"
    says "$1: remedy" "$2"
    heddle doctor "$3"
    same "$1: doctor" 1 "$rc"
}

# An executable header of another kind: CLASS and MACHINE are octal bytes.
fabricate() {
    printf '\177ELF\'"$2"'\001\001\000\000\000\000\000\000\000\000\000\002\000\'"$3"'\000\001\000\000\000' \
        >"$work/$1"
    head -c 200 /dev/zero >>"$work/$1"
    chmod +x "$work/$1"
}

refusals() {
    gcc -O1 -static -o "$work/static" "$programs/ordered.c" 2>"$work/said" &&
        refused "static" 'static' ./static
    gcc -O1 -static-pie -o "$work/static-pie" "$programs/ordered.c" 2>"$work/said" &&
        refused "static-pie" 'static' ./static-pie
    gcc -O1 -fsanitize=thread -static-libtsan -o "$work/built-in" "$programs/ordered.c" \
        2>"$work/said" && refused "static tsan (gcc)" 'heddle cc' ./built-in
    have_clang && clang -O1 -fsanitize=thread -o "$work/built-in-clang" "$programs/ordered.c" \
        2>"$work/said" && refused "static tsan (clang)" 'shared-libsan' ./built-in-clang
    fabricate bits32 001 003
    refused "32 bit" '32' ./bits32
    fabricate arm64 002 267
    refused "another processor" 'x86-64\|x86_64\|architecture\|processor' ./arm64
    build setuid ordered.c -O1 && chmod u+s "$work/setuid" && refused "setuid" 'set.*uid' ./setuid
    build setgid ordered.c -O1 && chmod g+s "$work/setgid" && refused "setgid" 'set.*gid' ./setgid
    refused "missing" 'missing\|does not exist\|No such' ./missing
    refused "directory" 'directory\|file' ./found
    build plain ordered.c -O1 && chmod a-x "$work/plain" && refused "not executable" 'chmod\|execut' ./plain
    printf '#!/bin/sh\nexit 0\n' >"$work/script" && chmod +x "$work/script"
    refused "script" 'script' ./script
    : >"$work/empty" && chmod +x "$work/empty"
    refused "empty file" 'empty' ./empty
    head -c 100 "$work/setuid" >"$work/cut" && chmod +x "$work/cut"
    refused "half a program" 'cut' ./cut
    mkdir -p "$work/found"
}

include=$(cd "$here/../../include" && pwd)
instrumented
existing_tsan
same_space
plain
refusals
finish
