#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""oracle.py PLAYER - random programs with hardware transactions, run by every complete strategy and
compared with brute force.

    HEDDLE=path/to/heddle oracle.py PLAYER [-n PROGRAMS] [-s FIRST] [-m MODE] [-t THREAD...]

Modes: retry (spurious aborts with any status), all (--tm-aborts all: every status counts), stm (--tm stm: only
conflicts).  Without -m they take turns.

The brute force interleaves single instructions, also those of a transaction: each of its accesses is a
step, its writes are buffered, conflicts abort it, it may be aborted at any instruction for no reason, and an abort rolls
back.  It knows nothing of the way in which Heddle runs a transaction, as one step or not at all.
Conflicts are found in two ways:
    at the end: by a step that takes effect: a transaction that ends or aborts itself, or an operation outside.
        docs/transactions.md says that Heddle tries these.
    at each access: the thread that accesses memory aborts all transactions in conflict, as processors do, also if it is in
        a transaction that is aborted itself later.  Where the status of an abort does not count (retry), this must give
        the same final states, because a spurious abort can take the place of the conflict.  Where it counts, it may
        give more, but never less.
Whether a conflict came while a nested transaction ran is compared where what the nested transactions do does not depend on
what is read (modes with "nested").  Otherwise it is not: Heddle decides that by the body as it runs after the other thread's
step, and before it the body may have taken another path (docs/transactions.md; the verdict says so).

A program is a list of operations for each thread, of three characters (player.c): a letter and two
numbers x, v, written as chr(48 + number).
    r read cell x; w write v; s write the register; a add v; c compare with v, write 5
    B begin, an abort goes on behind the next x operations; E end, then skip x operations; X abort, code x
    i skip v operations unless the register is x; t take the abort's code; l lock; u unlock
    p an access to a number under the mutex, plain and in two instructions; W wait in a loop until cell x is v, outside of transactions
