# SPDX-License-Identifier: BSD-2-Clause
"""session.py - the position of the replay, why it stops, and the messages.

One breakpoint in heddle_debug_stop stops the program; the runtime calls that function
when there is a reason to stop.  Going back runs the program again, through `heddle
debuggee`, and stops earlier."""
import os
import re
import shlex
import signal
import threading
import time

import gdb

from . import places
from .runtime import LIVE, NOBODY, Runtime
from .schedule import Schedule, thread_name

READY, STEP, FOUND, DIVERGED, OVER = range(5)  # enum hd_debug_reason
NEVER = NOBODY
HANGS_AFTER = 10  # seconds without a step, as in a replay without gdb
NOISE = ('[Thread debugging using', 'Using host libthread_db', '[Switching to ')

# Result of the session, for src/campaign/rerun/gdb.c: begun; the recorded failure was seen; the
# program did not repeat itself; programs cannot be traced here; not started.
BEGUN, SEEN, DIFFERS, CANNOT, FAILED = b'r', b'f', b'd', b'c', b'e'


def tell(letter):
    """Report the result.  A result that was seen once stays, whatever later runs show."""
    status = int(os.environ['HEDDLE_GDB_STATUS'])
    if os.pread(status, 1, 0) not in (SEEN, DIFFERS) or letter in (SEEN, DIFFERS):
        os.pwrite(status, letter, 0)


def say(text):
    gdb.write(text + '\n')


def is_alive():
    return gdb.selected_inferior().pid != 0


class Session:
    """The position of the replay, and where to stop next."""

    def __init__(self):
        self.schedule = Schedule(os.environ['HEDDLE_GDB_FILE'])
        self.total = len(self.schedule.steps)
        Runtime.schedule = self.schedule
        self.stop_at = NEVER  # for the next run: number of steps after which to stop
        self.seen = False     # the recorded failure occurred in this run
        self.similar = False  # another finding of its kind occurred
        self.reason = None    # why Heddle stopped the program; None if something else did
        self.skips = False    # gdb skips the runtime when stepping
        self.calls = []       # function calls by the user; a string argument makes two

    def done(self):
        """Number of steps done; a thread whose turn has come has yet to make its step."""
        rt = Runtime()
        if self.reason == STEP:
            return rt.head().steps
        return rt.execution('diverged_step' if self.reason == DIVERGED else 'nsteps')

    # -- the runtime has called heddle_debug_stop: should the program stop?

    def ready(self, rt):
        tell(BEGUN)
        self.seen = self.similar = False
        places.library = gdb.solib_name(rt.base)
        self.schedule.texts = self.schedule.texts or rt.kind_texts()
        rt.wish(self.stop_at, 0)
        self.stop_at = NEVER
        watch.place = rt.inferior.pid, rt.row['exec'] + rt.row['execution.nsteps']
        watch.begin()
        if not self.skips:
            self.skip_runtime()
        return False

    def skip_runtime(self):
        """Keep gdb from stepping into the runtime if that has debug information."""
        line = gdb.decode_line('heddle_debug_stop')[1]
        if line and line[0].symtab is not None:
            directory = os.path.dirname(line[0].symtab.fullname())
            gdb.execute(f'skip -gfi {directory}/*', to_string=True)
        self.skips = True

    def found(self, rt):
        head = rt.head()
        kind = rt.text(head.kind)
        if self.seen:
            return False
        if kind == self.schedule.kind and head.steps >= self.total:
            self.seen = True
            tell(SEEN)
            return True
        self.similar = self.similar or kind == self.schedule.kind
        say(f'Also found, after {head.steps} steps: {kind}: {plain(rt.text(head.message))}')
        return False

    def diverged(self, _rt):
        tell(DIFFERS)
        return True

    def over(self, _rt):
        if not self.seen:
            tell(SEEN if self.similar else DIFFERS)
        return not self.seen and not self.similar

    def decide(self):
        rt = Runtime()
        self.reason = rt.head().reason
        answers = {READY: self.ready, FOUND: self.found, DIVERGED: self.diverged, OVER: self.over}
        stop = answers.get(self.reason, lambda _: True)(rt)
        if not stop:
            self.reason = None
        return stop

    # -- messages at a stop

    def announce(self, rt):
        done = self.done()
        if self.reason == FOUND:
            say(f'After {done} of {self.total} steps: {self.schedule.kind}: {self.schedule.message}')
        elif self.reason == STEP and done < self.total:
            say(f'Step {done + 1} of {self.total} comes next: {self.schedule.step(done + 1)}')
        elif self.reason == STEP:
            say(f'The recorded {self.total} steps are done.')
        elif self.reason == DIVERGED:
            recorded = self.schedule.step(done + 1) if done < self.total else 'the end'
            say(f'The program did not repeat itself; recorded is step {done + 1}, {recorded}. '
                '"heddle replay" without --gdb tells what it did.')
        elif self.reason == OVER:
            say(f'The execution has ended without the recorded {self.schedule.kind}.')
        if self.reason in (STEP, FOUND):
            self.show_place(rt)

    def show_place(self, rt):
        """Show the selected thread's position in the program."""
        if places.select_users_frame():
            gdb.execute('frame')
            return
        for thread in rt.threads():
            if thread.state == LIVE and thread.gdb_thread() == gdb.selected_thread():
                say(f'{thread.title()} is about to begin, {places.place_of(thread.begins_at())}')

    # -- moving

    def move(self, command):
        """Run a command without gdb's messages about kernel threads."""
        printed = gdb.execute(command, to_string=True)
        gdb.write(''.join(line for line in printed.splitlines(keepends=True)
                          if not line.startswith(NOISE)))

    def run_to(self, stop_at):
        """Start again and run until that many steps are done."""
        self.stop_at = stop_at
        try:
            self.move('run')
        except gdb.error as error:
            if is_alive():
                raise
            cannot = 'code 127' in str(error)  # gdb's exit code if it may not trace
            tell(CANNOT if cannot else FAILED)
            raise gdb.GdbError('Programs cannot be traced here; a container may have to be allowed to '
                               '(--cap-add=SYS_PTRACE).' if cannot else str(error))

    def go_on(self, stop_at, at_switch):
        Runtime().wish(stop_at, at_switch)
        self.move('continue')

    def go_to(self, step):
        if not 1 <= step <= self.total:
            raise gdb.GdbError(f'There are steps 1 to {self.total}; "continue" goes on to the failure.'
                               if self.total else 'It fails before the first step.')
        done = self.done() if is_alive() else NEVER
        if done == step - 1 and self.reason == STEP:
            self.announce(Runtime())
        elif done <= step - 1 and self.reason in (None, STEP):
            self.go_on(step - 1, 0)
        else:
            self.run_to(step - 1)


