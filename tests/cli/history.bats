#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# heddle history: files, messages, exit codes.  The verdicts are compared with brute force by tests/unit/recorded_test.c.
load helper

# judge [OPTION]...: the history on standard input
judge() {
    run "$HEDDLE" history "$@" -
}

@test "a history is linearizable, or the operation that is not is named" {
    judge <<<'model queue
a 1 2 enqueue 1
b 3 4 dequeue -> 1'
    [ "$status" -eq 0 ]
    [ "$output" = "-: linearizable: 2 operations of 2 clients, model queue" ]
    judge <<<'model queue
a 1 2 enqueue 1
b 3 4 dequeue -> 1
c 5 6 dequeue -> 1'
    [ "$status" -eq 2 ]
    [[ $output == "-:4: not linearizable: c: dequeue -> 1"*"was put in once, by line 2, and was already taken out by line 3" ]]
}

@test "objects and keys are judged one by one, and size joins the keys" {
    judge <<<'model register
a 1 2 x.write 1
b 3 4 y.read -> 0
b 5 6 x.read -> 1'
    [ "$status" -eq 0 ]
    judge <<<'model map
a 1 2 put k 1 -> none
b 3 4 get l -> none
b 5 6 get k -> none'
    [ "$status" -eq 2 ]
    [[ $output == *"judged by itself: operations with k"* ]]
    judge <<<'model map
a 1 2 put k 1
b 3 4 size -> 0'
    [ "$status" -eq 2 ]
}

@test "equal times overlap, and an operation that has not returned may have taken effect" {
    judge --model register <<<'a 1 5 write 1
b 5 6 read -> 0'
    [ "$status" -eq 0 ]
    judge --model register <<<'a 1 4 write 1
b 5 6 read -> 0'
    [ "$status" -eq 2 ]
    judge --model stack <<<'a 1 2 push 1
b 3 - pop
a 4 5 pop -> empty'
    [ "$status" -eq 0 ]
    judge --model stack <<<'a 1 2 push 1
a 4 5 pop -> empty
b 6 - pop'
    [ "$status" -eq 2 ]
}

@test "out of steps is unknown, and a finding in another file comes first" {
    { echo "model counter"; for i in {1..9}; do echo "c$i 1 20 add $i"; done; echo "a 2 20 read -> 44"; } >hard.txt
    run "$HEDDLE" history --steps 20 hard.txt
    [ "$status" -eq 4 ]
    [[ $output == *": unknown: "*"steps do not suffice"* ]]
    printf 'model counter\na 1 2 read -> 7\n' >wrong.txt
    run "$HEDDLE" history --steps 20 hard.txt wrong.txt missing.txt
    [ "$status" -eq 2 ]
    [[ $output == *"cannot read missing.txt"* ]]
    run "$HEDDLE" history hard.txt
    [ "$status" -eq 0 ]
}

@test "what is wrong with a file is said with its line" {
    local expected
    while IFS='|' read -r line expected; do
        printf 'model queue\n%b\n' "$line" | { run "$HEDDLE" history -; echo "$status $output"; } >out.txt
        grep -qF -- "1 heddle: -: line 2: $expected" out.txt || { cat out.txt; false; }
    done <<'END'
model set|the model is queue, not set
a 1 2|an operation is CLIENT CALLED RETURNED OPERATION
a x 2 enqueue 1|'x' is not the time of a call
a 1 y enqueue 1|'y' is not the time of a return
a 2 1 enqueue 1|the operation returns before it is called
a 1 2 push 1|the model queue has no operation 'push'; it has enqueue X, dequeue -> VALUE
a 1 2 enqueue|enqueue takes 1 argument, and its result comes after '->'
a 1 2 enqueue 1 -> 2|enqueue has no result
a 1 2 dequeue|dequeue has returned, so it needs its result
a 1 - dequeue -> 1|an operation with a result has returned
a 1 2 enqueue empty|'empty' is no value of a queue
initial 3|a queue is empty at first
END
    judge <<<'a 1 2 enqueue 1'
    [ "$status" -eq 1 ]
    [[ $output == *"line 1: the model is not known; begin with a line 'model NAME', or give --model" ]]
    judge <<<'model queue
a 1 5 enqueue 1
a 2 6 enqueue 2'
    [[ $output == *"line 3: the client calls although its operation of line 2 has not returned yet" ]]
    judge --model queu <<<''
    [[ $output == *"there is no model 'queu', did you mean 'queue'?"* ]]
    judge --model queue <<<''
    [[ $output == *"it has no operations" ]]
    printf 'model queue\na 1 2 enqueue \0\n' | { run "$HEDDLE" history -; [ "$status" -eq 1 ]; }
}
