# SPDX-License-Identifier: BSD-2-Clause
# Any program with a bug, and a make of the user's, which is not that of Heddle.
cp bank.c t.c
printf 't: t.c\n\t$(CC) -o t t.c\n' >Makefile
export PATH="$DOCS_PATH"
