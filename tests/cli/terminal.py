#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""terminal.py - run a command on a terminal, and tell what stood there.

usage: terminal.py COLSxROWS [--key WHEN:KEY | --size WHEN:COLSxROWS]... -- COMMAND...

A pseudo terminal with the few sequences that the panel uses; any other one is a mistake and is
reported.  KEY is what is typed, such as "^C" or "^Z"; "fg" stands for what a shell does with
that word: a line of its own, and SIGCONT to the process group.  WHEN is how many panels must
have been seen since the last event, or a text that one of them must have; "stopped" waits until
the command is.  Nothing depends on the machine's speed.  Prints an object: code (of the command, negative a signal), echo (is it on, afterwards),
stopped (how often the command was), last (the lines of the screen at the end, without those
that are empty at its end), seen (all screens with a whole panel, each a list of lines), strange
(what was not understood)."""
import fcntl, json, os, pty, re, signal, struct, sys, termios

STOPPED = "\x1b]stopped\x07"
ENDED = re.compile(r"\x1b\](-?\d+);(\d);(\d+)\x07")
MARK_BEGUN = re.compile(r"\x1b(\][^\x07]*)?$")
SEQUENCE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")


class Screen:
    def __init__(self, cols, rows):
        self.cols, self.rows = cols, rows
        self.lines, self.row, self.col, self.strange, self.held = [[]], 0, 0, [], ""

    def resize(self, cols, rows):  # lines that have become too long are broken, as by many terminals
        self.cols, self.rows = cols, rows
        lines, row = [], 0
        for i, line in enumerate(self.lines):
            if i == self.row:
                row = len(lines)
            lines += [line[k:k + cols] for k in range(0, len(line), cols)] or [[]]
        self.lines, self.row = lines, row

    def put(self, c):
        if self.col == self.cols:  # a line that is too long goes on in the next one
            self.feed_line()
            self.col = 0
        line = self.lines[self.row]
        line.extend(" " * (self.col + 1 - len(line)))
        line[self.col] = c
        self.col += 1

    def feed_line(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append([])

    def top(self):  # lines above it have been scrolled away and cannot be reached
        return max(0, len(self.lines) - self.rows)

    def sequence(self, args, what):
        n = int(args) if args.isdigit() else 1
        if what == "A":
            self.row = max(self.top(), self.row - n)
        elif what == "K" and args == "":
            del self.lines[self.row][self.col:]
        elif what == "J" and args == "":
            del self.lines[self.row][self.col:]
            del self.lines[self.row + 1:]
        elif what == "J" and args == "2":
            for i in range(self.top(), len(self.lines)):
                self.lines[i] = []
        elif what == "H" and args == "":
            self.row, self.col = self.top(), 0
        elif what != "m":
            self.strange.append(args + what)

    def feed(self, text):
        text, self.held = self.held + text, ""
        i = 0
        while i < len(text):
            c = text[i]
            m = SEQUENCE.match(text, i)
            if m:
                self.sequence(*m.groups())
                i = m.end()
                continue
            if c == "\x1b":
                if len(text) - i < 12:  # the rest comes with the next write
                    self.held = text[i:]
                    return
                self.strange.append(repr(text[i:i + 8]))
            elif c == "\r":
                self.col = 0
            elif c == "\n":
                self.feed_line()
            elif c >= " ":
                self.put(c)
            i += 1

    def text(self):
        lines = ["".join(line).rstrip() for line in self.lines]
        while lines and lines[-1] == "":
            lines.pop()
        return lines

    # A terminal passes a panel on line by line, and one that is half drawn over the one before
    # is no picture for the test to judge.
    def has_panel(self):
        lines = self.text()
        return (self.row == len(self.lines) - 1 and self.col == 0 and lines and
                lines[-1].startswith(" ---") and any("when to stop" in line for line in lines))


def size_of(text):
    return tuple(int(n) for n in text.split("x"))


def set_size(fd, cols, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


def do(fd, screen, what, value):
    if what == "--size":
        screen.resize(*size_of(value))
        set_size(fd, *size_of(value))
    elif value == "fg":
        screen.feed("$ fg\r\n")
        os.killpg(os.tcgetpgrp(fd), signal.SIGCONT)
    else:
        os.write(fd, bytes([ord(value[1]) - 64]) if value[0] == "^" else value.encode())


def parse(argv):
    size, events, i = size_of(argv[1]), [], 2
    while argv[i] != "--":
        when, value = argv[i + 1].rsplit(":", 1)
        events.append((when, argv[i], value))
        i += 2
    return size, events, argv[i + 1:]


# The command has a group of its own in the foreground, as a shell would do it: the stop key does
# nothing to a group that has no parent in its session.
def be_shell(command):
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(command[0], command)
    stopped = 0
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            break
        stopped += 1
        os.write(1, STOPPED.encode())
    echo = bool(termios.tcgetattr(0)[3] & termios.ECHO)
    os.write(1, f"\x1b]{os.waitstatus_to_exitcode(status)};{int(echo)};{stopped}\x07".encode())
    return 0


def is_time(when, pictures, stopped):
    if when == "stopped":
        return stopped
    if when.isdigit():
        return len(pictures) >= int(when)
    return any(when in " ".join(lines) for lines in pictures)


def main():
    size, events, command = parse(sys.argv)
    pid, fd = pty.fork()
    if pid == 0:
        set_size(0, *size)
        os._exit(be_shell(command))
    screen, seen, since, end, held = Screen(*size), [], 0, None, ""
    while end is None:
        try:
            text = held + os.read(fd, 65536).decode(errors="replace")
        except OSError:
            break
        begun = MARK_BEGUN.search(text)  # the rest of a mark of the shell comes with the next read
        text, held = (text[:begun.start()], text[begun.start():]) if begun else (text, "")
        stopped = STOPPED in text
        text = text.replace(STOPPED, "")
        end = ENDED.search(text)
        screen.feed(text[:end.start()] if end else text)
        if screen.has_panel():
            seen.append(screen.text())
        if events and is_time(events[0][0], seen[since:], stopped):
            do(fd, screen, *events.pop(0)[1:])
            since = len(seen)
    os.waitpid(pid, 0)
    print(json.dumps({"code": int(end[1]) if end else None, "echo": bool(end and int(end[2])),
                      "stopped": int(end[3]) if end else None,
                      "last": screen.text(), "seen": seen, "strange": screen.strange}))


main()
