#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# What the documents list is what there is.  That their commands work and print what is
# shown is the business of tests/docs/run.
load helper

source_dir=$BATS_TEST_DIRNAME/../..

# notices TEXT WHAT: tests/docs/run finds that mistake in a page
notices() {
    printf '%b' "$1" >page.md
    run "$source_dir/tests/docs/run" "$PWD/page.md"
    exits 1
    has "$2"
}

@test "the documents' commands are run, and mistakes in them noticed" {
    export HEDDLE
    good='```\n$ echo 7; echo 8\n7\n8\n$ mkdir in; cd in; export X=5\n$ echo $X; pwd\n5\n...\n/in\n```\n'
    good+='```sh\nheddle cc -o bank ../bank.c\nheddle run -q ./bank\nfor i in 1 2; do\n    touch $i\ndone\n```\n'
    printf '%b' "$good" >page.md
    run "$source_dir/tests/docs/run" "$PWD/page.md"
    exits 0
    has "page: 6 commands"
    notices "${good/8/9}" "what is shown is not what is printed"
    notices '```sh\nfalse\n```\n' "ends with 1"
    notices '```sh\n(exit 2)\n```\n' "ends with 2"
    notices '```sh\nheddle run ./nothing\n```\n' "ends with 1"
    notices '```sh\nmake nothing\n```\n' "ends with 2"
    notices '```\nheddle run ./bank\n```\n' "is this block sh"
    notices '```c\nheddle run ./bank\n```\n' "a block that is not run"
    notices '```text\nmake\n```\n' "a block that is not run"
    notices 'so:\n\n    heddle run ./t\n' "outside of a fenced block"
    notices '```sh tests/consumer/run\nheddle run ./nothing\n```\n' "does not have"
    notices '```sh tests/nothing\nmake\n```\n' "No such file"
    notices '```yaml\nx: [heddle run ./bank]\n```\n' "not understood"
    notices '```\n(gdb) bt\n```\n' "in which gdb"
    notices '```sh\necho\n' "no end"
    notices 'see `heddle nothing`\n' "heddle nothing does not exist"
    notices 'see `heddle run --nothing`\n' "no option --nothing"
    notices 'see `heddle replay --strategy dfs`\n' "no option --strategy"
    notices 'see `--nothing`\n' "no option --nothing"
}

