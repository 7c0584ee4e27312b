#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# --json, --junit, --sarif and `heddle report`: where they are written, when not, and what
# the worst of input does to them.  tests/formats holds them against their schemas.
load helper

build() {
    cp "$BATS_TEST_DIRNAME"/../../examples/bank*.c .
    heddle cc -o bank bank.c
    heddle cc -o bank_fixed bank_fixed.c
}

@test "all formats at once, and each on standard output" {
    build
    run heddle run --json r.json --junit r.xml --sarif r.sarif ./bank
    exits 2
    [ -s r.json ] && [ -s r.xml ] && [ -s r.sarif ]
    [ "$(find . -name 'r.*' | wc -l)" -eq 3 ]
    for format in json junit sarif; do
        heddle run --$format - ./bank >$format.out 2>err || [ $? -eq 2 ]
        grep -q '^FOUND assertion' err
    done
    validated json:json.out junit:junit.out sarif:sarif.out
}

# One story in all formats: bank's report shows balances, a suggestion and the stack of main.
@test "values, suggestion and stacks are in JSON and in SARIF" {
    build
    run heddle run --json r.json --sarif r.sarif ./bank
    exits 2
    validated json:r.json
    json r.json '[s["frames"][0]["function"] for s in r["findings"][0]["stacks"] if s["role"] == "fails"] == ["main"]'
    json r.json 'all(f["own"] == (f["file"] or "").endswith("bank.c") for s in r["findings"][0]["stacks"] for f in s["frames"])'
    python3 - <<'EOF'
import json
finding = json.load(open('r.json'))['findings'][0]
result = json.load(open('r.sarif'))['runs'][0]['results'][0]
states = [s['state'] for f in result['codeFlows'] for t in f['threadFlows'] for s in t['locations'] if 'state' in s]
told = {(name, text['text']) for state in states for name, text in state.items()}
for v in finding['values']:
    if v['value'] is not None and v['operation'] != 'update':
        assert (v['variable'], v['value']) in told, (v, told)
assert finding['values'] and finding['suggestion'], finding
assert finding['suggestion']['text'] in result['message']['text'], result['message']
EOF
}

