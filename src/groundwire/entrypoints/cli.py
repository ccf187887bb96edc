"""The command line. ``--version`` and ``--help`` are answered before anything is loaded."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from groundwire import __version__
from groundwire.entrypoints.catalogue import front_page


def run(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command that ``args`` (the process's own when None) name, and exit with its code."""
    words = sys.argv[1:] if args is None else list(args)
    if words == ["--version"]:
        sys.stdout.write(f"groundwire {__version__}\n")
        sys.exit(0)
    if words in (["--help"], ["-h"]):
        sys.stdout.write(front_page())
        sys.exit(0)
    from groundwire.entrypoints.group import main

    sys.exit(main(words))
