# SPDX-License-Identifier: BSD-2-Clause
"""tables.py - what is measured: each function makes one table of the page, and leaves what the
text around it mentions in `figures`.  Sizes come in pairs: of the benchmark, of its test."""
import math
import os
import statistics
import time

from measure import LAZY_MOST, without

SMALL = ['./mutex32']
LONG = ['./long', '1000']
LONG_ORDERS = 720
ON_NATIVE_THREADS = ('stress', 'noise')


def number(value):
    return f'{value:,.0f}'


def short(value):
    """Three significant digits, or two of what is less than 1; no exponent."""
    if not 0 < value < 100:
        return number(value)
    return f'{value:.{(2 if value >= 1 else 1) - math.floor(math.log10(value))}f}'


def spread(figures):
    return f'{short(figures.median)} ({short(figures.least)} … {short(figures.most)})'


def over(a, b):
    return short(a / b)


class Tables:
    def __init__(self, bench):
        self.bench, self.figures = bench, {}

    def size(self, usual, quick):
        return quick if self.bench.quick else usual

    def sections(self):
        return ['./sections', *self.size(['4', '3'], ['3', '2'])]

    # ---- strategies ----

    def names(self):
        """Of the strategies that `heddle list` has, without reducers, replay, which has a table of
        its own, and quicksand, which runs others in turn."""
        listed = self.bench.listed_strategies()
        return [name for name in listed if name not in ('replay', 'quicksand', *ON_NATIVE_THREADS)]

    def strategies(self):
        bench, rows, random = self.bench, [], {}
        for program in (self.sections(), LONG):
            random[program[0]] = bench.search('random', program)
        for name in self.names():
            row = [f'`{name}`']
            for program in (self.sections(), LONG):
                sample = random[program[0]] if name == 'random' else bench.search(name, program)
                row += [spread(sample.rate), over(sample.rate.median, random[program[0]].rate.median),
                        short(sample.nanoseconds())]
            rows.append(row)
        self.figures['sections_events'] = number(random['./sections'].steps)
        self.figures['long_events'] = number(random['./long'].steps)
        return ['strategy', '`sections`', 'ratio', 'ns an event', '`long`', 'ratio', 'ns an event'], rows

    def lazy(self):
        rows = []
        for program in (['./sections', '3', '3'], self.sections(), LONG):
            each = [self.bench.search(name, program).each.median for name in ('bpor-lazy', 'dpor')]
            rows.append([f'`{" ".join(program)[2:]}`', *(short(1e6 * seconds) for seconds in each), over(*each),
                         short(LAZY_MOST)])
        return ['microseconds', '`bpor-lazy`', '`dpor`', 'ratio', 'to be at most'], rows

    def small(self):
        bench = self.bench
        few = self.size(300, 20)
        samples = [(f'`{name}`', bench.search(name, SMALL)) for name in ('random', 'pct', 'mix', 'dfs')]
        samples += [('`random`, a process each', bench.search('random', SMALL, '--isolation', 'fork'))]
        samples += [(f'`{name}`', bench.search(name, SMALL, executions=few)) for name in ON_NATIVE_THREADS]
        random = samples[0][1].rate.median
        self.figures['mutex32_random'] = number(random)
        return ['strategy', 'executions per second', 'ratio to `random`'], [
            [text, spread(sample.rate), over(sample.rate.median, random)] for text, sample in samples]

    # ---- operations ----

    def operations(self):
        operations = 40000  # as events.c has
        ns = {what: self.bench.search('random', ['./events', what]).nanoseconds(operations)
              for what in ('mutex', 'semaphore', 'pingpong')}
        self.figures['switch'] = short(2 * (ns['pingpong'] - ns['semaphore']))
        texts = ('lock or unlock of a mutex, one thread', 'post or wait of a semaphore, one thread',
                 'the same, with a switch at every second')
        return ['', 'ns', 'ratio'], [
            [text, short(value), over(value, ns['mutex'])] for text, value in zip(texts, ns.values())]

    def plain(self):
        rows = []
        for accesses in (1000, 10000, 100000, 1000000):
            count = [str(accesses)]
            ns = [self.bench.search('random', ['./plain', *count, *how]).nanoseconds(accesses)
                  for how in ([], ['bare'])]
            rows.append([number(accesses), short(ns[0]), short(ns[1]), over(*ns)])
        return ['accesses in an execution', 'instrumented, ns each', 'bare, ns each', 'ratio'], rows

    def races(self):
        bench, rates = self.bench, {}
        programs = (['./mixed'], ['./plain', '1000000'], self.sections())
        for races in ('off', 'on'):
            rates[races] = [bench.search('random', program, '--races', races).rate.median
                            for program in programs]
        rows = [[f'`--races {races}`', *map(number, rates[races])] for races in rates]
        rows.append(['ratio', *(over(on, off) for on, off in zip(rates['on'], rates['off']))])
        return ['executions per second', '`mixed`', '`plain`', '`sections`'], rows

    def heap(self):
        blocks = 10000  # as heap.c has
        ns = {races: self.bench.search('random', ['./heap'], '--races', races).nanoseconds(blocks)
              for races in ('off', 'on')}
        return ['', 'ns for a block', 'ratio'], [
            [f'`--races {races}`', short(value), over(value, ns['off'])] for races, value in ns.items()]

    # ---- scaling ----

    def curve(self, strategies, sizes, arguments, executions=LONG_ORDERS):
        """Nanoseconds of an event for each strategy and size, with the ratio of last to first.
        Those that reduce have most to do in their first executions: so all get to the end."""
        rows = []
        for name in strategies:
            ns = [self.bench.search(name, ['./long', *arguments(size)], executions=executions).nanoseconds()
                  for size in sizes]
            rows.append([f'`{name}`', *map(short, ns), over(ns[-1], ns[0])])
        return ['ns an event', *map(number, sizes), 'last to first'], rows

    def threads(self):
        return self.curve(('random', 'pct', 'mix', 'dpor', 'dpor-optimal'), (8, 16, 32, 64),
                          lambda threads: ['2000', str(threads)])

    def events(self):
        return self.curve(('random', 'pct', 'mix', 'dpor', 'dpor-optimal', 'dpor-classic'),
                          (1000, 2000, 5000, 10000), lambda events: [str(events)])

    def bounded(self):
        """Of these the whole search would take minutes."""
        return self.curve(('bpor', 'bpor-naive', 'bpor-lazy'), (125, 250, 500, 1000),
                          lambda events: [str(events)], executions=None)

    def image(self):
        rows = []
        for megabytes, pages in ((0, 8), (1, 8), (16, 8), (64, 8), (256, 8), (64, 64), (64, 512)):
            self.bench.build('image', 'image.c', f'-DIMAGE_MB={megabytes}', f'-DTOUCHED={pages}')
            rows.append((megabytes, pages, self.bench.search('random', ['./image']).rate))
            self.bench.first.clear()  # the next one has the same name
        none = rows[0][2].median
        apart = (1 / rows[6][2].median - 1 / rows[5][2].median) / (512 - 64)
        self.figures['page'] = number(1e9 * apart)
        return ['pages written', 'of', 'executions per second', 'ratio'], [
            [str(pages), f'{megabytes} MB' if megabytes else 'no more data', spread(rate), over(rate.median, none)]
            for megabytes, pages, rate in rows]

    def replay(self):
        rows, each = [], []
        begin = self.replayed(12)[1]
        for events in (1000, 2000, 5000, 10000):
            steps, seconds = self.replayed(events)
            each.append(1e9 * without(seconds, begin) / events)
            rows.append([number(steps), f'{1000 * seconds:.1f}', number(each[-1]), over(each[-1], each[0])])
        self.figures['replay_begin'] = f'{1000 * begin:.1f}'
        return ['events', 'milliseconds', 'ns an event, without the beginning', 'ratio'], rows

    def replayed(self, events):
        """Events, and seconds.  The program fails always, so the first execution is what is
        replayed.  It is short, and the tool looks now and then whether it is over: so what counts
        is processor time."""
        self.bench.result(['run', '--strategy', 'random', '--executions', '1', '--minimize', 'off',
                           '--', './long', str(events), '6', 'fail'], (2,))
        results = [self.bench.result(['replay'], (2,)) for _ in range(self.size(9, 1))]
        return results[0]['steps_max'], statistics.median(r['used'] for r in results)

    # ---- partial-order reduction ----

    def reduction(self):
        rows = []
        for program in (self.sections(), ['./lastzero', self.size('12', '6')]):
            every = self.bench.whole('dpor-optimal', program)
            source = self.bench.whole('dpor', program)
            classes = every.last['executions']
            random = self.bench.search('random', program, executions=classes)
            rows.append([f'`{" ".join(program)[2:]}`', number(classes), short(every.seconds), short(source.seconds),
                         over(every.each.median, random.each.median)])
            self.figures[program[0][2:] + '_all'] = short(every.seconds)
        begin = statistics.median(r['used'] for r in self.bench.runs(['run', '--executions', '1', *SMALL]))
        self.figures['begin'] = number(1000 * begin)
        return ['program', 'classes', '`dpor-optimal`, seconds', '`dpor`, seconds',
                'an execution, to one at random'], rows

    def redundancy(self):
        rows = []
        small, large = self.size(('10', '12'), ('5', '6'))
        for program in (['./lastzero', small], self.sections(), ['./lastzero', large]):
            row = [f'`{" ".join(program)[2:]}`']
            for name in ('dpor-optimal', 'dpor', 'dpor-classic'):
                last = self.bench.result(['run', '--strategy', name, '--budget', '20s',
                                          '--', *program])
                begun = last['executions'] + last['redundant']
                classes = last['executions'] if name == 'dpor-optimal' else classes
                row += [number(classes)] if name == 'dpor-optimal' else []
                row.append(over(begun, classes) if last['complete'] else 'more than 20 s')
            rows.append(row)
        self.figures['source_lastzero'] = rows[0][3]
        return ['program', 'classes', '`dpor-optimal`', '`dpor`', '`dpor-classic`'], rows

    def tree(self):
        rows = []
        for writers in self.size(('10', '12', '15'), ('5', '6', '7')):
            last = self.bench.whole('dpor-optimal', ['./lastzero', writers]).last
            nodes = last['wakeup_tree_max']
            rows.append([f'`lastzero {writers}`', number(last['executions']), number(nodes),
                         over(nodes, last['executions'])])
        return ['program', 'classes', 'nodes at most', 'for each class'], rows

    def workers(self):
        bench, rows = self.bench, []
        for name in ('dpor', 'dpor-optimal', 'dfs', 'random'):
            seconds = [bench.whole(name, self.sections(), '-j', jobs, '--executions', self.size('150000', '50'),
                                   prefix=bench.priority).seconds for jobs in ('1', '2')]
            rows.append([f'`{name}`', *map(short, seconds), over(*seconds)])
        return ['seconds', '`-j 1`', '`-j 2`', 'so much quicker'], rows

    # ---- memory ----

    def memory(self):
        executions = self.size((1000000, 5000000), (100000, 200000))
        resident = [self.seen(count) for count in executions]
        return ['after executions', 'kB', 'ratio'], [
            [number(count), number(kb), over(kb, resident[0])] for count, kb in zip(executions, resident)]

    def seen(self, executions):
        """On a busy machine a worker may have ended before anybody looks."""
        return next(filter(None, (self.resident(executions) for _ in range(5))), 0)

    def resident(self, executions):
        """Kilobytes of the worker's memory, seen last before it ended."""
        bench, seen = self.bench, 0
        tool = bench.start(['run', '--strategy', 'random', '--executions', str(executions), '--budget', '20s',
                            '--progress', 'none', '-o', 'found', *SMALL], [*bench.priority, *bench.one])
        while tool.poll() is None:
            for zygote in children(tool.pid):
                for worker in children(zygote):
                    seen = resident_of(worker) or seen
            time.sleep(0.01)
        tool.communicate()
        return seen

    # ---- beside others ----

    def peers(self):
        """Figures of others are quoted; see the page."""
        random, seconds = self.figures['mutex32_random'], '{} s'.format
        every = self.bench.whole('dpor-optimal', ['./sections', '4', '2'])
        return ['', 'Heddle', 'others'], [
            ['`mutex32` at random, executions per second', random, 'Relacy 952,000; Lotto 94 to 105'],
            ['`sections 4 2`, all classes (2,520)', seconds(short(every.seconds)),
             'Nidhugg 0.42 s; GenMC 0.50 s; McMini 28.2 s (4,931 executions)'],
            [f'`{" ".join(self.sections())[2:]}`, all classes', seconds(self.figures['sections_all']),
             'GenMC 54.3 s; Nidhugg 72 s of processor time'],
            [f'`lastzero {self.size("12", "6")}`, all classes', seconds(self.figures['lastzero_all']),
             'GenMC 2.3 to 2.9 s; Nidhugg 8.5 s'],
            [f'`lastzero {self.size("10", "5")}`, executions begun for each class', self.figures['source_lastzero'],
             'Nidhugg with source sets 6.1; CDSChecker 17.3']]


def children(process):
    try:
        with open(f'/proc/{process}/task/{process}/children', encoding='ascii') as f:
            return f.read().split()
    except OSError:
        return []


def resident_of(process):
    try:
        with open(f'/proc/{process}/statm', encoding='ascii') as f:
            return int(f.read().split()[1]) * os.sysconf('SC_PAGE_SIZE') // 1024
    except OSError:
        return 0
