#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tsan_abi.sh - libheddle.so exports every __tsan_* entry point that gcc's and
# clang's TSan libraries export: lazy binding would hide a missing one until a
# target calls it.
#
# tsan_abi.txt beside this script holds the names (gcc 12 and clang 14); those of
# the libraries installed here are added, so a newer compiler is checked as well.
# HEDDLE names the heddle command; the library is found from it.
set -eu

here=$(dirname "$0")
lib=$(dirname "${HEDDLE:?names the heddle command to test}")/../lib/libheddle.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exported() {
    nm -D --defined-only "$1" | awk '{ print $NF }' | sed 's/@.*//'
}

# The library that a compiler would link, or nothing.
installed() {
    for name in "$(gcc -print-file-name=libtsan.so.2 2>/dev/null || true)" \
                "$(clang -print-file-name=libclang_rt.tsan-x86_64.so 2>/dev/null || true)"; do
        case $name in
        /*) [ -e "$name" ] && echo "$name" ;;
        esac
    done
    return 0
}

cp "$here/tsan_abi.txt" "$work/want"
installed | while read -r tsan; do
    exported "$tsan" | grep '^__tsan_' >>"$work/want"
    echo "with the names of $(basename "$tsan")"
done
sort -u -o "$work/want" "$work/want"
exported "$lib" | sort -u >"$work/have"

comm -23 "$work/want" "$work/have" >"$work/missing"
if [ -s "$work/missing" ]; then
    echo "libheddle.so does not export:"
    cat "$work/missing"
    exit 1
fi
echo "$(wc -l <"$work/want") entry points, all exported"
