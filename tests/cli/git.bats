# SPDX-License-Identifier: BSD-2-Clause
#
# The scripts for git in examples: git bisect run, and the hook before a commit.
# shellcheck disable=SC2154 # bats sets output and status
load helper

# A repository with the repaired bank in the first and second revision, the bug in the third, and another
# change after it.
repository() {
    command -v git >/dev/null || skip "git is not installed"
    examples=$BATS_TEST_DIRNAME/../../examples
    mkdir bin repository
    ln -s "$(realpath "$(command -v "$HEDDLE")")" bin/heddle
    PATH=$PWD/bin:$PATH
    cd repository
    git init -q .
    git config user.name tester
    git config user.email tester@example.org
    printf 't\n.heddle\ncorpus\n' >.gitignore
    for revision in "first bank_fixed" "second bank_fixed" "third bank" "fourth bank"; do
        cp "$examples/${revision#* }.c" t.c
        echo "${revision% *}" >notes
        git add .gitignore t.c notes
        git commit -qm "${revision% *}"
    done
}

@test "git bisect run finds the revision that brought the bug" {
    repository
    git bisect start HEAD HEAD~3
    HEDDLE_OPTIONS=executions=2000 run git bisect run "$examples/heddle-bisect" 'heddle cc -o t t.c' ./t
    exits 0
    has "is the first bad commit"
    [ "$(git log -1 --format=%s refs/bisect/bad)" = third ]
}

@test "a schedule of the corpus decides without a search; a revision that cannot be built is skipped" {
    repository
    heddle cc -o t t.c
    run heddle run --progress none -o corpus ./t
    exits 2
    # one execution finds nothing by itself
    HEDDLE_CORPUS=$PWD/corpus HEDDLE_OPTIONS=executions=1 run "$examples/heddle-bisect" 'heddle cc -o t t.c' ./t
    exits 1
    has "fails"
    run "$examples/heddle-bisect" 'false' ./t
    exits 125
    run "$examples/heddle-bisect" 'true'
    exits 125
}

@test "the hook refuses a commit with a bug and lets one without pass" {
    repository
    cp "$examples/pre-commit" .git/hooks/
    git config heddle.build 'heddle cc -o t t.c'
    git config heddle.program ./t
    echo fifth >notes
    run git commit -qam fifth
    exits 1
    has "not committed, heddle ended with 2"
    cp "$examples/bank_fixed.c" t.c
    run git commit -qam fifth
    exits 0
    [ "$(git log -1 --format=%s)" = fifth ]
}