@test "what is wrong does not pass the validators" {
    build
    heddle run --json r.json --junit r.xml --sarif r.sarif ./bank >out || [ $? -eq 2 ]
    files=()
    spoil() { # KIND FILE CHANGE: a file with that mistake
        sed "$3" "$2" >"bad${#files[@]}"
        cmp -s "$2" "bad${#files[@]}" && return 1
        files+=("$1:bad${#files[@]}")
    }
    for change in 's/"version": 1/"version": 2/' 's/"seed": 1/"seed": -1/' 's/"seed"/"sead"/' 's/"bug"/"clean"/' \
        's/"assertion"/"assertions"/' 's/"preemptions": [0-9]*/&, "more": 1/'; do
        spoil json r.json "$change"
    done
    for change in 's/tests="1"/tests="2"/' 's/<failure type="[a-z]*"/<failure/' 's/"seed"/"sead"/' 's/<skipped/<x/; s/testcase/case/' \
        's/time="[0-9.]*"/time="-1"/'; do
        spoil junit r.xml "$change"
    done
    for change in 's/"ruleIndex": 0/"ruleIndex": 1/' 's/"executionOrder": 2,/"executionOrder": 3,/' 's/"startLine": /"startLine": -/' \
        's/"level": "error"/"level": "bad"/' 's/"uri": "bank.c"/"uri": "no.c"/' 's/"essential"/"important"/'; do
        spoil sarif r.sarif "$change"
    done
    [ ${#files[@]} -eq 17 ]
    validated -r "${files[@]}"
}

@test "unwritable and equal files are refused before the search" {
    build
    for format in json junit sarif; do
        run heddle run --$format no/such/file ./bank
        exits 1
        has "cannot write no/such/file"
        has "--$format"
        run heddle run --$format . ./bank
        exits 1
        run heddle run --$format
        exits 1
    done
    run heddle run --json - --sarif - ./bank
    exits 1
    has "--json and --sarif both go to standard output"
    run heddle run --junit x --sarif x ./bank
    exits 1
    has "both go to x"
    [ ! -e .heddle ] && [ ! -e x ]
    run heddle estimate --sarif x ./bank
    exits 1
    has "belongs to"
}

@test "a budget that is used up is no failure, and says so" {
    build
    run heddle run --executions 3 --junit r.xml --sarif r.sarif ./bank_fixed
    exits 4
    validated junit:r.xml
    grep -q 'failures="0" errors="0" skipped="0"' r.xml
    grep -q '<property name="verdict" value="budget"/>' r.xml
    grep -q '<system-out>.*3 executions' r.xml
    grep -q 'INCOMPLETE: nothing proved' r.xml
    json r.sarif 'r["runs"][0]["results"] == [] and r["runs"][0]["invocations"][0]["exitCode"] == 4'
    run heddle verify --junit r.xml ./bank_fixed
    exits 0
    grep -q '<property name="complete" value="true"/>' r.xml
}

@test "an error of the program's start is an error" {
    printf '#include <stdlib.h>\n__attribute__((constructor)) static void c(void) { abort(); }\n' >early.c
    printf 'int main(void) { return 0; }\n' >>early.c
    heddle cc -o early early.c
    run heddle run --json r.json --junit r.xml --sarif r.sarif ./early
    exits 1
    validated json:r.json junit:r.xml sarif:r.sarif
    grep -q 'errors="1"' r.xml
    grep -q '<error type="error" message="it ended before main began' r.xml
    json r.sarif 'not r["runs"][0]["invocations"][0]["executionSuccessful"]'
    json r.sarif 'r["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["level"] == "error"'
}

@test "any bytes in names and output" {
    mkdir -p "a b&<c>"
    cat >"a b&<c>/odd \"%name.c" <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *set(void *p) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    pthread_setname_np(t, "]]>\xff&<\"");
    pthread_mutex_lock(&m);
    printf("]]> \x01\x1b[1m \xff\xfe caf\xe9 <b>&amp;\n");
    assert(x == 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
C
    heddle cc -o "a b&<c>/odd" "a b&<c>/odd \"%name.c"
    heddle run --json r.json --junit r.xml --sarif r.sarif "a b&<c>/odd" ']]>' >out || [ $? -eq 2 ]
    validated json:r.json junit:r.xml sarif:r.sarif
    json r.sarif 'r["runs"][0]["artifacts"][0]["location"]["uri"] == "a%20b%26%3Cc%3E/odd%20%22%25name.c"'
    python3 - <<'PYTHON'
import xml.etree.ElementTree as xml
case = next(xml.parse('r.xml').getroot().iter('testcase'))
assert case.get('name') == 'a b&<c>/odd', case.get('name')
assert ']]> ' in case.find('failure').text and '<b>&amp;' in case.find('failure').text
PYTHON
}

@test "JUnit has the name that the user has for the test" {
    build
    heddle run --junit r.xml --test-name 'bank/two "clerks"' ./bank >out || [ $? -eq 2 ]
    validated junit:r.xml
    grep -q '<testcase classname="two &quot;clerks&quot;" name="bank/two &quot;clerks&quot;"' r.xml
    heddle report --junit r.xml >out
    grep -q '<testcase classname="bank" name="./bank"' r.xml
}

@test "the fingerprint outlives an edit, and findings at other places have another" {
    build
    heddle run --sarif a.sarif ./bank >out || [ $? -eq 2 ]
    { echo; echo '/* a remark */'; cat bank.c; } >moved.c
    mv moved.c bank.c
    heddle cc -o bank bank.c
    heddle run --seed 7 --sarif b.sarif ./bank >out || [ $? -eq 2 ]
    fingerprint() { python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))["runs"][0]["results"][0]
print(r["partialFingerprints"]["heddleFinding/v1"], r["locations"][0]["physicalLocation"]["region"]["startLine"])' "$1"; }
    read -r before line <<<"$(fingerprint a.sarif)"
    read -r after moved <<<"$(fingerprint b.sarif)"
    [ "$before" = "$after" ]
    [ "$moved" -eq $((line + 2)) ]
    # the same kind in another function of the same file
    sed -i 's/^int main(void)/static int run(void)/' bank.c
    echo 'int main(void) { return run(); }' >>bank.c
    heddle cc -O0 -fno-inline -o bank bank.c
    heddle run --sarif c.sarif ./bank >out || [ $? -eq 2 ]
    read -r other _ <<<"$(fingerprint c.sarif)"
    [ "$before" != "$other" ]
}

@test "of a very long interleaving the end is kept, and what is essential" {
    cat >long.c <<'C'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
static void *racer(void *p) { x = 1; return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, racer, NULL);
    for (int i = 0; i < 15000; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    x = 2;
    pthread_join(t, NULL);
    return 0;
}
C
    heddle cc -o long long.c
    # random: the default strategy would look for more, in executions of 30,000 steps
    heddle run --strategy random --minimize off --sarif r.sarif ./long >out || [ $? -eq 2 ]
    # 3 MB take the validator seven seconds, and each step is like those of short ones
    [ -z "${HEDDLE_DEEP:-}" ] || validated sarif:r.sarif
    json r.sarif '10000 <= sum(len(t["locations"]) for t in r["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]) < 10010'
    json r.sarif '{s["location"]["message"]["text"] for t in r["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]
                   for s in t["locations"] if s["importance"] == "essential"} == {"writes x = 1", "writes x = 2"}'
    json r.sarif 'len([s for t in r["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]
                       for s in t["locations"] if s["importance"] == "essential"]) == 2'
}

