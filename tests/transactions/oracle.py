#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""oracle.py PLAYER - random programs with hardware transactions, run by every complete strategy and
compared with brute force.

    HEDDLE=path/to/heddle oracle.py PLAYER [-n PROGRAMS] [-s FIRST] [-t THREAD...]

The brute force interleaves single instructions, also those of a transaction: each of its accesses is a
step, its writes are buffered, another thread's conflicting access aborts it, it may be aborted at any
instruction for no reason, and an abort rolls back.  It knows nothing of the way in which Heddle runs a
transaction, as one step or not at all.

A program is a list of operations for each thread, of three characters (player.c): a letter and two
numbers x, v, written as chr(48 + number).
    r read cell x; w write v; s write the register; a add v; c compare with v, write 5
    B begin, an abort goes on behind the next x operations; E end, then skip x operations; X abort, code x
    i skip v operations unless the register is x; t take the abort's code; l lock; u unlock
    W wait in a loop until cell x is v, outside of transactions
A lock inside a transaction takes the mutex if it is free, and otherwise aborts the transaction.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

CELLS = 2
MUTEX = CELLS  # behind the cells: who has the mutex, or FREE
FREE = -1
OTHER = 9
STUCK = 'waits for ever'
STRATEGIES = ['dfs', 'dfs+cache', 'dpor', 'dpor-optimal', 'dpor-classic', 'ipb', 'idb', 'bpor', 'bpor-source',
              'bpor-lazy']
# These run every order of the operations: not for programs with more than so many states.
NAIVE = ['dfs', 'ipb', 'idb', 'bpor', 'bpor-source', 'dpor-classic']
LARGE = 1000
# It may find that an order is impossible that it wanted to run, and says then that it is not complete.
MAY_GIVE_UP = ['bpor-lazy']


# ---- programs ---------------------------------------------------------------------------------------

def op(letter, x=0, v=0):
    return letter + chr(48 + x) + chr(48 + v)


def access(rng):
    letter = rng.choice('rrsaawc')
    return op(letter, rng.randrange(CELLS), rng.randrange(1, 3) if letter in 'wa' else rng.randrange(2))


def accesses(rng, most):
    out = []
    for _ in range(rng.randrange(1, most + 1)):
        if rng.randrange(5) == 0:
            out.append(op('i', rng.randrange(2), 1))
        out.append(access(rng))
    return out


def body(rng, nested):
    out = accesses(rng, 3)
    if rng.randrange(3) == 0:
        out += [op('i', rng.randrange(2), 1), op('X', rng.randrange(1, 3))]
    if nested and rng.randrange(4) == 0:
        inner = body(rng, False)
        out += [op('B', len(inner) + 1)] + inner + [op('E', 0)]
    if rng.randrange(3) == 0:
        out += accesses(rng, 1)
    if nested and rng.randrange(6) == 0:
        out = [op('l')] + out + [op('u')]
    return out


def transaction(rng):
    inner, instead = body(rng, True), []
    if rng.randrange(3) > 0:
        instead = accesses(rng, 2)
        if rng.randrange(3) == 0:
            instead = [op('l')] + instead + [op('u')]
        if rng.randrange(3) == 0:
            instead.append(op('t'))
    return [op('B', len(inner) + 1)] + inner + [op('E', len(instead))] + instead


def program(seed):
    rng = random.Random(seed)
    threads = rng.choice((2, 2, 3))
    out = []
    for _ in range(threads):
        ops = []
        for _ in range(rng.randrange(1, 3 if threads == 2 else 2)):
            if rng.randrange(8) == 0:
                ops.append(op('W', rng.randrange(CELLS), rng.randrange(3)))
            ops += transaction(rng)
            if rng.randrange(2) == 0:
                ops += accesses(rng, 1)
        if rng.randrange(5) == 0:
            ops = accesses(rng, 2)
        out.append(''.join(ops))
    return out


# ---- brute force ------------------------------------------------------------------------------------

# A thread: next operation, register, status, half of an operation (value read) or None, transaction or
# None.  A transaction: depth, where an abort goes on, register and status at its begin, cells read,
# cells written with their values.
def aborted(thread, code):
    _, _, _, _, (_, instead, reg, _, _, _) = thread
    return (instead, reg, code, None, None)


