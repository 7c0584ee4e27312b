#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# Mistakes in options: exit 1, and a message that names the mistake.
load helper

refuses() { # TEXT ARGUMENTS...
    local text=$1
    shift
    run heddle "$@"
    exits 1
    has "$text"
}

@test "a bound wants a strategy that has one" {
    refuses "has no bound; use bpor-lazy, ipb or idb" run --bound 2 ./t
    refuses "has no bound; use bpor-lazy, ipb or idb" run --bound iterate ./t
    refuses "has no bound; use bpor-lazy, ipb or idb" verify --strategy dfs --bound 2 ./t
    refuses "has no bound; use bpor-lazy, ipb or idb" verify --strategy dpor --bound iterate ./t
    refuses "wants a whole number" verify --bound iterat ./t
}

@test "unknown options get a suggestion" {
    refuses "did you mean '--strategy'?" run --strtegy dfs ./t
    refuses "did you mean '--keep-going'?" run --keep ./t
    refuses "unknown option '-z'" run -z ./t
    refuses "unknown option '--frobnicate'" run --frobnicate ./t
}

@test "options of another verb are named as such" {
    refuses "belongs to 'heddle replay'" run --output ./t
    refuses "belongs to 'heddle run'" replay --seed 3
}

@test "a program is needed" {
    refuses "no program given" run
    refuses "no program given" verify --bound 2
}

@test "zero and negative limits are refused" {
    refuses "at least 1, not" run --executions 0 ./t
    refuses "not '-5'" run --executions -5 ./t
    refuses "more than zero" run --budget 0s ./t
    refuses "not '-3s'" run --budget -3s ./t
    refuses "not '-1'" run --bound=-1 ./t
    refuses "at least 1" run --max-steps 0 ./t
}

@test "numbers and times are checked" {
    refuses "wants a whole number" run --seed 12x ./t
    refuses "wants a whole number" run --seed "" ./t
    refuses "wants a whole number" run --executions 99999999999999999999999 ./t
    refuses "at most 4194304, not" run --max-steps 99999999999 ./t
    refuses "such as 500ms, 30s" run --budget 5 ./t
    refuses "such as 500ms, 30s" run --budget 5d ./t
    refuses "too long" run --budget 9999999999999999h ./t
}

@test "words are checked" {
    refuses "did you mean 'sync'?" run --points syn ./t
    refuses "auto|inproc|fork" run --isolation vm ./t
    refuses "any|idle" run --timeouts never ./t
    refuses "default|study" run --convention other ./t
}

@test "strategies are checked" {
    refuses "did you mean 'random'?" run --strategy randon ./t
    refuses "heddle list strategies" run --strategy quantum ./t
    refuses "heddle replay FILE" run --strategy replay ./t
}

@test "reducers are checked" {
    for strategy in dpor dpor-optimal random pct; do
        refuses "+cache is unsound with $strategy" verify --strategy $strategy+cache ./t
        refuses "+lazycache is unsound with $strategy" verify --strategy $strategy+lazycache ./t
    done
    refuses "unknown reducer '+sleep'" run --strategy dfs+sleep ./t
    refuses "unknown reducer '+'" run --strategy dfs+ ./t
    refuses "one at a time" run --strategy dfs+cache+lazycache ./t
    refuses "did you mean 'dfs'?" run --strategy df+cache ./t
    refuses "needs --points every" run --strategy ipb+lazycache:finish=1 --points all ./t
}

@test "values that are missing or not wanted" {
    refuses "wants a value: FILE" run --json
    refuses "wants a value: DIR" run -o
    refuses "must not be empty" run --json= ./t
    refuses "takes no value" run --keep-going=yes ./t
}

@test "numbers of workers that cannot be" {
    refuses "at most 64, or auto, not '65'" run -j65 ./t
    refuses "wants a whole number" run -j many ./t
    refuses "leave -j out" verify --strategy dpor-classic --tm-retry-sets -j2 ./t
}

@test "lazy reduction is refused where it would not see what commutes" {
    for strategy in dpor-lazy dfs+lazycache; do
        refuses "needs --points every" run --strategy $strategy --points sync ./t
        refuses "needs --points every" run --strategy $strategy --points races ./t
        refuses "needs --points every" verify --strategy $strategy --points all ./t
        refuses "without --within" verify --strategy $strategy --points every --within f ./t
        refuses "leave out '--races off'" verify --strategy $strategy --races off ./t
    done
}

@test "mistakes in HEDDLE_OPTIONS are named as such" {
    HEDDLE_OPTIONS="stratgy=dfs" refuses "in HEDDLE_OPTIONS: unknown option" run ./t
    HEDDLE_OPTIONS="executions=0" refuses "in HEDDLE_OPTIONS: --executions" run ./t
    HEDDLE_OPTIONS="strategy" refuses "'strategy' wants a value" run ./t
    HEDDLE_OPTIONS="keep-going=2" refuses "is 0 or 1" run ./t
}

@test "too many operands" {
    refuses "unexpected argument 'b'" replay a b
    refuses "unexpected argument 'x'" version x
}

@test "a program that is not there is the user's mistake" {
    run heddle run ./no-such-program
    exits 1
    run heddle verify -- ./no-such-program --help
    exits 1
    [[ "$output" != *"usage:"* ]]
}

@test "every mistake is answered with what would be right" {
    printf 'int main(void) { return 0; }\n' >t.c
    heddle cc -o t t.c
    refuses "'./t' is the value of --json" run --json ./t
    refuses "or iterate, not 'x'" run --bound x ./t
    refuses "write it alone" run --keep-going=1 ./t
    refuses "unknown option '-x'" run -x ./t
    refuses "the name of the program is empty" run ""
    refuses "cache wants a whole number, 1 to 16384" verify --strategy dfs+cache:cache=0 ./t
    refuses "cache wants a whole number, 1 to 16384" verify --strategy dfs+cache:cache=-1 ./t
    refuses "there are d (1 to 64), demote (0 or 1)" run --strategy pct:depth=2 ./t
    refuses "strategy random has no parameters" run --strategy random:d=1 ./t
    refuses "(dpor, bpor-lazy, dfs, ipb and others)" verify --strategy random ./t
    refuses "options come after the verb" -v
    refuses "the id of a finding in .heddle" replay nothing
    refuses "check the path" run ./nothing
}

@test "a file that cannot be written is noticed before the search" {
    printf 'int main(void) { return 0; }\n' >t.c
    heddle cc -o t t.c
    mkdir directory
    refuses "cannot write none/r.json: No such file" run --json none/r.json ./t
    refuses "cannot write directory: Is a directory" run --json directory ./t
    refuses "may be written to" run --json t.c/r.json ./t
    if [ "$(id -u)" -ne 0 ]; then
        chmod a-w directory
        refuses "Permission denied" run --json directory/r.json ./t
    fi
    run heddle run --executions 2 --json r.json ./t
    [ -s r.json ]
    [ "$(echo r.json*)" = r.json ]
}
