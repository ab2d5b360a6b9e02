# SPDX-License-Identifier: BSD-3-Clause
"""Calls for measured Python programs.

This module is one file: copy it beside the program, or add its directory to PYTHONPATH. Without Heddle in the process,
every call does nothing.

    import heddle

    with heddle.phase("solve"):
        heddle.value("residual", r)

    @heddle.phase("assemble")       # or @heddle.phase: the function's name
    def assemble(): ...
"""

import ctypes
import functools

__all__ = ["flush", "phase", "start", "stop", "value", "version"]


def _find(name, *arguments, result=ctypes.c_int):
    try:
        function = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError):
        return None
    function.argtypes = arguments
    function.restype = result
    return function


_start = _find("heddle_measure_start")
_stop = _find("heddle_measure_stop")
_flush = _find("heddle_measure_flush")
_begin = _find("heddle_measure_phase_begin_outermost", ctypes.c_char_p)
_end = _find("heddle_measure_phase_end", ctypes.c_char_p)
_value = _find("heddle_measure_value_outermost", ctypes.c_char_p, ctypes.c_double)
_version = _find("heddle_measure_version", result=ctypes.c_char_p)


def start():
    """Start measurement of the whole process; it is on from the start unless HEDDLE_START_PAUSED is set."""
    return _start() if _start else 0


def stop():
    """Stop measurement of the whole process until start()."""
    return _stop() if _stop else 0


def flush():
    """Write the current profile; measurement continues."""
    return _flush() if _flush else 0


def value(name, number):
    """Record a value under this name at the current path."""
    return _value(name.encode(), number) if _value else 0


def version():
    """The version of the library in this process; None if the program is not measured."""
    return _version().decode() if _version else None


class phase:
    """A phase of the calling thread: a context manager, and a decorator of functions.

    In call paths, phases come first and the interpreter's functions below them.
    """

    def __new__(cls, name):
        self = super().__new__(cls)
        if callable(name):
            self._name = name.__qualname__.encode()
            return self(name)
        self._name = name.encode()
        return self

    def __enter__(self):
        if _begin:
            _begin(self._name)
        return self

    def __exit__(self, *error):
        if _end:
            _end(self._name)
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def measured(*arguments, **named):
            with self:
                return function(*arguments, **named)

        return measured
