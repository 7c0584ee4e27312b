# SPDX-License-Identifier: BSD-2-Clause
cp "$DOCS_SOURCE/tests/report/programs/order.c" .
