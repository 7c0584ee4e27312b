# SPDX-License-Identifier: BSD-2-Clause
# A program with a bug, a repository with its schedule, and the repaired program in build.
cp bank.c t.c && heddle cc -o t t.c && git init -q . && mkdir build &&
    heddle cc -o build/t bank_fixed.c && { heddle run -o tests/schedules ./t || [ $? -eq 2 ]; }
