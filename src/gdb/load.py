# SPDX-License-Identifier: BSD-2-Clause
"""load.py - the gdb extension for schedules; `heddle replay --gdb` loads it.

In the program every logical thread has a kernel thread of its own
(src/runtime/core/debug.h), so gdb handles stacks, registers and thread-local
variables.  The extension adds the schedule: the next step, which thread waits for
what, and going to a step, forwards or backwards.

    schedule.py   the recorded steps
    runtime.py    the program's logical threads, from its memory
    places.py     names of code and data, and which frames are the program's
    session.py    the position of the replay, why it stops, and the messages
    commands.py   heddle threads, goto, back ..."""
import os
import sys

import gdb

if 'HEDDLE_GDB_FILE' not in os.environ:
    raise gdb.GdbError('This is a part of Heddle: "heddle replay --gdb" loads it.')
sys.dont_write_bytecode = True  # an installation must not be written to
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import heddle.commands  # noqa: E402
import heddle.session  # noqa: E402

heddle.session.prepare()
