#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# What is not known to be controlled takes the claim away, in every output.
load helper

# A child process tells the thread that reads when it likes.
child_that_writes() {
    cat >child.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
#include <pthread.h>
static int pipes[2];
static void *reads(void *p)
{
    char c;
    return read(pipes[0], &c, 1) == 1 ? p : p;
}
int main(void)
{
    pthread_t t;
    if (pipe(pipes) != 0)
        return 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(write(pipes[1], "x", 1) != 1);
    pthread_create(&t, 0, reads, 0);
    waitpid(pid, 0, 0);
    return pthread_join(t, 0);
}
END
    heddle cc -o child child.c
}

@test "what denies: verdict, exit code, JSON, JUnit, SARIF, HTML" {
    child_that_writes
    run heddle verify --strategy dfs --json r.json --junit r.xml --sarif r.sarif --html r.html ./child
    exits 4
    has "INCOMPLETE: nothing proved: "
    has "not seen (child processes"
    json r.json 'r["verdict"] == "budget" and not r["complete"] and "child processes" in r["uncontrolled"]'
    json r.json '{"effect": "denies", "text": "child processes"} in r["ledger"]'
    json r.json '[e["text"] for e in r["ledger"]] == r["uncontrolled"]'
    grep -q 'name="uncontrolled" value="child processes' r.xml
    grep -q 'name="complete" value="false"' r.xml
    grep -q '"level": "warning", "message": {"text": "child processes' r.sarif
    grep -q 'nothing proved: .*not seen (child processes' r.html
}

@test "what denies: no sampler tells a probability" {
    child_that_writes
    run heddle run --strategy pct --executions 20 ./child
    exits 4
    has "not seen (child processes"
    echo "$output" | absent probability
}

@test "a plain binary proves nothing" {
    cat >one.c <<'END'
int main(void) { return 0; }
END
    gcc -o plain one.c
    heddle cc -o seen one.c
    run heddle verify --strategy dfs --json r.json ./plain
    exits 4
    has "1 place is not seen (plain binary:"
    json r.json 'r["ledger"][0]["effect"] == "denies"'
    run heddle verify --strategy dfs --json r.json ./seen
    exits 0
    json r.json 'r["ledger"] == []'
}