def plain(message):
    """Replace object numbers in a finding's message, which only the report can name."""
    return re.sub('\x01\\d+\x02', 'an object', message)


class StopHere(gdb.Breakpoint):
    def __init__(self):
        super().__init__('heddle_debug_stop', internal=True)
        self.silent = True

    def stop(self):
        return session.decide()


class Watch:
    """A thread that computes for ever makes no step at which it could be stopped.  If a
    livelock was recorded, gdb is interrupted."""

    def __init__(self):
        self.place = None  # process, and the address of its number of steps
        self.end, self.fired = None, False

    def begin(self):
        if session.schedule.kind != 'livelock' or self.place is None or self.end is not None:
            return
        self.end, self.fired = threading.Event(), False
        threading.Thread(target=self.look, args=(self.end, *self.place), daemon=True).start()

    def look(self, end, pid, place):
        last, since = None, time.monotonic()
        while not end.wait(0.2):
            try:
                with open(f'/proc/{pid}/mem', 'rb', buffering=0) as memory:
                    memory.seek(place)
                    now = memory.read(4)
            except OSError:
                return
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > HANGS_AFTER:
                self.fired = True
                os.kill(pid, signal.SIGINT)
                return

    def rest(self):
        if self.end is not None:
            self.end.set()
            self.end = None

    def explain(self, event):
        if not self.fired or getattr(event, 'stop_signal', '') != 'SIGINT':
            return
        session.seen = True
        tell(SEEN)
        say(f'No step for {HANGS_AFTER} seconds: livelock: {session.schedule.message}')
        if places.select_users_frame():
            gdb.execute('frame')


# ---- gdb's events -----------------------------------------------------------------------

def name_threads(rt):
    names = {thread.lwp: thread.title() for thread in rt.threads()}
    for thread in rt.inferior.threads():
        if thread.ptid[1] in names:
            thread.name = names[thread.ptid[1]]


def on_stop(event):
    watch.rest()
    try:
        rt = Runtime()
    except gdb.GdbError:
        return  # the runtime is not loaded yet
    name_threads(rt)
    if any(isinstance(b, StopHere) for b in getattr(event, 'breakpoints', ())):
        session.announce(rt)
    else:
        session.reason = None
        watch.explain(event)
        if places.is_runtime(gdb.newest_frame()) and places.users_frame() is None:
            say('The thread has returned from its function.')


def on_exit(event):
    watch.rest()
    watch.place = session.reason = None
    if hasattr(event, 'exit_code') and (session.seen or session.similar):
        say(f'The replay is over: the same {session.schedule.kind} again.')


def on_resume(_event):
    watch.begin()


def on_call(event):
    """The user calls a function of the program, in any thread: no other thread may run."""
    if isinstance(event, gdb.InferiorCallPreEvent):
        session.calls.append((Runtime(), gdb.parameter('scheduler-locking')))
        session.calls[-1][0].call_aside()
        gdb.execute('set scheduler-locking on')
        return
    rt, locking = session.calls.pop()
    gdb.execute(f'set scheduler-locking {locking}')
    if is_alive():
        rt.call_is_over()


def prepare():
    wrapper = [os.environ['HEDDLE_GDB_SELF'], 'debuggee']
    if os.environ.get('HEDDLE_GDB_OUTPUT'):
        wrapper.append('--output')
    wrapper.append(session.schedule.path)
    for line in ('set startup-with-shell on', 'set disable-randomization on',
                 'set print thread-events off', 'set breakpoint pending on',
                 'set exec-wrapper ' + ' '.join(map(shlex.quote, wrapper)),
                 'python heddle.session.StopHere()', 'set breakpoint pending auto'):
        gdb.execute(line, to_string=True)
    # Heddle's own write faults, and failures: both reach its handler, which stops if
    # necessary.
    for name in ('SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGABRT', 'SIGSYS', 'SIG64'):
        gdb.execute(f'handle {name} nostop noprint pass', to_string=True)
    if not os.environ.get('HEDDLE_GDB_SIZE'):
        for name in ('LINES', 'COLUMNS'):
            gdb.execute(f'unset environment {name}')
    places.HideRuntime()
    gdb.events.stop.connect(on_stop)
    gdb.events.exited.connect(on_exit)
    gdb.events.cont.connect(on_resume)
    gdb.events.inferior_call.connect(on_call)


session = Session()
watch = Watch()
