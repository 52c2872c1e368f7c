"""All verbs in one place: the table of contents of the command line."""

import typer

from assay.cli import (
    compare,
    demo,
    doctor,
    floor,
    index,
    listing,
    multiview,
    os_lab,
    overhead,
    report,
    run,
    suite,
)

app = typer.Typer(
    name="assay",
    help="Did this get slower, by how much, how sure are we, and why?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("run")(run.run)
app.command("compare")(compare.compare)
app.command("overhead")(overhead.overhead)
app.command("multiview")(multiview.multiview)
app.command("report")(report.report)
app.command("list")(listing.list_)
app.command("floor")(floor.floor)
app.command("index", context_settings=index.AS_WRITTEN)(index.index)
app.command("suite")(suite.suite)
app.command("os", context_settings=os_lab.SETTINGS)(os_lab.os_lab)
app.command("doctor")(doctor.doctor)
app.command("demo")(demo.demo)


def _version(asked: bool) -> None:
    if asked:
        from assay import __version__

        typer.echo(f"assay {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Did this get slower, by how much, how sure are we, and why?"""
