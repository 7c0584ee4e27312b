# SPDX-License-Identifier: BSD-2-Clause
"""commands.py - the commands of the extension."""
import os

import gdb

from .places import is_runtime, is_users, place_of, users_frame
from .runtime import LIVE, Runtime
from .schedule import thread_name
from .session import BEGUN, NEVER, is_alive, say, session, tell

PREEMPTED = 8  # enum hd_event_flag


class Heddle(gdb.Command):
    """Commands for the schedule that is being replayed.

heddle threads         all logical threads and their pending operations
heddle thread T1       select that thread (main, T1, T2 ...) for bt, frame, print
heddle where           the steps around the next one
heddle events [N]      the last events of the program
heddle next-switch     continue until another thread runs
heddle goto STEP       go to just before that step, forwards or backwards
heddle back [N]        go back by N steps (1)
heddle output          the output of the program
heddle start           run the schedule from its beginning to its failure

Everything else works as usual: every logical thread is a thread of gdb, and "continue"
runs to the failure or to the end."""

    def __init__(self):
        super().__init__('heddle', gdb.COMMAND_RUNNING, prefix=True)


Heddle()


def command(name):
    """Define the command `heddle NAME`; the docstring is its help."""
    def make(function):
        def invoke(_self, argument, _from_tty):
            function(argument.strip())
        kind = type(name, (gdb.Command,), {'__doc__': function.__doc__, 'invoke': invoke})
        kind(f'heddle {name}', gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)
        return function
    return make


