# SPDX-License-Identifier: BSD-2-Clause
"""schedule.py - a schedule file (src/model/schedule.h), in the terms of the report."""
import re

NO_TID = 0xffff


def thread_name(tid):
    return 'main' if tid == 0 else f'T{tid}' if tid < NO_TID else '?'


class Schedule:
    """The recorded steps, in the terms of the report."""

    QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
    WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')

    def __init__(self, path):
        self.path = path
        self.kind = self.message = ''
        self.steps = []  # (thread, name of the operation, object, place)
        self.texts = {}  # readable texts of operations by name, from the runtime
        with open(path, encoding='utf-8', errors='replace') as lines:
            for line in lines:
                self.take(self.WORDS.findall(line))

    @classmethod
    def unquote(cls, word):
        inner = cls.QUOTED.fullmatch(word)
        if not inner:
            return word
        return re.sub(r'\\(x[0-9a-f]{2}|.)',
                      lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else m[1], inner[1])

    def take(self, words):
        words = [self.unquote(w) for w in words]
        if words[0] == 'kind':
            self.kind = words[1]
        elif words[0] == 'message':
            self.message = words[1]
        elif words[0].isdigit() and words[1] == 'choice':
            who = self.steps[-1][0] if self.steps else 0  # by the running thread
            self.steps.append((who, 'CHOOSE', words[2], words[3]))
        elif words[0].isdigit():
            self.steps.append((int(words[1][1:]), words[2], words[3], words[4]))

    def step(self, number):
        """Step `number` (from 1): thread, operation and place."""
        who, what, place = self.row(number)
        return f'{who}, {what}' + (f' at {place}' if place else '')

    def row(self, number):
        who, kind, obj, place = self.steps[number - 1]
        return thread_name(who), f'{self.texts.get(kind, kind)} {obj}'.rstrip(), place
