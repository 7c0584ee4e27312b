# SPDX-License-Identifier: BSD-2-Clause
"""runtime.py - Heddle's runtime in the debugged program.

Its memory is read by a table that it contains (struct heddle_debug in
src/runtime/core/debug.c): neither its debug information nor its sources are needed."""
import collections
import struct

import gdb

from .places import name_of_address
from .schedule import NO_TID, thread_name

VERSION = 1  # version of the table
HEAD = struct.Struct('<IIQIIIIQQ')  # struct heddle_debug:
Head = collections.namedtuple('Head', 'version nrows rows reason stop_at stop_at_switch steps '
                              'kind message')
WISHES = 20  # offset of stop_at and stop_at_switch in it
ROW = struct.Struct('<24sQ')
LIVE, FINISHED, FAILED, STOPPED = 1, 2, 3, 4  # enum hd_thread_state
STATES = {FINISHED: 'finished', FAILED: 'failed', STOPPED: 'stopped by heddle_assume'}
NO_OBJECT, THREAD_OBJECT, IN_MEMORY = 0, 1, range(2, 14)  # enum hd_object_type
NOBODY = 0xffffffff
NAMED_EVENTS = 20000  # each is read by itself, which takes some ten microseconds


def evaluate_c(expression):
    """The value of an expression of C, also where gdb has switched to the language of a frame in Rust."""
    language = gdb.parameter('language')
    gdb.execute('set language c', to_string=True)
    try:
        return gdb.parse_and_eval(expression)
    finally:
        gdb.execute(f'set language {language}', to_string=True)


class Runtime:
    """The current state of Heddle's runtime in the debugged program."""

    schedule = None  # that is replayed; the session sets it

    def __init__(self):
        self.inferior = gdb.selected_inferior()
        self.names = None  # of addresses, from the schedule
        try:
            self.base = int(evaluate_c('(unsigned long)&heddle_debug'))
            head = self.head()
        except gdb.error:
            raise gdb.GdbError('The program is not running under Heddle; "heddle start" starts it.')
        if head.version != VERSION:
            raise gdb.GdbError('This runtime of Heddle is of another version than this extension.')
        rows = self.read(head.rows, head.nrows * ROW.size)
        self.row = {name.rstrip(b'\0').decode(): value for name, value in ROW.iter_unpack(rows)}
        if not self.row:
            raise gdb.GdbError('The program has not begun to run under Heddle.')

    def read(self, address, size):
        return self.inferior.read_memory(address, size).tobytes()

    def number(self, address, size):
        return int.from_bytes(self.read(address, size), 'little')

    def has(self, set_address, tid):
        """Is the thread in this set (base/set.h)?  A mask of words that count comes before the words."""
        word = tid // 64
        if word > 0 and not self.number(set_address, 8) >> word & 1:
            return False
        return bool(self.number(set_address + 8 + word * 8, 8) >> (tid % 64) & 1)

    def text(self, address):
        """The text at an address.  It is read as bytes, because `char` of Rust has four of them."""
        found = b''
        while b'\0' not in found:
            size = 64 - address % 64  # does not reach into the next page
            found += self.read(address, size)
            address += size
        return found.split(b'\0')[0].decode(errors='replace')

    def head(self):
        return Head(*HEAD.unpack(self.read(self.base, HEAD.size)))

    def wish(self, stop_at, at_switch):
        self.inferior.write_memory(self.base + WISHES, struct.pack('<II', stop_at, at_switch))

    def field(self, record, name, size):
        start = self.row[name]
        return int.from_bytes(record[start:start + size], 'little')

    def execution(self, name):
        return self.number(self.row['exec'] + self.row['execution.' + name], 4)

    def kind_text(self, kind, field='text'):
        at = self.row['all_kinds'] + kind * self.row['kind_info']
        pointer = self.number(at + self.row['kind_info.' + field], 8)
        return self.text(pointer) if pointer else ''

    def kind_texts(self):
        """Names of operations in schedule files, mapped to readable texts."""
        return {self.kind_text(kind, 'name'): self.kind_text(kind)
                for kind in range(self.row['nkinds'])}

    def running(self):
        """The thread that runs; None: the scheduler."""
        cur = self.number(self.row['cur'], 8)
        return self.number(cur + self.row['thread.tid'], 2) if cur else None

    def event(self, address):
        record = self.read(address, self.row['event'])
        return {name: self.field(record, 'event.' + name, size) for name, size in
                (('tid', 2), ('kind', 1), ('flags', 1), ('peer', 2), ('obj', 4), ('pc', 8),
                 ('value', 8))}

    def operation(self, event):
        """The operation and its object as readable text."""
        what = self.kind_text(event['kind'])
        at = self.row['all_objects'] + event['obj'] * self.row['object_info']
        kind = self.number(at + self.row['object_info.type'], 1) if event['obj'] else NO_OBJECT
        if kind == THREAD_OBJECT and event['peer'] != NO_TID and what != 'thread start':
            return f'{what} {thread_name(event["peer"])}'
        if kind in IN_MEMORY:
            address = self.number(at + self.row['object_info.addr'], 8)
            return f'{what} {self.recorded_names().get(address) or name_of_address(address)}'
        return what

    def recorded_names(self):
        """Names of the report, by the address of the object.

The steps of the schedule are events of the execution in the same order, with others in between.  An address for which
they have different names has none here."""
        if self.names is None:
            self.names = {}
            steps = iter(self.schedule.steps if self.schedule else [])
            step = next(steps, None)
            for i in range(min(self.execution('nevents'), NAMED_EVENTS)):
                event = self.event(self.row['all_events'] + i * self.row['event'])
                if step is None:
                    break
                if (event['tid'], self.kind_text(event['kind'], 'name')) != step[:2]:
                    continue
                at = self.row['all_objects'] + event['obj'] * self.row['object_info']
                address = self.number(at + self.row['object_info.addr'], 8) if event['obj'] else 0
                if address and step[2] and self.names.setdefault(address, step[2]) != step[2]:
                    self.names[address] = ''
                step = next(steps, None)
        return self.names

    def call_aside(self):
        """The user calls a function of the program: it is not part of the execution."""
        self.hot = self.read(self.row['cur'], self.row['hot'])
        self.inferior.write_memory(self.row['cur'], bytes(8))

    def call_is_over(self):
        self.inferior.write_memory(self.row['cur'], self.hot)

    def threads(self):
        return [Thread(self, tid) for tid in range(self.execution('nthreads'))]


