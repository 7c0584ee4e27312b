#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# campaign.bats - messages of campaigns (tests/cluster/run works on some).

load helper

@test "store and campaign belong together" {
    run heddle verify --store sqlite:x ./t
    exits 1
    has "name the campaign with --campaign"
    run heddle verify --campaign x ./t
    exits 1
    has "name the database with --store"
}

@test "campaign commands say what they need" {
    run heddle campaign look --store sqlite:x
    exits 1
    has "use list, show, stop"
    run heddle campaign show --store sqlite:x
    exits 1
    has "name the campaign"
    run heddle campaign list
    exits 1
    has "--store"
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
