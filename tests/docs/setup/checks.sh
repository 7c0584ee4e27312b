# SPDX-License-Identifier: BSD-2-Clause
heddle cc -o t bank_fixed.c
