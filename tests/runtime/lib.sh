# SPDX-License-Identifier: BSD-2-Clause
#
# lib.sh - steps that the scripts of this directory share.  A script sources it
# first (`. "$(dirname "$0")/lib.sh"`) and ends with `finish`.
#
# A script has a directory of its own ($work) for everything that it makes, so
# nothing is left behind and two scripts can run at the same time.  It judges by
# verdict, exit code and counts, never by time: the machine may be busy.
#
# Sourced by a shell, this file runs no test: as a test of its own it passes.
case ${0##*/} in
lib.sh)
    echo "0 passed, 0 failed"
    exit 0
    ;;
esac

set -u
: "${HEDDLE:?names the heddle command to test}"
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/programs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX
json=$work/result.json
passed=0
failed=0
rc=0

# ---- results -----------------------------------------------------------------

pass() {
    passed=$((passed + 1))
}

# fail NAME WHAT: with what the tool said last
fail() {
    failed=$((failed + 1))
    echo "FAILED: $1: $2"
    [ ! -s "$work/said" ] || sed 's/^/    | /' "$work/said" | head -12
}

# same NAME WANT GOT
same() {
    if [ "$2" = "$3" ]; then pass; else fail "$1" "expected '$2', got '$3'"; fi
}

# holds NAME COMMAND...: the command succeeds
holds() {
    holds_name=$1
    shift
    if "$@" >/dev/null 2>&1; then pass; else fail "$holds_name" "does not hold: $*"; fi
}

# says NAME PATTERN: the last command printed it
says() {
    if grep -q -e "$2" "$work/said"; then pass; else fail "$1" "nothing about '$2' was said"; fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit $?
}

# need COMMAND...: without them the whole script is skipped
need() {
    for command in "$@"; do
        command -v "$command" >/dev/null 2>&1 && continue
        echo "skipped: there is no $command"
        exit 77
    done
}

# ---- steps ---------------------------------------------------------------------

# build OUT SOURCE [FLAG...]: with heddle cc (or c++, by the source's name).  OUT
# is a name in $work; a program that cannot be built is a failure.
build() {
    build_out=$work/$1
    build_source=$programs/$2
    shift 2
    case $build_source in
    *.cc) build_verb=c++ ;;
    *) build_verb=cc ;;
    esac
    "$HEDDLE" $build_verb -D_GNU_SOURCE "$@" -o "$build_out" "$build_source" >"$work/said" 2>&1 && return 0
    fail "$(basename "$build_source")" "cannot be built ($*)"
    return 1
}

# heddle ARGUMENT...: exit code to $rc, what it says to $work/said
heddle() {
    (cd "$work" && exec "$HEDDLE" "$@") >"$work/said" 2>&1
    rc=$?
}

# search VERB ARGUMENT...: heddle VERB, with the result as JSON for `field`
search() {
    search_verb=$1
    shift
    rm -f "$json"
    heddle "$search_verb" --progress none --color never --json "$json" -o "$work/found" "$@"
}

# random N SEED ARGUMENT...: a search of N random executions
random() {
    random_n=$1
    random_seed=$2
    shift 2
    search run --strategy random --executions "$random_n" --seed "$random_seed" "$@"
}

# field NAME [FILE]: a value of the result, without its quotes.  Within a finding
# the first one counts.
field() {
    grep -o "\"$1\": *\(\"[^\"]*\"\|[^,}]*\)" "${2:-$json}" 2>/dev/null | head -1 |
        sed -e 's/^[^:]*: *//' -e 's/^"//' -e 's/"$//'
}

# clean_random NAME N ARGUMENT...: N random executions that find nothing and in
# which no worker is lost
clean_random() {
    clean_name=$1
    clean_n=$2
    shift 2
    random "$clean_n" 5 "$@"
    same "$clean_name" "4 budget $clean_n 0 0" \
        "$rc $(field verdict) $(field executions) $(field buggy) $(field workers_lost)"
}

# same_when_forked NAME N ARGUMENT...: N executions in one process leave the same
# trace as N executions that have a fresh process each
same_when_forked() {
    forked_name=$1
    forked_n=$2
    shift 2
    clean_random "$forked_name in process" "$forked_n" --isolation inproc "$@"
    forked_hash=$(field trace_hash)
    clean_random "$forked_name in a process each" "$forked_n" --isolation fork "$@"
    same "$forked_name: same trace in either" "$forked_hash" "$(field trace_hash)"
}
