# SPDX-License-Identifier: BSD-2-Clause
heddle cc -o bank bank.c
