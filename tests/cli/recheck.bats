# SPDX-License-Identifier: BSD-2-Clause
#
# heddle recheck: messages, exit codes, files.  What it says after edits: tests/recheck.
# shellcheck disable=SC2154 # bats sets output and status
load helper

EXAMPLES=$BATS_TEST_DIRNAME/../../examples

# The bank, with a schedule in corpus.
bank() {
    cp "$EXAMPLES/bank.c" t.c
    heddle cc -g -o t t.c
    run heddle run -q --progress none -o corpus ./t
    exits 2
    schedule=$(echo corpus/*.heddle)
}

@test "a schedule fails as before, and is recorded for this build" {
    bank
    sed -i '1i /* a line */' t.c
    heddle cc -g -o t t.c
    run heddle replay "$schedule"
    exits 1
    has "is the schedule of another build"
    run heddle recheck --json r.json --junit r.xml corpus
    exits 2
    has "FAILS as before"
    has "1 schedule: 1 FAILS as before"
    json r.json 'r["verdict"] == "bug" and r["exit_code"] == 2 and len(r["tests"]) == 1'
    json r.json 'r["tests"][0]["recheck"]["outcome"] == "fails" and r["tests"][0]["findings"][0]["kind"] == "assertion"'
    grep -q '<failure type="assertion"' r.xml
    run heddle replay .heddle/recheck/*.heddle
    exits 2
    has "the same assertion again"
}

@test "a schedule that passes ends with 0, says of what, and runs nothing else" {
    bank
    sed -i 's/== 200/> 0/' t.c
    heddle cc -g -o t t.c
    run heddle recheck --json r.json corpus
    exits 0
    has "passes now"
    has "exactly the recorded operations"
    json r.json 'r["verdict"] == "clean" and r["tests"][0]["complete"]'
    json r.json 'r["tests"][0]["recheck"]["followed"] == r["tests"][0]["recheck"]["switches"] > 0'
    json r.json 'r["tests"][0]["executions"] == r["tests"][0]["recheck"]["switches"] + 2'
    [ ! -e .heddle/recheck ]
}

@test "a schedule whose operations are gone ends with 4, after executions near it" {
    bank
    cp "$EXAMPLES/bank_fixed.c" t.c
    heddle cc -g -o t t.c
    run heddle recheck --budget 10m --executions 50 --json r.json corpus
    exits 4
    has "does not apply any more"
    json r.json 'r["tests"][0]["recheck"]["outcome"] == "does-not-apply" and r["tests"][0]["executions"] > 50'
}

@test "a program outside the directory is run only if it is named" {
    mkdir in out
    cd in
    bank
    cd ../out
    run heddle recheck ../in/corpus
    exits 1
    has "not below the current directory"
    has "-- "
    run heddle recheck ../in/corpus -- ../in/t
    exits 2
    has "FAILS as before"
}

@test "schedules of other programs are left out, and if all are, that is an error" {
    bank
    cp t other
    run heddle recheck corpus -- ./other
    exits 1
    has "none of the schedules is of ./other"
    mkdir both
    sed 's/^program .*/program ".\/u"/' "$schedule" >both/broken.heddle
    cp "$schedule" both
    run heddle recheck --json r.json both -- ./t
    exits 2
    has "broken.heddle: not run"
    json r.json 'r["skipped"] == ["both/broken.heddle"] and len(r["tests"]) == 1'
}

@test "without a schedule it says so" {
    run heddle recheck
    exits 1
    has "no schedule in .heddle"
}

@test "a schedule of an earlier version is followed by kind and object" {
    bank
    sed -i '1i /* a line */' t.c
    heddle cc -g -o t t.c
    # as version 3 wrote it: no functions, no regions; the sum over the lines is that of src/base/hash.h
    python3 -IS - "$schedule" <<'END'
import re, sys
MASK = (1 << 64) - 1
def mix(h, v):
    p = ((h ^ v ^ 0x9e3779b97f4a7c15) & MASK) * 0xd6e8feb86659fd93
    return (p ^ p >> 64) & MASK
def add(h, line):
    h = mix(h, len(line))
    for i in range(0, len(line), 8):
        h = mix(h, int.from_bytes(line[i:i + 8], 'little'))
    return h
lines = [re.sub(r'( [0-9a-f]{8}) "[^"]*"( \w+)?$', r'\1', l)
         for l in open(sys.argv[1]).read().splitlines() if not l.startswith('end ')]
lines[0] = 'heddle-schedule 3'
total = 0
for line in lines:
    total = add(total, (line + '\n').encode())
open(sys.argv[1], 'w').write('\n'.join(lines + [f'end {total:016x}']) + '\n')
END
    grep -q '^heddle-schedule 3$' "$schedule"
    run heddle recheck corpus
    exits 2
    has "FAILS as before"
}
