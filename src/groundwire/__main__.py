"""``python -m groundwire`` and the ``groundwire`` command."""

from __future__ import annotations


def main() -> None:
    """Run the command line; exits with the code that the command's outcome has."""
    from groundwire.entrypoints.cli import run

    run()


if __name__ == "__main__":
    main()
