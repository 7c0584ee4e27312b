# SPDX-License-Identifier: BSD-2-Clause
#
# helper.bash - what the tests of the command line share.
# shellcheck shell=bash disable=SC2154 # bats sets output and status

setup() {
    : "${HEDDLE:=$BATS_TEST_DIRNAME/../../build/bin/heddle}"
    unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX NO_COLOR COLUMNS
    cd "$BATS_TEST_TMPDIR" || return 1
}

heddle() { "$HEDDLE" "$@"; }

# has TEXT: the output of the last `run` contains it
has() {
    [[ "$output" == *"$1"* ]] || {
        echo "missing: $1"
        echo "output:  $output"
        return 1
    }
}

# absent PATTERN: no line of standard input matches.  (Bats does not see a command
# with `!` before it fail, unless it is the last one.)
absent() { ! grep -e "$1"; }

# eventually COMMAND...: it succeeds within a minute, so that a busy machine does not matter
eventually() {
    for ((try = 0; try < 600; try++)); do
        if "$@"; then return 0; fi
        sleep 0.1
    done
    echo "never: $*"
    return 1
}

# exits CODE
exits() {
    [ "$status" -eq "$1" ] || {
        echo "exit code $status instead of $1; output: $output"
        return 1
    }
}

# validated [-r] KIND:FILE...: all are valid by their schemas, with -r none is; if there is a validator
validated() {
    run env HEDDLE="$HEDDLE" python3 "$BATS_TEST_DIRNAME/../formats/validate.py" "$@"
    [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || { echo "$output"; return 1; }
}

# json FILE EXPRESSION: a Python expression over the object r
json() { python3 -IS -c 'import json, sys; r = json.load(open(sys.argv[1])); assert eval(sys.argv[2]), r' "$@"; }
