# SPDX-License-Identifier: BSD-2-Clause
# The program that the page shows.
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$DOCS_SOURCE"/docs/transactions.md >counter.c
