"""Runs all tests and prints one line of JSON for each: its name, and its failure or null."""
from __future__ import annotations

import json
import sys
import threading
import traceback
import unittest
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]
_lock = threading.Lock()


def _text(err: Any) -> str:
    return "".join(traceback.format_exception(*err))


class Result(unittest.TestResult):
    """Prints each result as it comes."""

    def addSuccess(self, test: unittest.TestCase) -> None:
        self._print(test, None)

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        self._print(test, _text(err))

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        self._print(test, _text(err))

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        if err is not None:
            self._print(test, f"{subtest}\n{_text(err)}")

    def _print(self, test: unittest.TestCase, failure: "str | None") -> None:
        with _lock:
            print(json.dumps({"name": test.id(), "failure": failure}), flush=True)


if __name__ == "__main__":
    names = sys.argv[1:]
    loader = unittest.TestLoader()
    root = str(Path(__file__).parents[1])
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(Path(__file__).parent), top_level_dir=root)
    suite.run(Result())
