"""What an error is made of is known without reading its message."""

from assay.errors import LaunchError, NotStartedError


def test_why_a_process_did_not_start_is_apart_from_its_message() -> None:
    error = NotStartedError("No such file or directory", where="build/bench")
    assert error.message == "build/bench: cannot start: No such file or directory"
    assert error.reason == "No such file or directory"
    assert isinstance(error, LaunchError)
    assert LaunchError("it crashed").reason == "it crashed"
