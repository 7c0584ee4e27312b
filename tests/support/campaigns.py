# SPDX-License-Identifier: BSD-2-Clause
"""campaigns.py - campaigns of several workers, for tests: stores, workers, and what must hold of the tables afterwards."""
import fcntl
import json
import os
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

heddle = os.environ['HEDDLE']
deep = os.environ.get('HEDDLE_DEEP') == '1'
postgresql = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'postgresql')
work = tempfile.mkdtemp(prefix='cluster')
os.chmod(work, 0o755)
failures = []
children = []


def fail(text):
    failures.append(text)
    print('FAILED: ' + text, flush=True)


def check(what, got, want):
    if got != want:
        fail('%s: %r instead of %r' % (what, got, want))


isolated = os.environ.get('HEDDLE_CLUSTER_ISOLATED') == '1'


def isolate():
    """Starts this test again in a network and with mounts of its own, if that is allowed: faults of networks and disks need it."""
    words = ['unshare', '--net', '--mount']
    if isolated or os.geteuid() != 0 or subprocess.run(words + ['true'], stderr=subprocess.DEVNULL).returncode != 0:
        return
    shutil.rmtree(work)
    os.execvpe('unshare', words + [sys.executable] + sys.argv, dict(os.environ, HEDDLE_CLUSTER_ISOLATED='1'))


