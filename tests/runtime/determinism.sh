#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# determinism.sh - the same seed gives the same executions: twice, in one process
# or in a process each, for every compiler, level and kind of executable.  The
# program checks in each execution that it starts from its initial state.
. "$(dirname "$0")/common.shlib"
need gcc

compilers=gcc
if command -v clang >/dev/null 2>&1; then compilers="gcc clang"; fi

# hash_of NAME N ARGUMENT...: of N clean executions
hash_of() {
    clean_random "$@" ./busy x=y
    hash=$(field trace_hash)
}

# twice NAME N: in one process, and the same again
twice() {
    hash_of "$1" "$2" --isolation inproc
    first=$hash
    hash_of "$1, again" "$2" --isolation inproc
    same "$1: the same $2 executions twice" "$first" "$hash"
}

# forked NAME N: a process each makes no difference
forked() {
    hash_of "$1, in process" "$2" --isolation inproc
    first=$hash
    hash_of "$1, a process each" "$2" --isolation fork
    same "$1: the same $2 executions in a process each" "$first" "$hash"
}

everything() {
    for compiler in $compilers; do
        for level in -O0 -O1 -O2 -O3; do
            for kind in "-fPIE -pie" "-fno-pie -no-pie"; do
                name="$compiler $level ${kind#* }"
                # shellcheck disable=SC2086
                HEDDLE_CC=$compiler build busy busy.c $level $kind || continue
                case $name in
                "gcc -O2 -pie" | "clang -O0 -no-pie") n=10000 m=500 ;;
                *) n=1000 m=100 ;;
                esac
                twice "$name" $n
                forked "$name" $m
            done
        done
    done
}

# Another seed really is another search, and the strategy's own numbers repeat.
seeds() {
    build busy busy.c -O1 || return
    random 500 1 ./busy x=y
    first=$(field trace_hash)
    random 500 2 ./busy x=y
    holds "another seed, other executions" test "$first" != "$(field trace_hash)"
    for strategy in mix pct dfs ipb idb; do
        search run --strategy $strategy --executions 2000 --seed 3 ./busy x=y
        first="$rc $(field executions) $(field trace_hash)"
        search run --strategy $strategy --executions 2000 --seed 3 ./busy x=y
        same "$strategy twice" "$first" "$rc $(field executions) $(field trace_hash)"
    done
}

# repeated WHAT N ARGUMENT...: the trace is the first one's, or the verdict says that
# this is not controlled
repeated() {
    what=$1
    shift
    clean_random "$what" "$@" ./identity "$what"
    if [ "$(field trace_hash)" = "$first" ] || ! grep -q '"uncontrolled": \[\]' "$json"; then
        pass
    else
        fail "$what" "differs from process to process ($*), and the verdict is silent about it"
    fi
}

# What the kernel gives to each process is the same in all of them, or else the
# program's answer to it could not be replayed.
identity() {
    build identity identity.c -O1 || return
    for what in pid tid ppid urandom urandom-stream getrandom arc4random auxiliary-random canary \
        time clock-syscall heap-address stack-address argument-address libc-address self; do
        clean_random "$what" 3 --isolation inproc ./identity $what
        first=$(field trace_hash)
        repeated $what 3 --isolation inproc
        repeated $what 3 --isolation fork
    done
}

# The tool has read debug information, and so has files open, when it starts the program to
# minimise a finding; a replay begins with none.
descriptors() {
    build descriptor descriptor.c -g -O1 || return
    heddle run --executions 100 --progress none -o "$work/found" ./descriptor
    same "descriptor: found" 2 $rc
    heddle replay "$work/found/latest"
    same "descriptor: a minimised finding can be replayed" 2 $rc
    says "descriptor: ... and is the same" "FOUND assertion"
    heddle run --executions 3 --progress none -o "$work/found" ./descriptor inherited 7</dev/null
    same "descriptor: what the user has opened is handed down" 4 $rc
    heddle run --executions 3 --progress none -o "$work/found" ./descriptor inherited
    same "descriptor: ... and nothing else" 2 $rc
}

everything
seeds
identity
descriptors
finish