@test "files outside the working directory have absolute URIs" {
    build
    mkdir elsewhere
    cd elsewhere
    heddle run --sarif r.sarif ../bank >out || [ $? -eq 2 ]
    validated sarif:r.sarif
    json r.sarif 'all(a["location"]["uri"].startswith("file:///") and "uriBaseId" not in a["location"]
                      for a in r["runs"][0]["artifacts"])'
}

@test "report: text by default, files when asked for, and 0 for a finding" {
    build
    run heddle report
    exits 1
    has "no finding is recorded"
    heddle run --json run.json ./bank >found || [ $? -eq 2 ]
    heddle report >again
    diff <(sed -n '/^FOUND/,/^reproduce/p' found) <(sed -n '/^FOUND/,/^reproduce/p' again)
    run heddle report --json r.json --junit r.xml --sarif r.sarif
    exits 0
    [ -z "$output" ]
    validated json:r.json junit:r.xml sarif:r.sarif
    json r.json 'r["verdict"] == "bug" and len(r["findings"]) == 1'
    json r.json 'r["findings"][0]["execution"] == json.load(open("run.json"))["first_bug_execution"]'
    heddle report --sarif - >out
    validated sarif:out
    run heddle report --sarif no/such/file
    exits 1
    run heddle report nothing
    exits 1
    run heddle report one two
    exits 1
    # what does not show again is not rendered
    sed -i 's/bank.c:54/bank.c:55/' bank.c
    sed -i 's/assert(/(void)(/' bank.c
    heddle cc -o bank bank.c
    rm -f r.json
    run heddle report --json r.json
    exits 1
    has "another build"
    [ ! -e r.json ]
}

@test "report: a program that does not repeat itself is not rendered" {
    cat >file.c <<'C'
#include <assert.h>
#include <unistd.h>
int main(void) { assert(access("flag", F_OK) != 0); return 0; }
C
    heddle cc -o file file.c
    touch flag
    heddle run ./file >out || [ $? -eq 2 ]
    rm flag
    run heddle report --json r.json
    exits 5
    has "did not occur again"
    [ ! -e r.json ]
}

