# SPDX-License-Identifier: BSD-2-Clause
"""places.py - names of code and data, and which frames are the program's own."""
import os
import re

import gdb

library = None  # file of the runtime in the program, once loaded


def member_at(kind, offset):
    """'.lock', '[3].next': the member of that type at that offset; '' for the whole
    object."""
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY and kind.target().sizeof:
        size = kind.target().sizeof
        return f'[{offset // size}]' + member_at(kind.target(), offset % size)
    if kind.code != gdb.TYPE_CODE_STRUCT or kind.name in ('pthread_mutex_t', 'pthread_cond_t'):
        return ''
    for field in kind.fields():
        if not hasattr(field, 'bitpos') or field.type.sizeof == 0:
            continue
        inside = offset - field.bitpos // 8
        if 0 <= inside < field.type.sizeof:
            return f'.{field.name}' + member_at(field.type, inside)
    return ''


def name_of_address(address):
    found = re.match(r'(\S+)(?: \+ (\d+))? in section',
                     gdb.execute(f'info symbol {address:#x}', to_string=True))
    if not found:
        return f'{address:#x}'
    name, offset = found[1], int(found[2] or 0)
    symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    if symbol is not None and symbol.type is not None:
        return name + member_at(symbol.type, offset)
    return name + (f'+{offset}' if offset else '')


def place_of(pc):
    """'bank.c:22 in balance' of a return address; '' when unknown."""
    if pc == 0:
        return ''
    line = gdb.find_pc_line(pc - 1)
    block = gdb.block_for_pc(pc - 1)
    while block is not None and block.function is None:
        block = block.superblock
    inside = f' in {block.function.print_name}' if block is not None else ''
    if line.symtab is not None:
        return f'{os.path.basename(line.symtab.filename)}:{line.line}{inside}'
    return (f'{pc - 1:#x}' + inside) if inside else ''


def is_runtime(frame):
    """Is it a frame of Heddle?  (Includes the frame to which a crash handler returns.)"""
    return gdb.solib_name(frame.pc()) == library


def is_users(frame):
    """Has it source code outside the system's headers (std::mutex and the like)?"""
    symtab = frame.find_sal().symtab
    return symtab is not None and not symtab.fullname().startswith('/usr/include/')


def users_frame():
    """The innermost frame of the selected thread in the program's code; None if there is
    none."""
    frame, fallback = gdb.newest_frame(), None
    while frame is not None:
        if not is_runtime(frame):
            if is_users(frame):
                return frame
            fallback = fallback or frame
        frame = frame.older()
    return fallback


def select_users_frame():
    frame = users_frame()
    if frame is not None:
        frame.select()
    return frame is not None


class HideRuntime:
    """bt without Heddle's frames; `bt -no-filters` shows them."""

    def __init__(self):
        self.name, self.priority, self.enabled = 'heddle', 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        hidden = []
        for frame in frames:
            if not is_runtime(frame.inferior_frame()):
                hidden = None
                yield frame
            elif hidden is not None:
                hidden.append(frame)
        yield from hidden or []  # a thread that has not begun has only these
