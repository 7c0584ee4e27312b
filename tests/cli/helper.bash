# SPDX-License-Identifier: BSD-2-Clause
#
# helper.bash - what the tests of the command line share.

setup() {
    : "${HEDDLE:=$BATS_TEST_DIRNAME/../../build/bin/heddle}"
    unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_CXX NO_COLOR
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

# exits CODE
exits() {
    [ "$status" -eq "$1" ] || {
        echo "exit code $status instead of $1; output: $output"
        return 1
    }
}
