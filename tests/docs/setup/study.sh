# SPDX-License-Identifier: BSD-2-Clause
# Programs of one's own: two of the examples.
printf 'name\tsource\tkinds\nbank\tbank.c\t-\nfixed\tbank_fixed.c\t-\n' >list.tsv
