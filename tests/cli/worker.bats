#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# worker.bats - programs in a store, and the campaigns that a worker refuses to run.

load helper

# ship PROGRAM ARGUMENT...: creates a campaign "x" without any work done, in the store "s"; sets order
ship() {
    "$HEDDLE" verify --store sqlite:s --campaign x --ship -- "$@" >out 2>err 3>&- &
    local pid=$!
    eventually grep -q 'allow' err
    kill "$pid"
    wait "$pid" || :
    order=$(grep -o '[0-9a-f]\{64\}' err)
}

# A worker of a test that has failed would go on for ever.
teardown() { kill "${pid:-}" 2>/dev/null || :; }

mutex() { heddle cc -o "${1:-t}" "$BATS_TEST_DIRNAME/../cluster/mutex.c"; }

# sql STATEMENT
sql() { python3 -IS -c 'import sqlite3, sys; d = sqlite3.connect("s"); print(d.execute(sys.argv[1]).fetchone()); d.commit()' "$1"; }

@test "a worker needs nothing but the store and the hash" {
    mutex
    ship ./t 5 2
    rm t
    mkdir elsewhere
    cd elsewhere
    run heddle worker --store sqlite:../s --allow "$order"
    exits 0
    has "113,400 executions" # 10! / 2!^5
    has "CLEAN"
    run heddle worker --store sqlite:../s --allow "$order"
    exits 0
    has "no campaign of the store is open"
}

@test "a worker runs nothing that it was not told to allow" {
    mutex
    ship ./t 5 2
    before=$(sql "SELECT count(*), sum(executions) FROM result")
    run heddle worker --store sqlite:s
    exits 1
    has "not allowed here"
    has "$order"
    run heddle worker --store sqlite:s --allow "$(sha256sum t | cut -c1-64)"
    exits 1
    has "the hash of its program only"
    run heddle worker --store sqlite:s --allow 12ab
    exits 1
    has "64 hexadecimal digits"
    [ "$(sql "SELECT count(*), sum(executions) FROM result")" = "$before" ]
}

@test "a program, its arguments and options that were changed in the store are not run" {
    mutex
    ship ./t 5 2
    sql "UPDATE program SET command = cast(replace(command, '5', '3') AS blob)"
    run heddle worker --store sqlite:s --allow "$order"
    exits 1
    has "not allowed here"
    sql "UPDATE program SET command = cast(replace(command, '3', '5') AS blob), content = content || x'00'"
    run heddle worker --store sqlite:s --allow "$order"
    exits 1
    has "somebody has changed it"
}

@test "the name of a shipped program leads nowhere else" {
    mutex
    ship ./t 5 2
    sql "UPDATE program SET name = '../../../$PWD/evil'"
    run heddle worker --store sqlite:s --allow "$order"
    exits 0
    [ ! -e evil ]
}

@test "a machine that does not repeat the reference execution is refused" {
    cat >t.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < 5 + (getenv("MORE") != NULL); i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return unused;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    return 0;
}
C
    heddle cc -o t t.c
    ship ./t
    MORE=1 run heddle worker --store sqlite:s --allow "$order"
    exits 1
    has "does not repeat the reference execution"
    run env MORE=1 "$HEDDLE" verify --store sqlite:s --campaign x ./t
    exits 1
    has "does not repeat the reference execution"
}

@test "missing libraries and processor features are named" {
    printf 'int f(void) { return 0; }\n' >f.c
    printf '#include <pthread.h>\nint f(void);\nint main(void) { return f(); }\n' >t.c
    cc -shared -fPIC -o libmine.so f.c
    heddle cc -o t t.c -L. -lmine -Wl,-rpath,"$PWD"
    heddle verify -q --store sqlite:s --campaign x --ship ./t
    sql "UPDATE campaign SET state = 'open'"
    order=$(heddle campaign show --store sqlite:s x | grep -o '[0-9a-f]\{64\}')
    mv libmine.so away
    run heddle worker --store sqlite:s --allow "$order"
    exits 1
    has "libmine.so"
    mv away libmine.so
    sql "UPDATE program SET features = features || 'sse99 avx1024 '"
    run heddle worker --store sqlite:s --allow "$order"
    exits 1
    has "sse99, avx1024"
}

# count CONDITION: rows of work
count() { sql "SELECT count(*) FROM work WHERE $1" 2>/dev/null; }
is() { [ "$("${@:2}")" = "$1" ]; }

@test "a worker that is asked to leave hands its work back" {
    mutex
    ship ./t 5 3
    "$HEDDLE" worker --store sqlite:s --allow "$order" >out 2>&1 3>&- &
    pid=$!
    eventually is "(1,)" count "holder IS NOT NULL"
    kill "$pid"
    code=0
    wait "$pid" || code=$?
    [ "$code" -eq 4 ]
    is "(0,)" count "holder IS NOT NULL"
    grep -q "Interrupted" out
}

@test "a worker that waits takes campaigns that come later" {
    mutex
    ship ./t 5 2
    rm s
    "$HEDDLE" worker --wait --store sqlite:s --allow "$order" >out 2>&1 3>&- &
    pid=$!
    ship ./t 5 2
    eventually is "('done',)" sql "SELECT state FROM campaign"
    kill "$pid"
    wait "$pid"
    grep -q "113,400 executions" out
}

@test "a worker that waits also waits for the program of a campaign" {
    mutex
    ship ./t 5 2
    sql "CREATE TABLE kept AS SELECT * FROM program"
    sql "DELETE FROM program"
    "$HEDDLE" worker --wait --store sqlite:s --allow "$order" >worked 2>&1 3>&- &
    pid=$!
    sleep 1 # it has seen the campaign without its program; if not, the test still passes
    sql "INSERT INTO program SELECT * FROM kept"
    eventually is "('done',)" sql "SELECT state FROM campaign"
    kill "$pid"
    wait "$pid"
    grep -q "113,400 executions" worked
}

@test "what cannot be shipped is refused" {
    run heddle verify --ship ./t
    exits 1
    has "--ship: name the database with --store"
    mutex
    echo x >expected
    run heddle verify --store sqlite:s --campaign x --ship --expect expected ./t 2 1
    exits 1
    has "is not carried with the program"
    run heddle worker
    exits 1
    has "--store"
}
