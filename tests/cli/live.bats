#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# live.bats - the panel on a terminal (terminal.py is one), stats.json, and heddle status.
# shellcheck disable=SC2154 # bats sets output and status

load helper

setup_file() {
    : "${HEDDLE:=$BATS_TEST_DIRNAME/../../build/bin/heddle}"
    cd "$BATS_FILE_TMPDIR" || return 1
    # far too many interleavings to finish
    cat >big.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *f(void *a)
{
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return 0;
}
END
    cat >race.c <<'END'
#include <pthread.h>
static int x;
static void *f(void *a) { x = 1; return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
END
    cat >small.c <<'END'
int main(void) { return 0; }
END
    for program in big race small; do "$HEDDLE" cc -o $program $program.c; done
}

teardown() {
    if [ -n "${searching:-}" ]; then
        kill -KILL "$searching" 2>/dev/null || true
        wait "$searching" 2>/dev/null || true
    fi
}

# on_terminal SIZE [EVENTS] -- ARGUMENTS: what came of it is in t.json
on_terminal() {
    local args=()
    while [ "$1" != -- ]; do args+=("$1"); shift; done
    shift
    TERM=xterm NO_COLOR="" timeout 60 python3 "$BATS_TEST_DIRNAME/terminal.py" "${args[@]}" -- \
        "$HEDDLE" "$@" >t.json
    json t.json 'not r["strange"] and r["echo"]'
}

# search ARGUMENTS: in the background
search() {
    "$HEDDLE" "$@" >out 2>err 3>&- &
    searching=$!
}

state() { heddle status --json "$@" | python3 -c 'import json, sys; print(*[r["state"] for r in json.load(sys.stdin)["runs"]])'; }

@test "the panel of quicksand has a line for each search" {
    on_terminal 120x40 --key 'all, and places that race: running:^C' -- \
        run --budget 50s --strategy quicksand "$BATS_FILE_TMPDIR/big"
    json t.json '"all, and places that race: running" in str(r["seen"])'
}

@test "a terminal shows a panel, which is gone at the end" {
    for size in 80x24 120x40; do
        on_terminal $size --key 3:^C -- run --budget 50s --strategy random "$BATS_FILE_TMPDIR/big"
        json t.json 'r["code"] == 4 and len(r["seen"]) >= 3'
        # drawn in place: never two of them, and the head is the first line
        json t.json 'all(sum("when to stop" in l for l in s) == 1 for s in r["seen"])'
        json t.json 'all(s[0].startswith(" heddle run --budget 50s --strategy random") for s in r["seen"])'
        json t.json "all(len(l) < ${size%x*} for s in r['seen'] for l in s)"
        # the verdict stands where the panel was, below what --resume would do
        json t.json '"with --resume" in r["last"][0] and "executions in" in r["last"][1] and any(l.startswith("INCOMPLETE") for l in r["last"])'
        json t.json 'not any("when to stop" in l or l.startswith(" ---") for l in r["last"])'
        rm -r .heddle
    done
}

@test "the panel tells what it knows, and no more" {
    on_terminal 120x40 --key 'two estimates:^C' -- verify --strategy dfs "$BATS_FILE_TMPDIR/big"
    json t.json '(lambda s: "% explored of" in s and "(two estimates); more than 1,000 years left" in s)(" ".join(" ".join(r["seen"][-1]).split()))'
    on_terminal 120x40 --key 'estimated:^C' -- verify --strategy dfs -j2 "$BATS_FILE_TMPDIR/big"
    json t.json '(lambda s: "% explored of" in s and "two estimates" not in s)(" ".join(" ".join(r["seen"][-1]).split()))'
    json t.json 'any("2 of 2 at work" in l for s in r["seen"] for l in s)'
    # 3/n after n executions without a failure
    on_terminal 120x40 --key 2:^C -- run --budget 50s --strategy random "$BATS_FILE_TMPDIR/big"
    json t.json '(lambda s: abs(float(s.split("below ")[1].split(",")[0]) * int(s.split("found in ")[1].split()[0].replace(",", "")) / 3 - 1) < 0.05)(" ".join(r["seen"][-1]))'
}

@test "findings stand above the panel" {
    on_terminal 80x24 --key '1 confirmed in both:^C' -- run --budget 50s --keep-going --points races "$BATS_FILE_TMPDIR/race"
    json t.json 'r["code"] == 2'
    json t.json 'any(l.startswith("heddle: found data-race") for l in r["seen"][-1][:2])'
    json t.json 'any("1: 1 data-race; the last at" in l for l in r["seen"][-1])'
    json t.json 'any("0 seen in one order, 1 confirmed in both" in l for l in r["seen"][-1])'
    json t.json 'not any("when to stop" in l for l in r["last"]) and any(l.startswith("FAILED") for l in r["last"])'
}

@test "the interrupt key leaves a clean terminal and the verdict" {
    on_terminal 80x24 --key 1:^C -- verify --strategy dfs "$BATS_FILE_TMPDIR/big"
    json t.json 'r["code"] == 4 and r["seen"]'
    json t.json '"with --resume continues" in r["last"][0] and "executions in" in r["last"][1]'
    json t.json '"Interrupted." in r["last"] and any(l.startswith("INCOMPLETE") for l in r["last"])'
    json t.json 'not any("when to stop" in l or "^C" in l for l in r["last"])'
    [ "$(state)" = ended ]
}

@test "after a stop the panel goes on below what the shell wrote" {
    on_terminal 80x40 --key 2:^Z --key stopped:fg --key 2:^C -- \
        run --budget 50s --strategy random "$BATS_FILE_TMPDIR/big"
    json t.json 'r["code"] == 4 and r["stopped"] == 1'
    json t.json '"$ fg" in " ".join(r["last"])'
    # the old picture is left above it, as the shell's words are; the new one is gone
    json t.json 'max(sum("when to stop" in l for l in s) for s in r["seen"]) == 2'
    json t.json 'sum("when to stop" in l for l in r["last"]) == 1'
}

@test "another size of the terminal: a new picture, or the line when it is too small" {
    on_terminal 120x40 --size 2:80x24 --key 2:^C -- run --budget 50s --strategy random "$BATS_FILE_TMPDIR/big"
    json t.json 'all(sum("when to stop" in l for l in s) == 1 for s in r["seen"])'
    json t.json 'all(len(l) < 80 for l in r["seen"][-1])'
    on_terminal 80x24 --size 2:80x8 -- run --strategy random --budget 3s "$BATS_FILE_TMPDIR/big"
    json t.json 'r["seen"] and not any("when to stop" in l for l in r["last"])'
}

@test "small, dumb and plain terminals show no panel" {
    for size in 80x8 50x24; do
        on_terminal $size -- run --strategy random --budget 2s "$BATS_FILE_TMPDIR/big"
        json t.json 'r["code"] == 4 and not r["seen"]'
    done
    on_terminal 80x24 -- run --progress plain --strategy random --budget 2s "$BATS_FILE_TMPDIR/big"
    json t.json 'not r["seen"]'
    TERM=dumb timeout 60 python3 "$BATS_TEST_DIRNAME/terminal.py" 80x24 -- \
        "$HEDDLE" run --strategy random --budget 2s "$BATS_FILE_TMPDIR/big" >t.json
    json t.json 'not r["seen"] and not r["strange"]'
}

@test "stats.json can be read at any time, and its numbers grow" {
    search run --strategy random --budget 6s "$BATS_FILE_TMPDIR/big"
    eventually test -e .heddle/stats.json
    python3 - "$searching" <<'END'
import json, os, sys, time
last, file, different, end = -1, None, 0, time.monotonic() + 3
while time.monotonic() < end:
    f = open(".heddle/stats.json")
    r = json.load(f)
    assert r["running"] is True and r["pid"] == int(sys.argv[1]) and r["verdict"] is None, r
    assert r["executions"] >= last, (r, last)
    if r["executions"] > last:
        different += 1
        # another file: one that is written over has moments in which it is not whole
        assert os.fstat(f.fileno()).st_ino != file
        file = os.fstat(f.fileno()).st_ino
    last = r["executions"]
assert different >= 2, different
END
    wait "$searching" || [ $? -eq 4 ]
    json .heddle/stats.json 'r["running"] is False and r["verdict"] == "budget" and r["exit_code"] == 4'
    json .heddle/stats.json 'r["samples"] and r["limit_seconds"] == 6 and r["jobs"] == 1 and r["threads_max"] == 5'
    json .heddle/stats.json 'r["command"].startswith("heddle run --strategy random --budget 6s ")'
    json .heddle/stats.json '0 < r["updated"] - r["started"] < 60'
    # Nothing of the files that it was replaced from is left, and nothing in the store, where the state of the search was.
    [ -z "$(ls .heddle | grep -v -x -e stats.json -e store.sqlite)" ]
    [ -z "$("$BATS_TEST_DIRNAME/../support/states" .heddle)" ]
}

@test "stats.json and the result say the same" {
    run heddle run --keep-going --points races --executions 500 --json r.json "$BATS_FILE_TMPDIR/race"
    exits 2
    python3 - <<'END'
import json
s, r = json.load(open(".heddle/stats.json")), json.load(open("r.json"))
for name in "executions", "redundant", "verdict", "seed", "threads_max", "steps_max", "too_long", "jobs":
    assert s[name] == r[name], (name, s[name], r[name])
assert s["findings"] == len(r["findings"]) == 1 and s["by_kind"] == {"data-race": 1}, s
assert s["exit_code"] == 2 and s["races"] == s["races_confirmed"] == 1, s
END
}

@test "every field is described" {
    run heddle run --executions 5 --points races "$BATS_FILE_TMPDIR/race"
    python3 - "$BATS_TEST_DIRNAME/../../docs/json.md" <<'END'
import json, sys
text = open(sys.argv[1]).read().split("## stats.json")[1]
for name in json.load(open(".heddle/stats.json")):
    assert f"`{name}`" in text, name
END
}

@test "a short search that finds nothing makes no directory; with one, it is on record" {
    run heddle verify "$BATS_FILE_TMPDIR/small"
    exits 0
    [ ! -e .heddle ]
    mkdir .heddle
    run heddle verify "$BATS_FILE_TMPDIR/small"
    exits 0
    json .heddle/stats.json 'r["verdict"] == "clean" and r["exit_code"] == 0 and r["executions"] == 1'
    run heddle replay
    exits 1 # it is no schedule
}

@test "status of a search that runs, has ended, was killed" {
    run heddle status
    exits 1
    has "no search has written into .heddle"
    search run --strategy random --budget 60s -o here "$BATS_FILE_TMPDIR/big"
    eventually test -e here/stats.json
    run heddle status here
    exits 0
    has "running (process $searching)"
    has "when to stop"
    [ "$(state here)" = running ]
    kill -KILL "$searching"
    wait "$searching" || true
    run heddle status here
    exits 0
    has "killed: process $searching has ended without"
    [ "$(state here)" = killed ]
    searching=
    run heddle run --strategy random --executions 100 -o here "$BATS_FILE_TMPDIR/big"
    run heddle status -o here
    exits 0
    has "ended: budget (exit code 4)"
    [[ "$output" != *"when to stop"* ]]
    [ "$(state here)" = ended ]
    echo "{" >here/stats.json
    run heddle status here
    exits 1
    has "cannot read here/stats.json"
}

@test "two searches in one directory do not get in each other's way" {
    search run --strategy random --budget 60s "$BATS_FILE_TMPDIR/big"
    eventually test -e .heddle/stats.json
    run heddle run --strategy random --budget 2s "$BATS_FILE_TMPDIR/big"
    exits 4
    json .heddle/stats.json "r['running'] and r['pid'] == $searching"
    [ "$(state)" = "running ended" ]
    run heddle status
    has "running (process $searching)"
    has "ended: budget"
    kill -INT "$searching"
    wait "$searching" || [ $? -eq 4 ]
    searching=
    # the next one has the directory for itself
    run heddle run --strategy random --executions 100 "$BATS_FILE_TMPDIR/big"
    [ "$(state)" = ended ]
    json .heddle/stats.json 'r["executions"] == 100'
    [ "$(cd .heddle && echo stats*)" = stats.json ] # besides, the state of the interrupted search
}
