# SPDX-License-Identifier: BSD-2-Clause
# "With your own program": any program with a bug.
cp bank.c t.c
