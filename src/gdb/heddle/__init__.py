# SPDX-License-Identifier: BSD-2-Clause
"""See load.py."""
