# SPDX-License-Identifier: BSD-2-Clause
"""real.py - the tables of real programs, from what `make real-figures` has measured.

That needs the network and some minutes, so its figures are kept (bench/real/figures.tsv; the
lines of it are described in bench/real/run), and the page says when and where they were taken.
"""
import os

from measure import HERE

FILE = os.path.join(HERE, '../real/figures.tsv')
KINDS = ('sync', 'off', 'on')
HEADINGS = ['synchronisation only', '`--races off`', '`--races on`']
NONE = '–'  # not measured, or there is nothing to measure


class Real:
    """Rows by target and scenario, in the order of the file; what they were taken on."""

    def __init__(self, path=FILE):
        self.about, self.rows = {}, {}
        with open(path, encoding='utf-8') as f:
            for line in f:
                cells = line.rstrip('\n').split('\t')
                if line.startswith('#'):
                    self.about[cells[0].lstrip('# ')] = cells[1]
                else:
                    target, scenario, kind, *figures = cells
                    self.rows.setdefault((target, scenario), {})[kind] = figures

    @staticmethod
    def name(target, scenario):
        return f'{target}, `{scenario}`' if scenario else target

    def table(self, first, cells):
        """A row for each scenario: what `first` makes of its figures, and `cells` of each kind."""
        for key, kinds in self.rows.items():
            some = next(iter(kinds.values()))
            yield [self.name(*key), *first(some), *(cells(kinds[k]) if k in kinds else NONE for k in KINDS)]

    def real(self):
        def speed(figures):
            native, each = float(figures[0]), float(figures[1])
            return f'{1e6 / each:,.0f} ({100 * native / each:.0f}%)'
        return ['', 'native, µs', *HEADINGS], list(
            self.table(lambda some: [f'{float(some[0]):,.0f}'], speed))

    def own(self):
        def shares(figures):
            own, kernel = figures[2], figures[3]
            return NONE if own == '-' else f'{own}%, {kernel}%'
        return ['', *HEADINGS], list(self.table(lambda some: [], shares))

    def figures(self):
        return {f'real_{name}': self.about[name] for name in ('date', 'processor', 'kernel', 'compiler')}
