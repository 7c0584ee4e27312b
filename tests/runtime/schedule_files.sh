#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# schedule_files.sh - a recorded schedule repeats its finding, wherever and how
# often it is replayed; a file that is damaged or not for this program is refused
# with a reason; a program that does not repeat itself is called that.
. "$(dirname "$0")/common.shlib"
need gcc

# refused NAME CODE PATTERN FILE: replay ends with that code and says why, in one
# sentence of the tool's own rather than with a dump
refused() {
    heddle replay "$4"
    same "$1: exit code" "$2" "$rc"
    says "$1: reason" "$3"
}

record() {
    build ordered ordered.c -O1 || finish
    random 1000 5 ./ordered
    same "recorded" "2 assertion" "$rc $(field kind)"
    file=$(field schedule)
    same "it has its name from its content" "$(field id).heddle" "$(basename "$file")"
    cp "$file" "$work/good.heddle"
}

repeats() {
    for i in 1 2 3; do
        heddle replay "$file"
        same "replay $i" 2 "$rc"
        says "replay $i: same" 'the same assertion again'
        grep -v '^reproduce' "$work/said" >"$work/said.$i"
    done
    holds "word for word, twice" cmp -s "$work/said.1" "$work/said.2"
    heddle replay --isolation fork "$file"
    same "replay in a process of its own" 2 "$rc"
    heddle replay -o "$work/found"
    same "the newest by default" 2 "$rc"
    heddle replay --output "$file"
    says "what it printed" 'thread 2, first was 2'
}

elsewhere() {
    mkdir "$work/other"
    (cd "$work/other" && exec "$HEDDLE" replay ../good.heddle) >"$work/said" 2>&1
    same "from another directory" 1 $?
    says "what it would have run" "ordered"
    (cd "$work/other" && exec "$HEDDLE" replay ../good.heddle -- ../ordered) >"$work/said" 2>&1
    same "from another directory, with the program named" 2 $?
    (cd / && exec "$HEDDLE" replay "$work/good.heddle") >"$work/said" 2>&1
    same "from the root" 1 $?
    chmod 444 "$work/good.heddle"
    heddle replay "$work/good.heddle"
    same "a file that cannot be written" 2 "$rc"
    set -- "$work"/found/*.heddle
    same "replay writes no other file" 1 $#
}

# damage NAME SED-SCRIPT: every damaged file is refused as the user's mistake
damage() {
    sed -e "$2" "$work/good.heddle" >"$work/bad.heddle"
    holds "$1: really damaged" test -n "$(cmp "$work/good.heddle" "$work/bad.heddle" 2>&1)"
    refused "$1" 1 "bad.heddle" "$work/bad.heddle"
}

damaged() {
    damage "other version" '1s/[0-9]*$/99/'
    damage "other format" '1s/.*/something else/'
    damage "build id" 's/^build-id ....*/build-id zz/'
    damage "thread that does not exist" 's/^\([0-9]*\) t1 /\1 t77 /'
    damage "unknown kind" 's/MUTEX_LOCK/MUTEX_LACK/'
    damage "step left out" '/^5 t/d'
    damage "steps swapped" '/^5 t/{h;d;};/^6 t/G'
    damage "wrong count" 's/^steps .*/steps 4000000000/'
    damage "negative count" 's/^steps .*/steps -1/'
    damage "one digit" 's/^\(4 .*\)[0-9a-f]$/\1x/'
    damage "option" 's/^option max-steps.*/option max-steps no/'
    damage "unknown word" 's/^kind/kund/'
    damage "the end" '$d'
    damage "control characters" '3s/$/'"$(printf '\001')"'/'
    for bytes in 0 1 17 100 400; do
        head -c $bytes "$work/good.heddle" >"$work/bad.heddle"
        refused "cut off after $bytes bytes" 1 bad.heddle "$work/bad.heddle"
    done
    head -c -1 "$work/good.heddle" >"$work/bad.heddle"
    heddle replay "$work/bad.heddle"
    holds "without the last newline: no crash" test $rc -le 2
    head -c 65536 /dev/zero >"$work/bad.heddle"
    refused "zeroes" 1 bad.heddle "$work/bad.heddle"
    head -c 65536 /dev/urandom >"$work/bad.heddle"
    refused "noise" 1 bad.heddle "$work/bad.heddle"
    refused "missing" 1 "missing.heddle" "$work/missing.heddle"
    refused "a directory" 1 "other" "$work/other"
    (cd "$work/other" && exec "$HEDDLE" replay) >"$work/said" 2>&1
    same "nothing recorded here" 1 $?
}

# Bytes changed at random: never anything but a repetition or a refusal.
noise() {
    size=$(wc -c <"$work/good.heddle")
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        cp "$work/good.heddle" "$work/bad.heddle"
        chmod 644 "$work/bad.heddle"
        printf '\\' | dd of="$work/bad.heddle" bs=1 seek=$((size * i / 13)) conv=notrunc 2>/dev/null
        heddle replay "$work/bad.heddle"
        case $rc in
        1 | 2 | 5) pass ;;
        *) fail "byte $((size * i / 13)) changed" "exit code $rc" ;;
        esac
    done
}

# Without a build id, only the steps can tell that it is another program.
nameless_build() {
    build ordered ordered.c -O1 -Wl,--build-id=none || return
    random 1000 5 ./ordered
    file=$(field schedule)
    build ordered ordered.c -O1 -Wl,--build-id=none -DEXTRA || return
    refused "another build, without its id" 5 'step [0-9]' "$file"
}

other_program() {
    build ordered ordered.c -O1 -DEXTRA || return
    refused "another build" 1 'another build' "$work/good.heddle"
    says "another build: what to do" 'heddle run'
    rm "$work/ordered"
    refused "the program is gone" 1 'ordered' "$work/good.heddle"
    nameless_build
    build diverges diverges.c -O1 || return
    random 1000 5 ./diverges fail
    file=$(field schedule)
    for i in $(seq 20); do # it may happen to repeat itself
        heddle replay "$file"
        [ "$rc" = 5 ] && break
    done
    same "does not repeat itself" 5 "$rc"
    says "does not repeat itself: step" 'step [0-9]'
    for i in $(seq 40); do # in every second search the other execution is cut as redundant: that proves nothing, either
        search verify ./diverges
        [ "$rc" = 5 ] && break
    done
    same "does not repeat itself, while searching" "5 diverged" "$rc $(field verdict)"
    says "does not repeat itself, while searching: step" 'step [0-9]'
}

# usage NAME PATTERN ARGUMENT...: exit 1 and a message
usage() {
    name=$1
    pattern=$2
    shift 2
    heddle "$@"
    same "$name: exit code" 1 "$rc"
    says "$name: message" "$pattern"
}

mistakes() {
    build ordered ordered.c -O1 || return
    usage "unknown option" 'frobnicate' run --frobnicate ./ordered
    usage "unknown strategy" 'frobnicate' run --strategy frobnicate ./ordered
    usage "unknown strategy key" 'frob' run --strategy random:frob=1 ./ordered
    usage "no executions" 'executions' run --executions 0 ./ordered
    usage "no time" 'budget' run --budget 0s ./ordered
    usage "no steps" 'max-steps' run --max-steps 0 ./ordered
    usage "no program" 'program\|PROGRAM' run
    usage "unknown verb" 'frobnicate' frobnicate
}

record
repeats
elsewhere
damaged
noise
other_program
mistakes
finish