@test "no output overwrites another one or what is read, whatever it is called" {
    build
    heddle run ./bank >/dev/null || [ $? -eq 2 ]
    cp .heddle/*.heddle me.heddle
    printf '{\n never\n kind: abort\n}\n' >supp
    ln -s bank link
    ln bank hard
    mkdir sub
    ln -s . sub/up
    ln -s later dangling
    sha256sum bank me.heddle supp >before
    refused() { run heddle "$@"; exits 1; has "$what"; }
    what="--html would overwrite the schedule, me.heddle; give it another file"
    refused report --html me.heddle me.heddle
    refused replay --html ./me.heddle me.heddle
    what="would overwrite the program, ./bank; give it another file"
    for path in bank link hard "$PWD/bank" sub/../bank; do
        refused run --json "$path" ./bank
        refused verify --sarif "$path" ./bank
        refused replay --junit "$path" me.heddle
    done
    what="--junit would overwrite the suppressions, supp"
    refused run --suppressions supp --junit ./supp ./bank
    what="--json and --html both go to"
    refused run --html same.x --json ./same.x ./bank
    refused run --html later --json dangling ./bank
    refused run --html same.x --json sub/up/../same.x ./bank
    : >same.x
    ln -s same.x other.x
    refused run --html same.x --json other.x ./bank
    [ ! -s same.x ]
    sha256sum -c --quiet before
    run heddle run --html /dev/null --json a.x ./bank # others may be what they like
    exits 2
    [ -s a.x ]
}

@test "devices, pipes and what is too large are no schedules and no suppressions" {
    build
    mkfifo pipe
    truncate -s 1T large
    ln -s /dev/zero zero
    for file in /dev/zero zero pipe; do
        for verb in replay report suppress minimize; do
            run timeout 120 "$HEDDLE" $verb $file
            exits 1
            has "cannot read the schedule $file: it is a device or a pipe"
        done
        run timeout 120 "$HEDDLE" run --suppressions $file ./bank
        exits 1
        has "cannot read the suppressions in $file: it is a device or a pipe"
    done
    run timeout 120 "$HEDDLE" replay large
    exits 1
    has "too large"
    run timeout 120 "$HEDDLE" run --suppressions large ./bank
    exits 1
    has "too large"
}

@test "what is replayed has the id that it was kept by, whatever its file is called" {
    build
    heddle run --json r.json ./bank >/dev/null || [ $? -eq 2 ]
    id=$(basename .heddle/*.heddle .heddle)
    [ ${#id} -eq 12 ]
    cp ".heddle/$id.heddle" renamed
    for verb in report replay; do
        heddle $verb --json again.json renamed >/dev/null || [ $? -eq 2 ]
        json again.json "r['findings'][0]['id'] == '$id'"
    done
}

@test "of two races of one execution the one that was kept is shown first" {
    cat >two.c <<'EOF'
#include <pthread.h>
#include <stddef.h>
int x, y;
static void *t(void *a) { x = 1; y = 1; return a; }
int main(void)
{
    pthread_t p;
    pthread_create(&p, NULL, t, NULL);
    x = 2;
    y = 2;
    pthread_join(p, NULL);
}
EOF
    heddle cc -g -o two two.c
    heddle run --keep-going ./two >/dev/null || [ $? -eq 2 ]
    for variable in x y; do
        file=$(grep -l "^message .* writes $variable at" .heddle/*.heddle)
        [ "$(grep -c . <<<"$file")" -eq 1 ]
        for verb in replay report; do
            heddle $verb "$file" >out || [ $? -eq 2 ]
            [[ "$(grep -m 1 memory: out)" == "  memory: $variable,"* ]]
            heddle $verb --json r.json "$file" >out || [ $? -eq 2 ]
            json r.json "' writes $variable at' in r['findings'][0]['message']"
        done
    done
}