@test "the README lists every document, once" {
    for page in "$source_dir"/docs/*.md; do
        [ "$(grep -c "^| \[docs/$(basename "$page")\](docs/$(basename "$page"))" "$source_dir/README.md")" -eq 1 ] || {
            echo "README.md: docs/$(basename "$page")"
            return 1
        }
    done
}

@test "the tutorial shows the program that it is about, and how it was repaired" {
    python3 - "$source_dir" <<'PYTHON'
import re, sys
page = open(sys.argv[1] + '/docs/tutorial.md').read()
broken, repaired = (open(f'{sys.argv[1]}/examples/{f}').read() for f in ('queue.c', 'queue_fixed.c'))
(code,) = re.findall(r'^```c\n(.*?)^```', page, re.M | re.S)
(old, new), = re.findall(r'^```diff\n-(.*\n)\+(.*\n)```', page, re.M)
assert code in broken
assert broken[broken.index('#include'):].replace(old, new) == repaired[repaired.index('#include'):]
PYTHON
}

# sections PAGE NAME...: each name is in the heading of a section, which has all four parts
sections() {
    python3 - "$@" <<'PYTHON'
import re, sys
text = open(sys.argv[1]).read()
found = {}
for heading, body in re.findall(r'^## (.*)\n((?:(?!## ).*\n)*)', text, re.M):
    for name in re.findall(r'[a-z+][a-z-]+', heading):
        found[name] = body
assert len(sys.argv) > 10, sys.argv
for name in sys.argv[2:]:
    assert name in found, f'no section for {name}'
    for part in ('Idea', 'Guarantee', 'Cost', 'Source'):
        assert f'**{part}.**' in found[name], f'{name} has no {part}'
PYTHON
}

@test "every strategy has its section: idea, guarantee, cost, source" {
    # shellcheck disable=SC2046 # names
    sections "$source_dir/docs/strategies.md" $(heddle list strategies | grep -oE '^[+]?[a-z-]+ {2,}')
}

@test "every detector has its section: idea, guarantee, cost, source" {
    # shellcheck disable=SC2046 # names
    sections "$source_dir/docs/detectors.md" $(heddle list detectors | grep -oE '^[a-z]+-?[a-z-]* ' | grep -vx 'and ')
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

@test "links to a section lead to one" {
    cd "$source_dir"
    python3 - ./*.md docs/*.md <<'PYTHON'
import os, re, sys

def sections(page):  # as GitHub names them
    headings = re.findall(r'^#+ (.*)', open(page).read(), re.M)
    return {re.sub(r'[^\w -]', '', h.lower()).replace(' ', '-') for h in headings}

checked = 0
for page in sys.argv[1:]:
    for target, section in re.findall(r'\]\(([^)#:]*)#([^)]*)\)', open(page).read()):
        target = os.path.join(os.path.dirname(page), target) if target else page
        assert section in sections(target), f'{page}: {target}#{section}'
        checked += 1
assert checked > 5
PYTHON
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
    cat >values.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *p)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    puts(p);
    return p;
}
int main(int argc, char **argv)
{
    pthread_t a, b;
    for (int i = 0; argc > 1 && i < 1200; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    pthread_create(&a, NULL, add, "a");
    pthread_create(&b, NULL, add, "b");
    pthread_mutex_lock(&lock);
    assert(argc > 1 || count < 2);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
    printf '#include <stdlib.h>\n__attribute__((constructor)) static void c(void) { abort(); }\n' >early.c
    printf 'int main(void) { return 0; }\n' >>early.c
    printf '{\nknown\nkind: data-race\n...\n}\n' >known
    for program in race order early values; do heddle cc -g -o $program $program.c; done
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
    run heddle run --strategy dfs --json values.json ./values
    exits 2
    run heddle run --strategy dfs --expect-same --json output.json ./values long
    exits 2
    run heddle run --strategy dfs --executions 1 --json long.json ./values long
    exits 4
    heddle cc -o tests "$BATS_TEST_DIRNAME/each/cmocka.c" -lcmocka
    run heddle run --each --executions 1 --json each.json ./tests
}

# blocks LANGUAGE FILE: its code blocks of that language, without what is installed
blocks() {
    python3 -c 'import re, sys
page = open(sys.argv[2]).read().split("## Installing")[0]
print(*re.findall(rf"^```{sys.argv[1]}\n(.*?)^```", page, re.M | re.S))' "$@"
}

@test "what docs/integration.md shows works" {
    page=$source_dir/docs/integration.md
    prefix=$(cd "$(dirname "$HEDDLE")/.." && pwd)
    export PREFIX=$prefix PATH="$prefix/bin:$PATH" PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
    cp "$BATS_TEST_DIRNAME"/../consumer/*.[ch] "$BATS_TEST_DIRNAME/each/counter.h" .
    for file in Makefile CMakeLists.txt; do
        sed -e 's,\.\./,,' -e 's,)\.\.$,).,' "$BATS_TEST_DIRNAME/../consumer/without/$file" >$file
    done
    blocks sh "$page" | sed -e 's/^ *//' -e '/^$/d' >commands
    [ "$(wc -l <commands)" -eq 8 ] # all that the page has before "Installing"
    while read -r command; do
        [[ $command != clang* ]] || command -v clang >/dev/null || continue
        rm -f pay
        [[ $command != heddle* || $command == *build-heddle* ]] || make CC="heddle cc" pay
        run bash -c "$command"
        case $command in heddle*) exits 2 ;; *) exits 0 ;; esac
    done <commands

    { echo '#include "counter.h"'; blocks c "$page"; } >tests.c
    heddle cc -o tests tests.c
    run ./tests --list
    [ "$output" = "$(printf 'no_update_is_lost\none_thread_counts')" ]
    run heddle run --each --executions 300 ./tests
    exits 2

    mkdir project
    { echo 'cmake_minimum_required(VERSION 3.19)'; echo 'project(p C)'; echo 'add_library(queue ../account.c)'
      echo 'include_directories(..)'; blocks cmake "$page"; } >project/CMakeLists.txt
    cp pay.c project/queue_test.c
    cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
    cmake --build project/build >/dev/null
    run ctest --test-dir project/build -L heddle
    has "0% tests passed, 2 tests failed out of 2"
    grep -q '<failure type="assertion"' project/build/heddle/queue.xml
    grep -q '<failure type="assertion"' project/build/heddle/queue_all.xml
}

@test "docs/json.md lists the fields of results, all of them and no others" {
    some_results
    heddle status --json >status.json
    run heddle recheck --json recheck.json
    run heddle verify --mute deadlock --count classes,lazy,states --points every --json muted.json ./order
    run heddle run --strategy quicksand --json quicksand.json ./order
    heddle cc -o cache "$source_dir/examples/cache_linear.c"
    run heddle linearize --json linear.json ./cache
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

# Each sentence about a limit names the words by which a verdict tells of it.  NAME, FILE, LINE, LIBRARY
# and numbers stand for what is different each time.
@test "limits.md quotes verdicts as the sources have them" {
    local quote part n=0

    find "$source_dir/src" -name '*.[ch]' -exec cat {} + | tr '\n' ' ' | sed -E 's/" *\\? *"//g' >sources
    tr '\n' ' ' <"$source_dir/docs/limits.md" | sed 's/\*\*/\n/g; s/  */ /g' | grep -o '\*[^*]*\*' |
        tr -d '*' >quotes
    while read -r quote; do
        n=$((n + 1))
        while read -r part; do
            [ -z "$part" ] || grep -qF -- "$part" sources || { echo "nothing says: $part"; false; }
        done < <(sed -E 's/(NAME|FILE(:LINE)?|LIBRARY|[0-9,]*[0-9])/\n/g' <<<"$quote" | sed -E 's/^[: ]+//; s/ +$//')
    done <quotes
    [ "$n" -gt 30 ]
}