def number(text, fallback=None):
    if text == '' and fallback is not None:
        return fallback
    try:
        return int(text, 0)
    except ValueError:
        raise gdb.GdbError(f'A number is wanted, not "{text}".')


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        say(' '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


# ---- looking ------------------------------------------------------------------------------

class Unmoved:
    """Restores the user's selected thread and frame afterwards."""

    def __enter__(self):
        self.thread, self.frame = gdb.selected_thread(), gdb.selected_frame()
        return self

    def __exit__(self, *_):
        self.thread.switch()
        self.frame.select()


def stands_at(thread):
    """The thread's position in the program's code."""
    there = thread.gdb_thread()
    if thread.state != LIVE or there is None:
        return ''
    there.switch()
    frame = users_frame()
    if frame is None or not is_users(frame):
        return place_of(thread.begins_at() if frame is None else thread.pending['pc'])
    sal = frame.find_sal()
    return f'{os.path.basename(sal.symtab.filename)}:{sal.line} in {frame.name()}'


@command('threads')
def threads(_argument):
    """List all logical threads: gdb thread, state, pending operation and place."""
    rt = Runtime()
    rows = [(' ', 'thread', 'gdb', 'state', 'before', 'where')]
    with Unmoved() as now:
        for thread in rt.threads():
            there = thread.gdb_thread()
            rows.append(('*' if there == now.thread else ' ', thread.title(),
                         str(there.num) if there else '-', thread.standing(),
                         thread.stands_before(), stands_at(thread)))
    table(rows)


@command('thread')
def thread_command(argument):
    """Select a logical thread: main, T1, T2 ..., its number, or its name."""
    rt = Runtime()
    wanted = [t for t in rt.threads() if argument in (thread_name(t.tid), str(t.tid), t.name)]
    if argument == '' or not wanted:
        raise gdb.GdbError('Which thread? There are ' +
                           ', '.join(t.title() for t in rt.threads()) + '.')
    thread = wanted[0]
    there = thread.gdb_thread()
    if there is None:
        raise gdb.GdbError(f'{thread.title()} is gone.')
    there.switch()
    before = thread.stands_before()
    say(f'{thread.title()}, gdb thread {there.num}: {thread.standing()}' +
        (f' before {before}' if before else ''))
    session.show_place(rt)


@command('where')
def where(_argument):
    """Show the steps before and after the current position of the replay."""
    done, total = session.done(), session.total
    rows = []
    for step in range(max(1, done - 5), min(total, done + 4) + 1):
        rows.append(('=>' if step == done + 1 else '  ', str(step).rjust(4),
                     *session.schedule.row(step)))
    if done >= total:
        rows.append(('=>', ' ' * 4, '', session.schedule.kind if session.seen else 'the end', ''))
    say(f'{done} of {total} steps are done.')
    table(rows)


@command('events')
def events(argument):
    """The last N events (20) of the execution: number, thread, operation, value, place.

Besides the steps these include events that are not scheduling points, such as initialising
a mutex."""
    rt = Runtime()
    count = rt.execution('nevents')
    rows = [('event', 'thread', 'operation', 'value', 'where')]
    for i in range(max(0, count - number(argument, 20)), count):
        event = rt.event(rt.row['all_events'] + i * rt.row['event'])
        rows.append((str(i + 1).rjust(5), thread_name(event['tid']) +
                     (' (preempts)' if event['flags'] & PREEMPTED else ''),
                     rt.operation(event),
                     str(event['value']) if event['value'] < 1 << 32 else f'{event["value"]:#x}',
                     place_of(event['pc'])))
    table(rows)


@command('output')
def output(_argument):
    """Show what the program has printed and flushed."""
    path = f'/proc/{gdb.selected_inferior().pid}/fd/1'
    try:
        if 'heddle-output' not in os.readlink(path):
            raise gdb.GdbError('The program prints to the terminal.')
        with open(path, 'rb') as printed:
            gdb.write(printed.read().decode(errors='replace'))
    except OSError:
        raise gdb.GdbError('The program is not running.')


# ---- moving -------------------------------------------------------------------------------

@command('start')
def start(_argument):
    """Run the schedule from its beginning to its failure."""
    tell(BEGUN)
    session.run_to(NEVER)


@command('next-switch')
def next_switch(_argument):
    """Continue until another thread runs."""
    session.go_on(NEVER, 1)


@command('goto')
def goto(argument):
    """Go to just before step STEP: forwards, or by running the schedule again."""
    session.go_to(number(argument))


@command('back')
def back(argument):
    """Go back by N steps (1) by running the schedule again."""
    session.go_to(max(1, session.done() + 1 - number(argument, 1)))


class LeaveRuntime(gdb.Command):
    """Before step, next and until: return from Heddle's code to the program's.

    A thread that is not scheduled waits for its turn while others run; a thread that
    has not begun runs to its function."""

    def __init__(self):
        super().__init__('heddle-leave-runtime', gdb.COMMAND_OBSCURE)
        for name in ('step', 'next', 'until'):
            gdb.execute(f'define hook-{name}\nheddle-leave-runtime\nend')

    def invoke(self, _argument, _from_tty):
        if not is_alive() or not is_runtime(gdb.newest_frame()):
            return
        thread, users = gdb.selected_thread(), users_frame()
        line = users.find_sal().line if users is not None else None
        there = self.way_out(thread, users)
        there.silent = True  # the message of "finish" could not be suppressed
        session.move('continue')
        if there.is_valid():
            there.delete()
        if not is_alive() or gdb.selected_thread() != thread or is_runtime(gdb.newest_frame()):
            raise gdb.GdbError('This came before the thread could make a step.')
        sal = gdb.newest_frame().find_sal()
        if line is not None and sal.line != line and sal.pc == gdb.newest_frame().pc():
            # the call was the last operation on its line: the step ends here
            raise gdb.GdbError(gdb.execute('frame 0', to_string=True).rstrip())

    @staticmethod
    def way_out(thread, users):
        for logical in Runtime().threads():
            if logical.gdb_thread() != thread:
                continue
            if logical.state != LIVE:
                raise gdb.GdbError(f'{logical.title()} does not go on: it has {logical.standing()}.')
            if users is None:
                entry = gdb.Breakpoint(f'*{logical.function:#x}', internal=True)
                entry.thread = thread.num
                return entry
        return gdb.FinishBreakpoint(users.newer(), internal=True)


LeaveRuntime()
