# SPDX-License-Identifier: BSD-2-Clause
heddle cc -o prog bank.c