A lock inside a transaction takes the mutex if it is free.  Otherwise it has read that, and then aborts the transaction: these are
two instructions, so that the unlock may come between and abort it with a conflict.
"""
import argparse
import collections
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

CELLS = 2
GUARDED = CELLS  # behind the cells: a number that the mutex guards
MUTEX = CELLS + 1  # who has the mutex, or FREE
FREE = -1
HELD = 'held'  # the first half of an attempt at a mutex that another thread has
OTHER = 9
# Bits of the status.
RETRY, CONFLICT, NESTED, EXPLICIT = 2, 4, 32, 100
OPTIONS = {'retry': [], 'all': ['--tm-aborts', 'all'], 'stm': ['--tm', 'stm'], 'retry sets': ['--tm-retry-sets']}
# The same modes, with the nested bit of conflicts compared.
NESTS = {'all': 'all nested', 'stm': 'stm nested'}
# The same modes, with conflicts found at each access.
EAGER = {'retry': 'retry eager', 'all': 'all eager', 'all nested': 'all nested eager'}
COARSE = ['retry', 'retry eager', 'retry sets']
MODES = ['retry', 'all', 'stm']
SPURIOUS = {'retry': [OTHER], 'all': [RETRY, 0], 'stm': []}
CONFLICTS = {'retry': [OTHER], 'all': [CONFLICT | RETRY, CONFLICT], 'stm': [CONFLICT | RETRY]}
WAITS = {'retry': OTHER, 'all': 0, 'stm': 0}
for table in OPTIONS, SPURIOUS, CONFLICTS, WAITS:
    table.update({nests: table[usual] for usual, nests in NESTS.items()})
for table in SPURIOUS, CONFLICTS, WAITS:
    table.update({eager: table[usual] for usual, eager in EAGER.items()})
STUCK = 'waits for ever'
# Number of searches that reported themselves as incomplete, for each strategy.
gave_up = collections.Counter()
STRATEGIES = ['dfs', 'dfs+cache', 'ipb', 'ipb+cache', 'idb', 'idb+cache', 'dpor', 'dpor-optimal', 'dpor-classic', 'dpor-lazy',
              'bpor', 'bpor-source', 'bpor-lazy']
# Each program takes half a second, so these run only with HEDDLE_DEEP=1.
SLOW = ['dfs+lazycache']
# Programs with more states are not run.
MOST = 1500
# These strategies run every order of the operations.  They are left out for programs with more states than this
# limit, and for waiting loops in which conflicts are tried, because each round of such a loop then counts as steps.
NAIVE = ['dfs', 'dfs+lazycache', 'ipb', 'idb', 'bpor', 'bpor-source', 'dpor-classic']
# Left out for such loops in programs with more states than this limit.
CACHED = ['dfs+cache', 'ipb+cache', 'idb+cache', 'dpor-lazy']
# These strategies promise only to reach all final states, not all classes.
LAZY = ['dfs+lazycache', 'dpor-lazy']
LARGE = 60
LARGE_WAITS = 25
# It may find that an order is impossible that it wanted to run, and says then that it is not complete.  So it does of
# loops that wait, where conflicts are tried (docs/strategies.md: programs that poll).
MAY_GIVE_UP = ['bpor-lazy']
SECONDS = 20  # limit of one search
# Programs that once disagreed: two conflicts of one execution had causes that exclude each other (stm); a thread that
# waits was believed to go on after a transaction that was aborted.
KNOWN = [
    'B60i11s11w02i01X10E40l00i11r00u00B40a11r11s11E60l00p10c00i11w01u00c00 '
    'B30a02a02E30i11a11a12c00B90l00i11c10i11r00i11X10u00E40l00p20c01u00',
    'B50r10w01i01X20E10r00i01r01B40i11r01c11E10r10 '
    'B30s01s00E50l00p10a01u00t00B:0a12i11X10B50a11i11X10r11E00E20s10t00r00B80i01w02r11i01X10i11r01E30a11a11t00s11',
    'W02B80l00p20r10i11r01r00u00E00B70r11i01a02a11i01X10E00c10 B50i01a02r10r00E20i01a02',
]


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


def guarded(rng):
    return [op('p', rng.randrange(1, 3))] if rng.randrange(2) == 0 else []


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
        out = [op('l')] + guarded(rng) + out + [op('u')]
    return out


def transaction(rng):
    inner, instead = body(rng, True), []
    if rng.randrange(3) > 0:
        instead = accesses(rng, 2)
        if rng.randrange(3) == 0:
            instead = [op('l')] + guarded(rng) + instead + [op('u')]
        if rng.randrange(3) == 0:
            instead.append(op('t'))
    return [op('B', len(inner) + 1)] + inner + [op('E', len(instead))] + instead


def program(rng):
    threads = rng.choice((2, 2, 3))
    out = []
    for _ in range(threads):
        ops = []
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3) if threads == 2 else (1, 1, 1, 1, 2))):
            if rng.randrange(8) == 0:
                ops.append(op('W', rng.randrange(CELLS), rng.randrange(3)))
            ops += transaction(rng)
            if rng.randrange(2) == 0:
                ops += accesses(rng, 1)
        if rng.randrange(5) == 0:
            ops = accesses(rng, 2)
        out.append(''.join(ops))
    return out


def nests_plainly(thread):
    """No transaction of the thread that has a nested one branches or waits."""
    letters, depth, begun = thread[::3], 0, 0
    for i, letter in enumerate(letters):
        begun = i if letter == 'B' and depth == 0 else begun
        depth += {'B': 1, 'E': -1}.get(letter, 0)
        body = letters[begun + 1:i]
        if letter == 'E' and depth == 0 and 'B' in body and ('i' in body or 'l' in body):
            return False
    return True


def mode_for(text, mode):
    return NESTS[mode] if mode in NESTS and all(nests_plainly(thread) for thread in text) else mode


# ---- brute force ------------------------------------------------------------------------------------

# A thread: next operation, register, status, half of an operation (value read) or None, transaction or
# None.  A transaction: depth, where an abort goes on, register and status at its begin, cells read,
# cells written with their values.
def aborted(thread, code, mode):
    _, _, _, _, (depth, instead, reg, _, _, _) = thread
    if mode not in COARSE and depth > 1 and ('nested' in mode or not code & CONFLICT):
        code |= NESTED
    return (instead, reg, code, None, None)


def explicit(thread, code, mode):
    if mode in COARSE:
        return aborted(thread, code, mode)
    instead, reg, bits, half, tx = aborted(thread, 0, mode)
    return (instead, reg, bits + EXPLICIT + code, half, tx)


def after_step(threads, me, reads, writes, mode):
    """All states of the threads after a step of thread `me` took effect, or a transaction of it aborted itself.
    It aborts transactions that have read what it writes, and may abort others in conflict with it: those may as well
    begin later."""
    out = [list(threads)]
    if mode in EAGER.values():
        return after_access(threads, me, reads, writes, mode) if threads[me][4] is None else out
    for i, thread in enumerate(threads):
        if i == me or thread[4] is None:
            continue
        others = dict(thread[4][5])
        must = any(cell in thread[4][4] for cell in writes)
        may = must or any(cell in others for cell in writes) or any(cell in others for cell in reads)
        choices = [aborted(thread, code, mode) for code in CONFLICTS[mode]] if may else []
        if not must:
            choices.append(thread)
        out = [t[:i] + [choice] + t[i + 1:] for t in out for choice in choices]
    return out


def after_access(threads, me, reads, writes, mode):
    """The same after an access by thread `me`, in a transaction or not, if conflicts are found at each access."""
    out = [list(threads)]
    if mode not in EAGER.values():
        return out
    for i, thread in enumerate(threads):
        if i == me or thread[4] is None:
            continue
        read, written = accesses_of(thread)
        if any(cell in written for cell in [*reads, *writes]) or any(cell in read for cell in writes):
            out = [t[:i] + [aborted(thread, code, mode)] + t[i + 1:] for t in out for code in CONFLICTS[mode]]
    return out


def accesses_of(thread):
    return thread[4][4], [cell for cell, _ in thread[4][5]]


def with_mine(states, me, thread, cells):
    for out in states:
        out[me] = thread
        yield cells, tuple(out)


def lock(cells, threads, me, letter, mode):
    """Lock or unlock; nothing: the thread has to wait."""
    pc, reg, status, half, tx = threads[me]
    owner = FREE if letter == 'u' else me
    if tx is None:
        if letter == 'u' or cells[MUTEX] == FREE:
            yield from with_mine(after_step(threads, me, (MUTEX,), (MUTEX,), mode), me, (pc + 1, reg, status, half, None),
                                 cells[:MUTEX] + (owner,))
        return
    depth, instead, old, was, reads, writes = tx
    buffered = dict(writes)
    held = buffered.get(MUTEX, cells[MUTEX]) != FREE
    if MUTEX not in buffered and letter == 'l':
        reads = reads | {MUTEX}
    if held and letter == 'l' and half is None:
        yield from with_mine(after_access(threads, me, (MUTEX,), (), mode), me,
                             (pc, reg, status, HELD, (depth, instead, old, was, reads, writes)), cells)
        return
    if half == HELD:
        yield from with_mine(after_step(threads, me, reads, list(buffered), mode), me,
                             aborted(threads[me], WAITS[mode], mode), cells)
        return
    buffered[MUTEX] = owner
    yield from with_mine(after_access(threads, me, (MUTEX,), (MUTEX,), mode), me,
                         (pc + 1, reg, status, half, (depth, instead, old, was, reads, tuple(sorted(buffered.items())))),
                         cells)


def stored(letter, x, v, reg, half):
    """What the second half of an operation writes, or a mere store."""
    return {'w': v, 's': reg, 'a': (half or 0) + v, 'c': 5, 'p': 2 * (half or 0) + x}[letter]


def inside(cells, threads, me, letter, x, v, mode):
    """One instruction of a transaction that accesses a cell."""
    pc, reg, status, half, (depth, instead, old, was, reads, writes) = threads[me]
    cell = GUARDED if letter == 'p' else x
    buffered = dict(writes)
    stores = letter in 'ws' or half is not None
    if stores:
        buffered[cell] = stored(letter, x, v, reg, half)
        after = (pc + 1, buffered[cell] if letter == 'p' else reg, status, None)
    else:
        value = buffered.get(cell, cells[cell])
        if cell not in buffered:
            reads = reads | {cell}
        if letter == 'r':
            after = (pc + 1, value, status, None)
        elif letter in 'ap':
            after = (pc, reg, status, value)
        else:
            after = (pc, 1, status, value) if value == v else (pc + 1, 0, status, None)
    yield from with_mine(after_access(threads, me, (cell,), (cell,) if stores else (), mode), me,
                         after + ((depth, instead, old, was, reads, tuple(sorted(buffered.items()))),), cells)


def outside(cells, threads, me, letter, x, v, mode):
    """An atomic operation outside of transactions, or half of a plain one."""
    pc, reg, status, half, _ = threads[me]
    new = list(cells)
    cell = GUARDED if letter == 'p' else x
    write = half is not None if letter == 'p' else letter != 'r' and not (letter == 'c' and cells[x] != v)
    after = (pc + 1, reg, status, None, None)
    if letter == 'r':
        after = (pc + 1, cells[x], status, None, None)
    elif letter == 'c':
        after = (pc + 1, int(cells[x] == v), status, None, None)
    elif letter == 'p':
        after = (pc + 1, stored('p', x, v, reg, half), status, None, None) if write else \
            (pc, reg, status, cells[GUARDED], None)
    if write:
        new[cell] = stored(letter, x, v, reg, cells[x] if letter == 'a' else half)
    yield from with_mine(after_step(threads, me, (cell,), (cell,) if write else (), mode), me, after, tuple(new))


def end(cells, threads, me, skip, mode):
    pc, reg, status, _, (depth, instead, old, was, reads, writes) = threads[me]
    new = list(cells)
    if depth > 1:
        yield from with_mine([list(threads)], me,
                             (pc + 1 + skip, reg, status, None, (depth - 1, instead, old, was, reads, writes)), cells)
        return
    for cell, value in writes:
        new[cell] = value
    yield from with_mine(after_step(threads, me, *accesses_of(threads[me]), mode), me,
                         (pc + 1 + skip, reg, status, None, None), tuple(new))


def begin(cells, threads, me, x):
    pc, reg, status, _, tx = threads[me]
    out = list(threads)
    if tx is None:
        tx = (0, pc + 1 + x, reg, status, frozenset(), ())
    out[me] = (pc + 1, reg, status, None, (tx[0] + 1,) + tx[1:])
    return cells, tuple(out)


def steps(text, state, mode):
    """All states that one instruction leads to."""
    cells, threads = state
    for me, thread in enumerate(threads):
        pc, reg, status, half, tx = thread
        for code in SPURIOUS[mode] if tx is not None else []:
            yield cells, threads[:me] + (aborted(thread, code, mode),) + threads[me + 1:]
        if 3 * pc >= len(text[me]):
            continue
        letter, x, v = text[me][3 * pc], ord(text[me][3 * pc + 1]) - 48, ord(text[me][3 * pc + 2]) - 48
        if letter in 'rwsacp':
            yield from inside(cells, threads, me, letter, x, v, mode) if tx is not None else \
                outside(cells, threads, me, letter, x, v, mode)
        elif letter == 'B':
            yield begin(cells, threads, me, x)
        elif letter == 'E':
            yield from end(cells, threads, me, x, mode)
        elif letter in 'lu':
            yield from lock(cells, threads, me, letter, mode)
        elif letter == 'W':
            yield from with_mine(after_step(threads, me, (x,), (), mode), me,
                                 (pc + (cells[x] == v), reg, status, half, tx), cells)
        elif letter == 'X':
            yield from with_mine(after_step(threads, me, *accesses_of(thread), mode), me, explicit(thread, x, mode), cells)
        elif letter == 'i':
            yield from with_mine([list(threads)], me, (pc + 1 + (v if reg != x else 0), reg, status, half, tx), cells)
        else:
            yield from with_mine([list(threads)], me, (pc + 1, status, status, half, tx), cells)


def code_of(state):
    cells, threads = state
    h = 1
    for value in list(cells[:MUTEX]) + [thread[1] for thread in threads]:
        h = (h * 31 + value + 1) % 2 ** 32
    return 1 + h % 251


def brute_force(text, mode):
    """The exit codes of all final states, with STUCK if threads can wait for ever, and the number of states."""
    first = ((0,) * MUTEX + (FREE,), tuple((0, 0, 0, None, None) for _ in text))
    seen, todo, codes = {first}, [first], set()
    while todo and len(seen) <= MOST:
        state = todo.pop()
        others = [after for after in steps(text, state, mode) if after != state]
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

def letters(codes):
    return '/' + ''.join(chr(65 + code // 16) + chr(65 + code % 16) for code in sorted(codes))


def search(player, programs, strategy, mode):
    """programs: pairs of a text and the codes that are no findings; these are counted as states."""
    words = [word for text, listed in programs for word in [letters(listed), *text]]
    command = [os.environ['HEDDLE'], 'verify', '--strategy', strategy, '--keep-going', '-q', '--progress', 'none',
               '--minimize', 'off', '--count', 'classes,states', '--json', 'result.json',
               '--budget', f'{SECONDS}s', *OPTIONS[mode], '--', player, 'coarse' if mode in COARSE else 'nested' if 'nested' in mode else 'exact'] + words
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open('result.json') as f:
        return json.load(f)


def found(result):
    """The codes that are findings, and what else is wrong, or None."""
    codes = set()
    for finding in result['findings']:
        if finding['kind'] in ('livelock', 'deadlock'):
            codes.add(STUCK)
            continue
        code = re.search(r'exit code (\d+)', finding['message'])
        if finding['kind'] != 'exit-code' or code is None:
            return codes, f"reports {finding['kind']}: {finding['message']}"
        codes.add(int(code[1]))
    return codes, None


def run(player, text, strategy, mode):
    """The result of a search, the codes that it has reached, and what else is wrong, or None."""
    result = search(player, [(text, [])], strategy, mode)
    return result, *found(result)


def waits(text):
    return any(t[i] == 'W' for t in text for i in range(0, len(t), 3))


def is_too_large(text, strategy, states, mode):
    rounds = waits(text) and mode not in COARSE
    if strategy in NAIVE:
        return rounds or states > (LARGE_WAITS if waits(text) else LARGE)
    return strategy in CACHED and rounds and states > LARGE_WAITS


def may_give_up(strategy, result):
    """A search in vain must say so: one that ran out of time, and some reductions."""
    return strategy in MAY_GIVE_UP or 'not finished' in result['guarantee']


def judge(strategy, result, reached, codes):
    """What is wrong with the result, or None."""
    gives_up = not result['complete'] and may_give_up(strategy, result)
    if reached - codes or (codes - reached and not gives_up):
        return f'misses {sorted(codes - reached, key=str)}, adds {sorted(reached - codes, key=str)} of {sorted(codes, key=str)}'
    if not result['complete']:
        gave_up[strategy] += gives_up
        return None if gives_up else f"is not complete: {result['guarantee']}"
    classes = result['reached']['classes']
    # An execution that was discarded because it showed a loop to be a wait is no execution, but its class is counted.
    if strategy == 'dpor-optimal' and not 0 <= classes - result['executions'] <= result['discarded']:
        return f"runs {result['executions']} executions for {classes} classes"
    return None


def eager_differs(text, mode, codes):
    """What the other way to find conflicts does not agree on, or None."""
    eager, states = brute_force(text, EAGER[mode]) if mode in EAGER else (codes, 0)
    if states > MOST or eager == codes or (mode not in COARSE and eager > codes):
        return None
    return f'brute force with conflicts at each access has {sorted(eager, key=str)} instead of {sorted(codes, key=str)}'


def agrees(player, text, strategy, codes, mode):
    """A search in which the codes are no findings reaches all of them, and nothing else."""
    result = search(player, [(text, codes)], strategy, mode)
    return not result['findings'] and result['reached']['states'] == len(codes) and result['complete'] and \
        judge(strategy, result, codes, codes) is None


def check(player, text, strategies, mode):
    """Each search alone.  What does not agree at once is searched again, with the codes as findings."""
    (codes, states), classes = brute_force(text, mode), {}
    if states > MOST:
        sys.exit('the program has too many states')
    wrong = eager_differs(text, mode, codes)
    for strategy in strategies:
        if wrong is not None or is_too_large(text, strategy, states, mode):
            continue
        if STUCK not in codes and agrees(player, text, strategy, codes, mode):
            continue
        result, reached, wrong = run(player, text, strategy, mode)
        wrong = wrong or judge(strategy, result, reached, codes)
        if wrong is None and result['complete'] and result['discarded'] == 0 and strategy not in LAZY:
            classes[result['reached']['classes']] = strategy
            if len(classes) > 1:
                wrong = f'counts other classes than another strategy: {classes}'
        wrong = wrong and f'{strategy} {wrong}'
    if wrong is not None:
        print(f"{wrong}\n    program: -m {mode} -t {' '.join(text)}", flush=True)
    return wrong is None


class Batch:
    """Programs that one search runs together: Heddle chooses one of them.  If the number of final states is the one
    of brute force, and no execution ends in another state, then all of them agree.  Otherwise each is run alone."""
    SIZE = 20

    def __init__(self, player, strategies, mode):
        self.player, self.strategies, self.mode, self.programs = player, strategies, mode, []

    def agrees(self, strategy, classes):
        result = search(self.player, self.programs, strategy, self.mode)
        if result['complete'] and strategy not in LAZY:
            classes.setdefault(result['reached']['classes'], strategy)
        return result['complete'] and not result['findings'] and result['discarded'] == 0 and len(classes) == 1 and \
            result['reached']['states'] == sum(len(codes) for _, codes in self.programs) and \
            (strategy != 'dpor-optimal' or result['reached']['classes'] == result['executions'])

    def check(self):
        """The number of programs that disagree."""
        classes = {}
        alone = [strategy for strategy in self.strategies if self.programs and not self.agrees(strategy, classes)]
        wrong = sum(not check(self.player, text, alone, self.mode) for text, _ in self.programs) if alone else 0
        if len(classes) > 1 and wrong == 0:
            print(f'a batch has different numbers of classes: {classes}, -m {self.mode}:', *(t for t, _ in self.programs))
            wrong = 1
        self.programs = []
        return wrong


class Batches:
    def __init__(self, player, strategies):
        large = [strategy for strategy in strategies if strategy not in NAIVE]
        self.player, self.strategies = player, strategies
        self.checked = dict.fromkeys(strategies, 0)  # programs for each
        self.batch = {(mode, is_large): Batch(player, large if is_large else strategies, mode)
                      for mode in OPTIONS for is_large in (False, True)}

    def add(self, rng, mode, small):
        """Makes a program.  small: for every strategy.  Returns the number of programs that turned out to disagree."""
        states = MOST + 1
        while states > MOST or (small and is_too_large(text, NAIVE[0], states, exact)):
            text = program(rng)
            exact = mode_for(text, mode)
            codes, states = brute_force(text, exact)
        mode = exact
        for strategy in self.strategies:
            self.checked[strategy] += not is_too_large(text, strategy, states, mode)
        if STUCK in codes or waits(text) or eager_differs(text, mode, codes) is not None:
            return 0 if check(self.player, text, self.strategies, mode) else 1
        batch = self.batch[mode, states > LARGE]
        batch.programs.append((text, codes))
        return batch.check() if len(batch.programs) == Batch.SIZE else 0

    def run(self, seeds, mode, small=False):
        wrong = 0
        for seed in seeds:
            wrong += self.add(random.Random(seed), mode or MODES[seed % len(MODES)], small)
            if seed % 100 == 0:
                print(f'{seed}: {wrong} wrong', flush=True)
        return wrong + sum(batch.check() for batch in self.batch.values())


def check_retry_sets(player, first, n):
    """Landslide's retry sets are not proved to lose nothing, so a search with them claims nothing.  Of n small programs
    they lose no final state.  Returns the number of batches that disagree."""
    wrong, seeds = 0, itertools.count(first)
    for _ in range(n // Batch.SIZE):
        programs = []
        while len(programs) < Batch.SIZE:
            text = program(random.Random(next(seeds)))
            codes, states = brute_force(text, 'retry')
            if states <= 4 * LARGE and STUCK not in codes and not waits(text):
                programs.append((text, codes))
        result = search(player, programs, 'dpor-classic', 'retry sets')
        if result['complete'] or result['findings'] or result['reached']['states'] != sum(len(codes) for _, codes in programs):
            print('retry sets lose states:', programs, flush=True)
            wrong += 1
    return wrong


def run_random(player, strategies, first, n, mode):
    """n programs, and then as many small ones as are needed for each strategy to have n."""
    batches = Batches(player, strategies)
    wrong = batches.run(range(first, first + n), mode)
    missed = [strategy for strategy in strategies if batches.checked[strategy] < n]
    more = Batches(player, missed)
    wrong += more.run(range(first + n, first + 2 * n - min(batches.checked.values())), mode, small=True)
    for strategy in strategies:
        print(f'{strategy}: {batches.checked[strategy]} programs, {more.checked.get(strategy, 0)} more small ones, '
              f'{gave_up[strategy]} not claimed to be complete')
    return wrong, n + len(KNOWN) + n - min(batches.checked.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('player')
    deep = os.environ.get('HEDDLE_DEEP') == '1'
    parser.add_argument('-n', type=int, default=5000 if deep else 24)
    parser.add_argument('-s', type=int, default=1)
    parser.add_argument('-t', nargs='+')
    parser.add_argument('-m', choices=MODES + list(NESTS.values()))
    parser.add_argument('--strategies', default=','.join(STRATEGIES + (SLOW if deep else [])))
    options = parser.parse_args()
    player, strategies, wrong, n = os.path.abspath(options.player), options.strategies.split(','), 0, 1
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        if options.t:
            wrong += not check(player, options.t, strategies, options.m or 'retry')
        else:
            wrong, n = run_random(player, strategies, options.s, options.n, options.m)
            wrong += sum(not check(player, text.split(), strategies, 'stm') for text in KNOWN)
            wrong += check_retry_sets(player, options.s, max(options.n, 2 * Batch.SIZE))
        os.chdir('/')
    print(f'{wrong} of {n} programs disagree')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
