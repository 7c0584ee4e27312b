# SPDX-License-Identifier: BSD-2-Clause
"""measure.py - runs of heddle, and figures from them.

A figure is the median of several runs.  Most of them end when their time is up rather than
after so many executions: then a slow strategy costs this benchmark no more than a quick one.

Where that is allowed, a run has real-time priority on the last processor, so that figures mean
something on a busy machine as well.  Round robin, not first-in first-out: the tool shares that
processor with the worker, and must be able to end it.  After each run everybody else has the
processor for a quarter of the time it took, which also keeps clear of the kernel's own limit
(95 % of each second).
"""
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PRIORITY = ['chrt', '--rr', '50']
ENOUGH_RUNS = 15  # of those that are over at once
LAZY_MOST = 5  # times what an execution of dpor costs
FIRST = 3  # executions whose time is not counted: the first one is repeated, to prove the restart


def processor_time():
    """Of all processes that were started here and have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def without(seconds, start):
    """A run that is over at once may by chance be quicker than what it takes to begin was: then
    no more can be said than that it took next to nothing."""
    return max(seconds - start, seconds / 100)


class Figures:
    """Of several runs alike: the median, with the smallest and the largest."""

    def __init__(self, values):
        values = sorted(values)
        self.median, self.least, self.most = statistics.median(values), values[0], values[-1]


class Sample:
    """What several runs of one search gave; first: those of FIRST executions at random, whose
    time is not counted.  An execution that a reduction began and cut off counts in `each`."""

    def __init__(self, runs, first):
        self.last = runs[-1]
        self.steps = max(run['steps_max'] for run in runs)
        self.seconds = statistics.median(run['seconds'] for run in runs)
        self.begun = statistics.median(run['executions'] + run['redundant'] for run in runs)
        start = statistics.median(run['seconds'] for run in first) if first else 0
        spent = [(run, without(run['seconds'], start)) for run in runs]
        less = FIRST if first else 0
        self.rate = Figures(max(run['executions'] - less, 1) / s for run, s in spent)
        self.each = Figures(s / max(run['executions'] + run['redundant'] - less, 1) for run, s in spent)

    def nanoseconds(self, operations=None):
        """Of one event, or of one of so many operations in each execution."""
        return 1e9 * self.each.median / (operations or self.steps)


class Bench:
    def __init__(self, heddle, work, quick):
        self.heddle, self.work, self.quick = heddle, work, quick
        self.milliseconds, self.repetitions = (0, 1) if quick else (400, 3)
        self.processors = os.sched_getaffinity(0)
        self.priority = [] if quick or not self.allowed(PRIORITY) else PRIORITY
        self.one = ['taskset', '-c', str(max(self.processors))] if self.priority else []
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith('HEDDLE')}
        self.first = {}

    @staticmethod
    def allowed(prefix):
        try:
            return subprocess.run([*prefix, 'taskset', '-c', '0', 'true'], check=False,
                                  stderr=subprocess.DEVNULL).returncode == 0
        except OSError:
            return False

    def build(self, program, source, *flags):
        subprocess.run([self.heddle, 'cc', '-O2', *flags, '-o', program, os.path.join(HERE, source)],
                       check=True, cwd=self.work, env=self.environment)

    def listed_strategies(self):
        """Those that `heddle list` names: not their parameters, nor the reducers."""
        said = subprocess.run([self.heddle, 'list', 'strategies'], check=True, stdout=subprocess.PIPE,
                              encoding='utf-8', env=self.environment).stdout
        return re.findall(r'^([a-z][a-z-]*)  +\S', said, re.M)

    def start(self, words, prefix):
        return subprocess.Popen([*prefix, self.heddle, *words], cwd=self.work, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, encoding='utf-8')

    def result(self, words, expected=(0, 4), prefix=None):
        """One run of heddle: its result, with the seconds of processor time as `used`."""
        prefix = [*self.priority, *self.one] if prefix is None else prefix
        begun, used = time.perf_counter(), processor_time()
        tool = self.start([*words[:1], '--json', 'result.json', '-o', 'found', '--progress', 'none',
                           *words[1:]], prefix)
        said = tool.communicate()[0]
        used = processor_time() - used
        if prefix:
            time.sleep((time.perf_counter() - begun) / 4)
        if tool.returncode not in expected:
            print(f'bench/speed: heddle {" ".join(words)} ended with {tool.returncode}:\n{said}', file=sys.stderr)
            sys.exit(77 if tool.returncode == 77 else 1)
        with open(os.path.join(self.work, 'result.json'), encoding='utf-8') as f:
            return {**json.load(f), 'used': used}

    def runs(self, words, prefix=None):
        """As many as there are repetitions, and more of those that are over at once."""
        results = []
        while len(results) < self.repetitions or (
                not self.quick and len(results) < ENOUGH_RUNS
                and sum(r['seconds'] for r in results) < self.milliseconds / 1000):
            results.append(self.result(words, prefix=prefix))
        return results

    def search(self, strategy, program, *options, executions=None):
        """A search for as long as a run takes, or of so many executions; what it took to begin
        does not count."""
        if self.quick:
            executions = min(executions or 20, 20)  # a short time may be none at all on a busy machine
        limit = ['--executions', str(executions), '--budget', '20s'] if executions else [
            '--budget', f'{self.milliseconds}ms']
        rest = [*options, '--', *program]
        known = tuple(rest)
        if known not in self.first:
            self.first[known] = self.runs(['run', '--strategy', 'random', '--executions', str(FIRST), *rest])
        return Sample(self.runs(['run', '--strategy', strategy, *limit, *rest]), self.first[known])

    def whole(self, strategy, program, *options, prefix=None):
        """A search to its end, all that it took included."""
        words = ['run', '--strategy', strategy, '--budget', '20s', *options, '--', *program]
        return Sample(self.runs(words, prefix), None)
