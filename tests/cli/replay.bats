#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Schedules outlive the run: what replay accepts, what it refuses, what it says
# when the program does not repeat itself.
load helper

# A reader that must not see the writer's value; LOCK chooses the writer's mutex.
reader() {
    cat >reader.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *writer(void *p)
{
    pthread_mutex_t *l = getenv("LOCK") ? &other : &m;
    pthread_mutex_lock(l);
    x = 1;
    pthread_mutex_unlock(l);
    return p;
}
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_mutex_lock(&m);
    int seen = x;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    printf("seen %d %s\n", seen, argc > 1 ? argv[1] : "");
    fflush(stdout);
    assert(seen == 0);
    return 0;
}
END
    heddle cc -g -o reader reader.c
}

@test "a finding is replayed by path, by id, by default, and from elsewhere" {
    reader
    run heddle run ./reader "two words"
    exits 2
    file=$(echo .heddle/*.heddle)
    id=$(basename "$file" .heddle)
    for which in "$file" "$id" latest ""; do
        run heddle replay $which
        exits 2
        has "reproduce: heddle replay "
    done
    mkdir elsewhere && cd elsewhere
    run heddle replay "../$file"
    exits 1
    run heddle replay "../$file" -- ../reader
    exits 2
    has "reproduce: heddle replay ../$file -- ../reader"
}

# A file from a stranger names what is to be run.
@test "a schedule runs nothing that is not below the current directory, unless it is named" {
    mkdir stranger mine
    cat >stranger/evil.c <<'EOF'
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(int argc, char **argv) { symlink("seen", argv[1]); assert(argc == 0); return argc; }
EOF
    heddle cc -g -o stranger/evil stranger/evil.c
    cd stranger
    run heddle run ./evil "$PWD/mark"
    exits 2
    rm -f mark
    cp .heddle/*.heddle ../mine/gift.heddle
    cd ../mine
    for verb in replay report suppress minimize "replay --gdb"; do
        run heddle $verb gift.heddle
        exits 1
        has "it was not started"
        has "/stranger/./evil"
        has "gift.heddle -- "
        [ ! -L ../stranger/mark ]
    done
    ln -s ../stranger/evil evil # a link into the directory is no program in it
    run heddle replay gift.heddle
    exits 1
    run heddle replay gift.heddle -- ../stranger/evil
    exits 2
}

@test "no control sequence of the program reaches the terminal" {
    cat >paint.c <<'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <assert.h>
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
static void *body(void *arg)
{
    pthread_setname_np(pthread_self(), "a\033[31mb");
    puts("\033]0;title\007");
    __assert_fail("x\033[2Jy", "file", 1, "fn");
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, body, NULL);
    pthread_join(t, NULL);
    return 0;
}
EOF
    heddle cc -g -o paint paint.c
    run heddle run --color never ./paint
    exits 2
    [[ "$output" != *$'\033'* ]]
    has '\x1b[31m'
    has 'x\x1b[2Jy'
    run heddle replay --color never
    exits 2
    [[ "$output" != *$'\033'* ]]
}

@test "--output shows what the program printed" {
    reader
    run heddle run ./reader "two words"
    exits 2
    run heddle replay --output
    exits 2
    has "  | seen 1 two words"
}

@test "another build is refused, and both ids are named" {
    reader
    run heddle run ./reader
    exits 2
    recorded=$(sed -n 's/^build-id //p' .heddle/latest)
    heddle cc -g -DOTHER=1 -O2 -o reader reader.c
    run heddle replay
    exits 1
    has "another build"
    has "$recorded"
}

@test "divergence: the first step that differs is named with its source line" {
    reader
    run heddle run ./reader
    exits 2
    LOCK=other run heddle replay --json r.json
    exits 5
    has "DIVERGED"
    has "recorded: T1: mutex lock m at reader.c:10"
    has "now:      T1: mutex lock other at reader.c:10"
    grep -q '"verdict": "diverged"' r.json
}

@test "a replay tells the number that the search gave, and how to reproduce only what it was to show" {
    cat >late.c <<'END'
#include <assert.h>
#include <heddle/heddle.h>
#include <stdlib.h>
int main(void)
{
    unsigned x = heddle_choose(8);

    if (x == 5 && getenv("CRASH"))
        abort();
    assert(x != 5);
    return 0;
}
END
    heddle cc -g -o late late.c
    run heddle run --strategy dfs ./late
    exits 2
    found=$(sed -n 1p <<<"$output")
    grep -q "execution [2-9]" <<<"$found"
    number=$(grep -o "execution [2-9]" <<<"$found")
    run heddle replay --json r.json
    exits 2
    has "$found"
    json r.json "r['findings'][0]['execution'] == ${number#execution }"
    CRASH=1 run heddle replay --json r.json
    exits 5
    has "DIVERGED: expected assertion, but found abort"
    has "FOUND abort in ./late, 0 preemptions"
    absent "reproduce:" <<<"$output"
    json r.json "r['findings'][0]['execution'] is None and r['findings'][0]['schedule'] is None"
}

@test "a directory that was named and cannot be written is noticed before the search" {
    reader
    run heddle run -o /dev/null/x ./reader
    exits 1
    has "cannot write schedules into /dev/null/x: Not a directory"
    absent "FOUND" <<<"$output"
    touch file
    run heddle verify -o file ./reader
    exits 1
    has "cannot write schedules into file: Not a directory"
    run heddle run -o new/deep/er ./reader
    exits 2
    ls new/deep/er/*.heddle
}

@test "that a directory can be made is found out without making it" {
    printf 'int main(void) { return 0; }\n' >t.c
    heddle cc -o t t.c
    run heddle verify --strategy dfs -o new/deep --progress none ./t
    exits 0
    [ "$(echo *)" = "t t.c" ]
    [ ! -e .heddle ]
}

@test "a directory that cannot be written loses nothing on the terminal" {
    reader
    touch .heddle
    run heddle run ./reader
    exits 2
    has "FOUND assertion"
    has "Not a directory"
    has "could not be saved"
}

searching() { ps -eo args | grep -c '^[.]/long-search'; }
search_runs() { [ "$(searching)" -ge 2 ]; } # zygote and worker
search_is_gone() { [ "$(searching)" -eq 0 ]; }

@test "an interrupted search sums up, and nothing of it is left" {
    cat >long.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p)
{
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return p;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, w, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
END
    heddle cc -o long-search long.c
    for signal in TERM KILL; do
        "$HEDDLE" verify ./long-search >out.txt 2>&1 3>&- &
        pid=$!
        eventually search_runs
        kill -$signal $pid
        code=0
        wait $pid || code=$?
        [ $signal = KILL ] || [ $code -eq 4 ]
        [ $signal = KILL ] || grep -q "Interrupted" out.txt
        eventually search_is_gone
    done
}
