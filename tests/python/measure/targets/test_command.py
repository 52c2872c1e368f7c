import pytest
from conftest import ScriptedExecutor, finished

from assay.errors import LaunchError, UsageError
from assay.measure.effort import Effort
from assay.measure.targets.command import CommandTarget, words_of


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("gzip -k 'a file'", ("gzip", "-k", "a file")),
        ("./server --port=80 --rate 50%", ("./server", "--port=80", "--rate", "50%")),
        ("a | b", ("/bin/sh", "-c", "a | b")),
        ("LANG=C sort x", ("/bin/sh", "-c", "LANG=C sort x")),
        ("ls *.c", ("/bin/sh", "-c", "ls *.c")),
        ("cat ~/x", ("/bin/sh", "-c", "cat ~/x")),
    ],
)
def test_a_shell_is_used_only_where_it_must_be(command: str, words: tuple[str, ...]) -> None:
    assert words_of(command) == words


@pytest.mark.parametrize("command", ["", "  ", "echo 'unclosed"])
def test_commands_that_are_none(command: str) -> None:
    with pytest.raises(UsageError, match="cmd:"):
        words_of(command)


def test_a_launch_is_timed_whole() -> None:
    executor = ScriptedExecutor(lambda _: finished(wall_ns=3_000_000, max_rss_bytes=4096))
    target = CommandTarget(("true",), "cmd:true", "true", executor, 5.0)
    sample = target.launch("true", Effort(), None).sample
    assert sample.values["real_time"] == (3.0,)
    assert sample.values["cpu_time"] == (1.75,)
    assert sample.values["max_rss"] == (4096.0,)
    assert sample.time_unit == "ms"


def test_a_failing_command_is_no_measurement() -> None:
    executor = ScriptedExecutor(lambda _: finished(exit_code=1, stderr_tail="a\nno such table"))
    target = CommandTarget(("false",), "cmd:false", "false", executor, 5.0)
    with pytest.raises(LaunchError, match=r'exited with code 1 .*"no such table"'):
        target.launch("false", Effort(), None)