def conflicts(threads, me, cell, write):
    """The threads whose transactions an access aborts."""
    for i, thread in enumerate(threads):
        if i != me and thread[4] is not None:
            _, _, _, _, reads, writes = thread[4]
            if cell in dict(writes) or (write and cell in reads):
                yield i


def evicted(threads, me, cell, write):
    out = list(threads)
    for i in conflicts(threads, me, cell, write):
        out[i] = aborted(threads[i], OTHER)
    return out


def lock(cells, threads, me, letter):
    """Lock or unlock; None: the thread has to wait."""
    pc, reg, status, half, tx = threads[me]
    owner = FREE if letter == 'u' else me
    if tx is None:
        if letter == 'l' and cells[MUTEX] != FREE:
            return None
        out = evicted(threads, me, MUTEX, True)
        out[me] = (pc + 1, reg, status, half, None)
        return cells[:MUTEX] + (owner,), tuple(out)
    depth, instead, old, was, reads, writes = tx
    buffered = dict(writes)
    held = buffered.get(MUTEX, cells[MUTEX]) != FREE
    out = evicted(threads, me, MUTEX, not (held and letter == 'l'))
    if held and letter == 'l':
        out[me] = aborted(threads[me], OTHER)
        return cells, tuple(out)
    if MUTEX not in buffered and letter == 'l':
        reads = reads | {MUTEX}
    buffered[MUTEX] = owner
    out[me] = (pc + 1, reg, status, half, (depth, instead, old, was, reads, tuple(sorted(buffered.items()))))
    return cells, tuple(out)


def inside(cells, threads, me, letter, x, v):
    """One instruction of a transaction that accesses a cell."""
    pc, reg, status, half, (depth, instead, old, was, reads, writes) = threads[me]
    buffered = dict(writes)
    stores = letter in 'ws' or half is not None
    out = evicted(threads, me, x, stores)
    if stores:
        buffered[x] = v if letter == 'w' else reg if letter == 's' else half + v if letter == 'a' else 5
        after = (pc + 1, reg, status, None)
    else:
        value = buffered.get(x, cells[x])
        if x not in buffered:
            reads = reads | {x}
        if letter == 'r':
            after = (pc + 1, value, status, None)
        elif letter == 'a':
            after = (pc, reg, status, value)
        else:
            after = (pc, 1, status, value) if value == v else (pc + 1, 0, status, None)
    out[me] = after + ((depth, instead, old, was, reads, tuple(sorted(buffered.items()))),)
    return cells, tuple(out)


def outside(cells, threads, me, letter, x, v):
    """An atomic operation outside of transactions."""
    pc, reg, status, _, _ = threads[me]
    new = list(cells)
    write = letter != 'r' and not (letter == 'c' and cells[x] != v)
    out = evicted(threads, me, x, write)
    if letter == 'r':
        reg = cells[x]
    elif letter == 'c':
        reg = int(cells[x] == v)
    if write:
        new[x] = v if letter == 'w' else reg if letter == 's' else cells[x] + v if letter == 'a' else 5
    out[me] = (pc + 1, reg, status, None, None)
    return tuple(new), tuple(out)


def end(cells, threads, me, skip):
    pc, reg, status, _, (depth, instead, old, was, reads, writes) = threads[me]
    out, new = list(threads), list(cells)
    if depth > 1:
        out[me] = (pc + 1 + skip, reg, status, None, (depth - 1, instead, old, was, reads, writes))
    else:
        for cell, value in writes:
            new[cell] = value
        out[me] = (pc + 1 + skip, reg, status, None, None)
    return tuple(new), tuple(out)


def begin(cells, threads, me, x):
    pc, reg, status, _, tx = threads[me]
    out = list(threads)
    if tx is None:
        tx = (0, pc + 1 + x, reg, status, frozenset(), ())
    out[me] = (pc + 1, reg, status, None, (tx[0] + 1,) + tx[1:])
    return cells, tuple(out)


