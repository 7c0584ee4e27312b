# SPDX-License-Identifier: BSD-2-Clause
# Any program with a bug.
cp bank.c t.c
printf 't: t.c\n\t$(CC) -o t t.c\n' >Makefile