def set_network(up):
    """Switches the loopback device of this network on or off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        name = b'lo'.ljust(16, b'\0')
        flags, = struct.unpack_from('H', fcntl.ioctl(s, 0x8913, name + bytes(24)), 16) # SIOCGIFFLAGS
        fcntl.ioctl(s, 0x8914, name + struct.pack('H', flags | 1 if up else flags & ~1) + bytes(22)) # SIOCSIFFLAGS, IFF_UP


class Disk:
    """A directory with a limited size, if this test is isolated."""

    def __init__(self, path, size):
        self.path, self.filler = path, os.path.join(path, 'filler')
        os.makedirs(path)
        if isolated:
            subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=' + size, 'tmpfs', path], check=True)
            os.chmod(path, 0o755)

    def fill(self):
        with open(self.filler, 'wb', buffering=0) as f:
            for size in (1 << 20, 1 << 12):
                try:
                    while True:
                        f.write(bytes(size))
                except OSError:
                    pass

    def free(self):
        os.unlink(self.filler)


class Server:
    """A PostgreSQL of its own."""

    def __init__(self):
        self.dir = os.path.join(work, 'pg')
        self.disk = Disk(self.dir, '128m')
        if isolated:
            set_network(True)
            os.environ['HEDDLE_PG_LISTEN'] = '127.0.0.1'
        started = subprocess.run([postgresql, 'start', self.dir], stdout=subprocess.PIPE, text=True)
        self.there = started.returncode == 0
        self.url = started.stdout.strip()
        self.worker_url = 'postgresql://heddle@127.0.0.1/postgres' if isolated else self.url

    def is_up(self):
        return subprocess.run(['psql', '-At', self.url, '-c', 'SELECT 1'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def make_room(self):
        """After a full disk: PostgreSQL may have given up, or may still recover."""
        self.disk.free()
        for _ in range(300):
            if self.is_up():
                return
            if subprocess.run([postgresql, 'runs', self.dir]).returncode != 0:
                subprocess.run([postgresql, 'again', self.dir], check=True)
            time.sleep(0.1)
        fail('the server did not come back')

    def kill_and_restart(self):
        subprocess.run([postgresql, 'kill', self.dir], check=True)
        subprocess.run([postgresql, 'again', self.dir], check=True)

    def stop(self):
        if self.there:
            subprocess.run([postgresql, 'stop', self.dir], check=True)

    def ask(self, sql):
        out = subprocess.run(['psql', '-At', '-F', '\t', self.url, '-c', sql], stdout=subprocess.PIPE, text=True, check=True)
        return [line.split('\t') for line in out.stdout.splitlines()]


class File:
    """A SQLite file."""

    def __init__(self):
        self.disk = Disk(os.path.join(work, 'files'), '16m')
        self.path = os.path.join(self.disk.path, 'store')
        self.url = self.worker_url = 'sqlite:' + self.path

    def make_room(self):
        self.disk.free()

    def ask(self, sql):
        with sqlite3.connect(self.path, timeout=60) as db:
            return [[str(v) for v in row] for row in db.execute(sql)]


def run_alone(words):
    """The totals of one worker without a store."""
    done = subprocess.run([heddle, words[0], '-q', '--json', '-', '-o', os.path.join(work, 'alone')] + words[1:],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.returncode, json.loads(done.stdout)


def start(store, name, words, lease='15s'):
    log = tempfile.NamedTemporaryFile(dir=work, prefix='log', delete=False)
    p = subprocess.Popen([heddle, words[0], '--store', store.worker_url, '--campaign', name, '--lease', lease, '-o',
                          os.path.join(work, 'out')] + words[1:], stdout=log, stderr=log)
    p.log, p.leaves = log.name, False
    children.append(p)
    return p


def text_of(p):
    with open(p.log) as f:
        return f.read()


def finish(p, limit=600):
    try:
        return p.wait(limit)
    except subprocess.TimeoutExpired:
        p.kill()
        fail('a worker did not end: ' + text_of(p))
        return None


# Statements that count violations in campaigns that are over: each count must be 0.
INVARIANTS = {
    'a finished campaign has unfinished rows':
        "SELECT count(*) FROM work w JOIN campaign c ON c.id = w.campaign WHERE c.name = '%s' AND w.pass = c.pass AND w.state = 0",
    'a row whose parent is not an inner row':
        "SELECT count(*) FROM work w JOIN campaign c ON c.id = w.campaign JOIN work p ON p.id = w.parent WHERE c.name = '%s' AND p.state <> 2",
    'an inner row without children':
        "SELECT count(*) FROM work w JOIN campaign c ON c.id = w.campaign WHERE c.name = '%s' AND w.state = 2 AND NOT EXISTS "
        "(SELECT 1 FROM work x WHERE x.parent = w.id)",
    'siblings with one place':
        "SELECT count(*) FROM work a JOIN work b ON a.parent = b.parent AND a.ord = b.ord AND a.id < b.id JOIN campaign c ON "
        "c.id = a.campaign WHERE c.name = '%s' AND a.parent > 0",
    'a result with a fence that was never given':
        "SELECT count(*) FROM result r JOIN work w ON w.id = r.work JOIN campaign c ON c.id = w.campaign WHERE c.name = '%s' AND "
        "r.fence > w.fence",
    'a range that is neither complete nor beyond the limit':
        "SELECT count(*) FROM work w JOIN campaign c ON c.id = w.campaign WHERE c.name = '%s' AND w.end_index IS NOT NULL AND "
        "w.first_index < w.end_index AND w.first_index < c.index_limit AND w.state <> 1",
}


def invariants(store, name, what):
    for text, sql in INVARIANTS.items():
        check('%s: %s' % (what, text), store.ask(sql % name)[0][0], '0')


def check_store(store, name, executions, what):
    invariants(store, name, what)
    rows = store.ask("SELECT c.state, c.outcome, sum(r.executions) FROM campaign c JOIN result r ON r.campaign = c.id AND r.pass >= "
                     "c.valid_from WHERE c.name = '%s' GROUP BY c.state, c.outcome" % name)
    check(what + ': state, outcome, executions', rows, [['done', 'complete', str(executions)]])


def delete(store, name):
    subprocess.run([heddle, 'campaign', 'delete', '--store', store.url, name], check=True)


def ends_with(main):
    """Runs main and leaves nothing behind; returns its exit code."""
    try:
        return main()
    finally:
        for child in children:
            if child.poll() is None:
                child.kill()
        if os.path.isdir(os.path.join(work, 'pg')):
            subprocess.run([postgresql, 'stop', os.path.join(work, 'pg')])
        for name in os.listdir(work): # a directory on which something is mounted cannot be removed
            if os.path.ismount(os.path.join(work, name)):
                subprocess.run(['umount', '-l', os.path.join(work, name)])
        shutil.rmtree(work, ignore_errors=True)
