"""Write the site as a folder of static files that plays without a server.

    azulejos export-web FOLDER
    python -m http.server --directory FOLDER
"""

from __future__ import annotations

from pathlib import Path

import click

from azulejos.cli.common import complaints


@click.command(short_help="Write the site as a folder that plays without a server.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export_web(folder: Path) -> None:
    """Write the site into FOLDER: files for any web space, below any path, that play without a server.

    Fetches Python for browsers (by npm) and a wheel for it (by pip), once. Games stay in the visitor's
    browser. What was in FOLDER before is replaced, if this command wrote it.
    """
    from azulejos.web.alone.export import export

    with complaints():
        size = export(folder)
    click.echo(f"{folder}: {size / 1e6:.1f} MB. Try it: python -m http.server --directory {folder}")