def steps(text, state):
    """All states that one instruction leads to."""
    cells, threads = state
    for me, thread in enumerate(threads):
        pc, reg, status, half, tx = thread
        if tx is not None:
            out = list(threads)
            out[me] = aborted(thread, OTHER)
            yield cells, tuple(out)
        if 3 * pc >= len(text[me]):
            continue
        letter, x, v = text[me][3 * pc], ord(text[me][3 * pc + 1]) - 48, ord(text[me][3 * pc + 2]) - 48
        if letter in 'rwsac':
            yield (inside if tx is not None else outside)(cells, threads, me, letter, x, v)
        elif letter == 'B':
            yield begin(cells, threads, me, x)
        elif letter == 'E':
            yield end(cells, threads, me, x)
        elif letter in 'lu':
            after = lock(cells, threads, me, letter)
            if after is not None:
                yield after
        else:
            out = evicted(threads, me, x, False) if letter == 'W' else list(threads)
            if letter == 'W':
                out[me] = (pc + (cells[x] == v), reg, status, half, tx)
            elif letter == 'X':
                out[me] = aborted(thread, x)
            elif letter == 'i':
                out[me] = (pc + 1 + (v if reg != x else 0), reg, status, half, tx)
            else:
                out[me] = (pc + 1, status, status, half, tx)
            yield cells, tuple(out)


def code_of(state):
    cells, threads = state
    h = 1
    for value in list(cells[:CELLS]) + [thread[1] for thread in threads]:
        h = (h * 31 + value + 1) % 2 ** 32
    return 1 + h % 251


def brute_force(text):
    """The exit codes of all final states, with STUCK if threads can wait for ever, and the number of states."""
    first = ((0,) * CELLS + (FREE,), tuple((0, 0, 0, None, None) for _ in text))
    seen, todo, codes = {first}, [first], set()
    while todo:
        state = todo.pop()
        others = [after for after in steps(text, state) if after != state]
        if all(3 * t[0] >= len(text[i]) and t[4] is None for i, t in enumerate(state[1])):
            codes.add(code_of(state))
        elif not others:
            codes.add(STUCK)
        for after in others:
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return codes, len(seen)


# ---- searches -----------------------------------------------------------------------------------------

def search(player, text, strategy):
    command = [os.environ['HEDDLE'], 'verify', '--strategy', strategy, '--keep-going', '-q', '--progress', 'none',
               '--minimize', 'off', '--count', 'classes', '--json', 'result.json', '--', player] + text
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open('result.json') as f:
        return json.load(f)


def judge(text, strategy, result, codes):
    """What is wrong with the result, or None."""
    found = set()
    for finding in result['findings']:
        if finding['kind'] in ('livelock', 'deadlock'):
            found.add(STUCK)
            continue
        code = re.search(r'exit code (\d+)', finding['message'])
        if finding['kind'] != 'exit-code' or code is None:
            return f"reports {finding['kind']}: {finding['message']}"
        found.add(int(code[1]))
    gives_up = strategy in MAY_GIVE_UP and not result['complete']
    if found - codes or (codes - found and not gives_up):
        return f'misses {sorted(codes - found, key=str)}, adds {sorted(found - codes, key=str)} of {sorted(codes, key=str)}'
    if not result['complete']:
        return None if gives_up else f"is not complete: {result['guarantee']}"
    classes = result.get('classes')
    if strategy == 'dpor-optimal' and classes is not None and classes != result['executions']:
        return f"runs {result['executions']} executions for {classes} classes"
    return None


def check(player, text, strategies):
    (codes, states), classes = brute_force(text), {}
    for strategy in strategies:
        if strategy in NAIVE and states > LARGE:
            continue
        result = search(player, text, strategy)
        wrong = judge(text, strategy, result, codes)
        if wrong is None and result['complete'] and result.get('classes') is not None:
            classes[result['classes']] = strategy
            if len(classes) > 1:
                wrong = f'counts other classes than another strategy: {classes}'
        if wrong is not None:
            print(f"{strategy} {wrong}\n    program: {' '.join(text)}")
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('player')
    parser.add_argument('-n', type=int, default=5000 if os.environ.get('HEDDLE_DEEP') == '1' else 12)
    parser.add_argument('-s', type=int, default=1)
    parser.add_argument('-t', nargs='+')
    parser.add_argument('--strategies', default=','.join(STRATEGIES))
    options = parser.parse_args()
    player, strategies = os.path.abspath(options.player), options.strategies.split(',')
    wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        programs = [options.t] if options.t else map(program, range(options.s, options.s + options.n))
        for text in programs:
            wrong += not check(player, text, strategies)
        os.chdir('/')
    print(f'{wrong} of {1 if options.t else options.n} programs disagree')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
