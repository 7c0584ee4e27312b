#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# campaign.bats - messages of campaigns (tests/cluster/run works on some).

load helper

@test "store and campaign belong together" {
    run heddle verify --store sqlite:x ./t
    exits 1
    has "name the campaign with --campaign"
    run heddle verify --ship ./t
    exits 1
    has "name the database with --store"
}

@test "without --store, campaigns are in the output directory" {
    run heddle campaign list
    exits 1
    has "there is no .heddle/store.sqlite here"
    printf 'int main(void) { return 0; }\n' >a.c
    heddle cc -o a a.c
    heddle verify -q --campaign x ./a
    heddle run -q --campaign y --executions 5 ./a || [ $? = 4 ]
    [ -e .heddle/store.sqlite ]
    run heddle campaign list
    exits 0
    has "x: done, complete; 1 executions"
    has "y: done, complete; 5 executions"
    heddle campaign delete x
    run heddle campaign list --store sqlite:.heddle/store.sqlite
    absent "x: done"
    has "y: done"
}

@test "campaign commands say what they need" {
    run heddle campaign look --store sqlite:x
    exits 1
    has "use list, show, stop"
    run heddle campaign show --store sqlite:x
    exits 1
    has "name the campaign"
    run heddle campaign show --store sqlite:x nothing
    exits 1
    has "no campaign 'nothing'"
    run heddle campaign list --store mysql://x
    exits 1
    has "postgresql://"
}

@test "a campaign of another program is refused" {
    printf 'int main(void) { return 0; }\n' >a.c
    printf 'int main(int c, char **v) { return c > 9 && v; }\n' >b.c
    heddle cc -o a a.c
    heddle cc -o b b.c
    heddle verify -q --store sqlite:s --campaign x ./a
    run heddle verify -q --store sqlite:s --campaign x ./b
    exits 1
    has "another program"
    run heddle verify -q --strategy dfs --store sqlite:s --campaign x ./a
    exits 1
    has "other options"
    run heddle campaign list --json --store sqlite:s
    exits 0
    has '"outcome": "complete"'
}

# sql STATEMENT
sql() { python3 -IS -c 'import sqlite3, sys; d = sqlite3.connect("s"); d.execute(sys.argv[1]); d.commit()' "$1"; }

@test "the schedules of deleted campaigns are run again after an edit" {
    cp "$BATS_TEST_DIRNAME/../../examples/bank.c" t.c
    heddle cc -g -o t t.c
    run heddle recheck --store sqlite:s
    exits 1
    has "the regression corpus of the store has no schedule"
    run heddle run -q --store sqlite:s --campaign x ./t
    exits 2
    heddle campaign delete --store sqlite:s x
    run heddle recheck --store sqlite:s
    exits 2
    has ".heddle/corpus/t-"
    has "1 schedule: 1 FAILS as before"
    run heddle recheck --store sqlite:s -- ./other
    exits 1
    has "no schedule of this program"
    sed -i 's/== 200/> 0/' t.c
    heddle cc -g -o t t.c
    run heddle recheck --store sqlite:s -- ./t
    exits 0
    has "passes now"
    run heddle recheck --store sqlite:s .heddle
    exits 1
    has "either --store or schedules"
    run heddle campaign forget --store sqlite:s
    exits 1
    has "give the signature"
    name=$(basename .heddle/corpus/t-*.heddle .heddle)
    run heddle campaign forget --store sqlite:s "${name#t-}"
    exits 0
    has "removed from the regression corpus"
    run heddle recheck --store sqlite:s
    exits 1
    [ -z "$(ls .heddle/corpus)" ]
}

@test "names from the database do not lead out of the output directory" {
    cp "$BATS_TEST_DIRNAME/../../examples/bank.c" t.c
    heddle cc -g -o t t.c
    run heddle run -q --store sqlite:s --campaign x ./t
    exits 2
    sql "UPDATE finding SET signature = '../../up'"
    sql "UPDATE corpus SET signature = '../../up', program = '../../'"
    run heddle campaign export --store sqlite:s -o a/b x
    exits 0
    [ "$(ls a/b)" = _._.._up.heddle ]
    run heddle recheck --store sqlite:s -o c/d
    [ "$(ls c/d/corpus)" = _._.._-.._.._up.heddle ]
    [ "$(ls a c)" = "$(printf 'a:\nb\n\nc:\nd')" ]
}

@test "names that a store cannot keep, or a terminal would obey, are refused" {
    printf 'int main(void) { return 0; }\n' >a.c
    heddle cc -o a a.c
    for name in "$(printf 'a%.0s' $(seq 128))" $'new\nline' $'\e[2J' $'\u0085'; do
        run heddle verify --store sqlite:s --campaign "$name" ./a
        exits 1
        has "the name of a campaign has 1 to 127 bytes and no control characters"
    done
    run heddle verify --store sqlite:s --campaign "$(printf 'a%.0s' $(seq 127))" ./a
    exits 0
    has "CLEAN"
    for url in sqlite: sqlite::memory:; do
        run heddle verify --store "$url" --campaign x ./a
        exits 1
        has "names no file"
    done
    sql "UPDATE campaign SET name = char(27) || '[2J'"
    run heddle campaign list --store sqlite:s
    has '\x1b[2J: done'
}

@test "a worker whose campaign is deleted, or replaced by another of its name, claims nothing" {
    heddle cc -o t "$BATS_TEST_DIRNAME/../cluster/mutex.c"
    printf 'int main(void) { return 0; }\n' >a.c
    heddle cc -o a a.c
    "$HEDDLE" verify --store sqlite:s --campaign x --lease 1s ./t 5 4 >out 2>&1 3>&- &
    worker=$!
    eventually committed
    heddle campaign delete --store sqlite:s x
    heddle verify -q --store sqlite:s --campaign x ./a
    code=0
    wait "$worker" || code=$?
    [ "$code" = 1 ]
    grep "the campaign 'x' is not in the store any more" out
    run cat out
    [[ "$output" != *CLEAN* ]]
}

committed() {
    [ -e s ] && python3 -IS -c 'import sqlite3; assert sqlite3.connect("s").execute("SELECT count(*) FROM result").fetchone()[0] > 0' 2>/dev/null
}

@test "a program that starts slowly is not searched by one execution at a time" {
    cat "$BATS_TEST_DIRNAME/../cluster/mutex.c" - >t.c <<'END'
__attribute__((constructor)) static void slow(void)
{
    for (long i = 0; i < 1500000000; i++)
        __asm__ volatile("");
}
END
    heddle cc -O1 -o t t.c
    run heddle run -q --strategy random --executions 500 --lease 500ms --store sqlite:s --campaign x ./t 3 3
    exits 4
    python3 -IS -c 'import sqlite3; n = sqlite3.connect("s").execute("SELECT count(*) FROM result").fetchone()[0]; assert n <= 50, n'
    run heddle verify -q --lease 500ms --store sqlite:s --campaign y ./t 3 3 # 9! / 3!^3
    exits 0
    python3 -IS -c 'import sqlite3; n = sqlite3.connect("s").execute("SELECT sum(r.executions), sum(r.executions = 0) FROM result r JOIN campaign c \
        ON c.id = r.campaign WHERE name = \"y\"").fetchone(); assert n == (1680, 0), n'
}
