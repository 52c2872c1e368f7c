import subprocess
import sys
from pathlib import Path

from assay.scratch import scratch_file


def test_a_file_is_nobody_elses_and_goes_after_its_use() -> None:
    with scratch_file() as one, scratch_file() as two:
        one.write_text("1")
        assert not two.exists()
        assert len(str(one)) == len(str(two))
    assert not one.exists()
    assert one.parent.exists()


def test_the_folder_goes_with_the_process() -> None:
    code = (
        "from assay.scratch import scratch_file\n"
        "with scratch_file() as path:\n  path.touch(); print(path.parent)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("assay-")
    assert not folder.exists()
