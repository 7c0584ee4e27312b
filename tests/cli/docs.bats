#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# What the documents show is what is printed, and what they list is what there is.
load helper

source_dir=$BATS_TEST_DIRNAME/../..

# Without what depends on the machine: times, rates, names of findings, and where lines are
# broken because of them.
steady() {
    sed -E -e 's/[0-9a-f]{12}\.heddle/ID.heddle/' | tr -s ' \n' ' ' |
        sed -E -e 's/ in [0-9.]+ m?s \([0-9,]+ per second\)/ in TIME/g'
}

# shows FILE: the output of the last `run` stands in it
shows() {
    [[ "$(steady <"$1")" == *"$(steady <<<"$output")"* ]] || {
        echo "$1 does not show: $output"
        return 1
    }
}

@test "the README shows what is printed" {
    cp "$source_dir"/examples/bank*.c .
    heddle cc -o bank bank.c
    run heddle run ./bank
    exits 2
    shows "$source_dir/README.md"
    run heddle replay
    exits 2
    output=${lines[-1]}
    shows "$source_dir/README.md"
    heddle cc -o bank_fixed bank_fixed.c
    run heddle verify ./bank_fixed
    exits 0
    shows "$source_dir/README.md"
}

@test "the page about reports shows what is printed" {
    cp "$source_dir/tests/report/programs/order.c" .
    heddle cc -o order order.c
    run heddle run ./order
    exits 2
    shows "$source_dir/docs/reports.md"
}

@test "links lead somewhere, also where they are installed" {
    [ -f "$(dirname "$HEDDLE")/../CMakeCache.txt" ] || skip "not a build tree"
    cmake --install "$(dirname "$HEDDLE")/.." --prefix "$PWD/there" >/dev/null
    installed=$PWD/there/share/doc/heddle
    [ -s "$installed/docs/limits.md" ]
    for page in "$source_dir"/*.md "$source_dir"/docs/*.md "$installed"/*.md "$installed"/docs/*.md; do
        while read -r link; do
            [ -e "$(dirname "$page")/$link" ] || {
                echo "$page: $link"
                return 1
            }
        done < <(grep -o ']([^)#]*' "$page" | cut -c3- | grep -v ://)
    done
}

# Programs that together have everything to tell.
some_results() {
    cat >race.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct account { int id, balance; } shop;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *owner(void *p) { pthread_mutex_lock(&lock); shop.balance++; pthread_mutex_unlock(&lock); return p; }
static void *thief(void *p) { shop.balance++; return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
    cat >order.c <<'C'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *a, pthread_mutex_t *b)
{
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    pthread_mutex_unlock(b);
    pthread_mutex_unlock(a);
}
static void *other(void *p) { both(&n, &m); return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    both(&m, &n);
    pthread_join(t, NULL);
    return 0;
}
C
    printf '#include <stdlib.h>\n__attribute__((constructor)) static void c(void) { abort(); }\n' >early.c
    printf 'int main(void) { return 0; }\n' >>early.c
    printf '{\nknown\nkind: data-race\n...\n}\n' >known
    for program in race order early; do heddle cc -o $program $program.c; done
    run heddle run --points=races --json race.json ./race
    exits 2
    run heddle run --races=predict --executions 100 --suppressions known --json predict.json ./race
    exits 4
    run heddle run --strategy dfs --executions 1 --json order.json ./order
    exits 4
    run heddle run --strategy dfs --json deadlock.json ./order
    exits 2
    run heddle run --json early.json ./early
    exits 1
    run heddle estimate --json estimate.json ./order
    exits 0
    heddle cc -o tests "$BATS_TEST_DIRNAME/each/cmocka.c" -lcmocka
    run heddle run --each --executions 1 --json each.json ./tests
}

# The lines of code blocks that call heddle, without what YAML and Groovy put around them.
commands_of() {
    python3 - "$1" <<'PYTHON'
import re, sys
for block in re.findall(r'^```(?:sh|yaml|groovy)\n(.*?)^```', open(sys.argv[1]).read(), re.M | re.S):
    for line in block.splitlines():
        line = re.sub(r"^ *(- run: |- |script: ')", '', line).removesuffix("')")
        if re.match(r'heddle (cc|c\+\+|run|verify|replay|report)( |$)', line):
            print(line)
PYTHON
}

@test "every command of docs/ci.md runs" {
    echo '#include <gtest/gtest.h>' | g++ -E -x c++ - >/dev/null 2>&1 || skip "libgtest-dev is not installed"
    cp "$source_dir"/examples/bank*.c "$BATS_TEST_DIRNAME/each/counter.h" .
    cp "$BATS_TEST_DIRNAME/each/gtest.cc" unit_tests.cc
    heddle cc -o bank_fixed bank_fixed.c
    heddle cc -o bank bank.c
    commands_of "$source_dir/docs/ci.md" >commands
    [ "$(wc -l <commands)" -eq "$(grep -cE '^[^|]*\bheddle (cc|c\+\+|run|verify|replay|report)( |$)' <(sed -n '/^```/,/^```/p' "$source_dir/docs/ci.md"))" ]
    export PATH="$(dirname "$HEDDLE"):$PATH"
    while read -r command; do
        # a budget is long enough to be read about, and too long to be waited for
        run bash -c "${command//--budget ??s/--budget 2s}"
        case $status in 0 | 2 | 4) ;; *) echo "$command: $status: $output"; return 1 ;; esac
    done <commands
    [ -s heddle.xml ] && [ -s heddle.sarif ] && [ -s heddle.json ]
}

@test "docs/json.md lists the fields of results, all of them and no others" {
    some_results
    heddle status --json >status.json
    python3 - "$source_dir/docs/json.md" ./*.json <<'PYTHON'
import json, re, sys

def keys(value):
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()

page = open(sys.argv[1]).read()
written = set().union(*(keys(json.load(open(f))) for f in sys.argv[2:]))
listed = set(re.findall(r'`([\w-]+)`', page))
rows = re.findall(r'^\|([^|]*)\|', page, re.M)
fields = {name for row in rows if 'field' not in row for name in re.findall(r'`(\w+)`', row)}
assert not written - listed, f'not on the page: {sorted(written - listed)}'
assert not fields - written, f'in no result: {sorted(fields - written)}'
PYTHON
}
