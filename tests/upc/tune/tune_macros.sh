#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle tune` on programs whose macros access elements: see tune_forms.sh.
exec "$HEDDLE_SOURCE/tests/upc/tune/tune_forms.sh" macros
