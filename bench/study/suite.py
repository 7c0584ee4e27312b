# SPDX-License-Identifier: BSD-2-Clause
"""The programs of the benchmark suite (bench/programs/programs.tsv), for the measurements beside this file."""
import csv
import hashlib
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def words(text):
    return [] if text == "-" else text.split()


def rows():
    """In an order that is random but always the same: if the measurement is ended early, it has a fair part of them."""
    with open(os.path.join(ROOT, "bench/programs/programs.tsv"), encoding="utf-8") as f:
        return sorted(csv.DictReader(f, delimiter="\t"), key=lambda row: hashlib.md5(row["name"].encode()).hexdigest())


def sources(row, kind):
    """What to compile; None: there is no such program in this row."""
    flags = words(row["cflags"])
    if kind == "bugs":
        return flags + [row["source"]] if row["kinds"] != "-" else None
    if row["twin"].startswith("row "):
        return None
    if row["twin"].startswith(("-D", "-U")):
        return flags + [row["source"], row["twin"]]
    return flags + [row["source"] if row["twin"] == "itself" else row["twin"]]


def build(heddle, output, what):
    header = os.path.join(ROOT, "include/heddle/heddle.h") # an older build has one without HEDDLE_TRUSTED
    subprocess.run([heddle, "cc", "-O1", "-g", "-include", header, "-o", output] + what, cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