class Thread:
    """A logical thread."""

    def __init__(self, rt, tid):
        row = rt.row
        record = rt.read(row['all_threads'] + tid * row['thread'], row['thread'])
        info = rt.read(row['exec'] + row['execution.threads'] + tid * row['thread_info'],
                       row['thread_info'])
        self.rt, self.tid = rt, tid
        self.state = rt.field(info, 'thread_info.state', 1)
        start = row['thread_info.name']
        self.name = info[start:start + 16].split(b'\0')[0].decode(errors='replace')
        self.polls = rt.field(record, 'thread.parked', 1) or rt.field(record, 'thread.stopped', 1)
        self.object = rt.field(record, 'thread.obj', 8)
        self.pending = rt.event(row['exec'] + row['execution.pending'] + tid * row['event'])
        carrier = row['carriers'] + rt.field(record, 'thread.slot', 2) * row['carrier']
        self.function = rt.field(record, 'thread.fn', 8)
        self.lwp = rt.number(carrier + row['carrier.lwp'], 4)
        self.enabled = rt.has(row['enabled'], tid)

    def title(self):
        return thread_name(self.tid) + (f' ({self.name})' if self.name and self.tid else '')

    def standing(self):
        if self.state != LIVE:
            return STATES.get(self.state, '?')
        if self.pending['kind'] != 0 and not self.enabled:
            return 'polls in vain' if self.polls else 'blocked'
        return 'running' if self.is_running() else 'ready'

    def is_running(self):
        return self.tid == self.rt.running()

    def holder(self):
        if not self.object or self.enabled:
            return ''
        owner = self.rt.number(self.object + self.rt.row['obj.owner'], 2)
        return f', held by {thread_name(owner)}' if owner not in (NO_TID, self.tid) else ''

    def stands_before(self):
        """The pending operation; the running thread has none between two operations."""
        if self.state != LIVE or self.pending['kind'] == 0:
            return ''
        return self.rt.operation(self.pending) + self.holder()

    def begins_at(self):
        """Its function as a return address."""
        return self.function + 1

    def gdb_thread(self):
        for thread in self.rt.inferior.threads():
            if thread.ptid[1] == self.lwp:
                return thread
        return None
