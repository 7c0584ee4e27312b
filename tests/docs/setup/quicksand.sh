# SPDX-License-Identifier: BSD-2-Clause
heddle cc -o program bank_fixed.c
