"""Arrays and plain values in one safetensors file, written whole, with a checksum over both."""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.documents import Fields, parse_json, shown
from elgeo.errors import ElgeoError
from elgeo.files import written_atomically

Pick = Callable[[str, NDArray[Any]], NDArray[Any]]
"""What is kept of an array, by its name."""


class DamagedError(ElgeoError):
    """A checkpoint or weights file is not what was written."""


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], state: Mapping[str, Any]) -> None:
    """Write arrays and plain values as safetensors, atomically, with a checksum over both."""
    arrays = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    for name, array in arrays.items():
        if array.dtype.str not in _KINDS.values():
            raise ElgeoError(f"cannot write {path}: {shown(name)} is of type {array.dtype}, which safetensors has not")
    text = json.dumps(state)
    # one entry, since safetensors writes several in an order of chance
    metadata = {"elgeo": json.dumps({"state": text, "sha256": _digest(arrays, text)})}
    try:
        with written_atomically(path) as temporary, temporary.open("wb") as file:
            for piece in _file(arrays, metadata):
                file.write(piece)
    except OSError as error:
        raise ElgeoError(f"cannot write {path}: {error.strerror or error}") from None


def _file(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]) -> Iterator[bytes | memoryview]:
    """The pieces of a file, the same bytes as the library writes, which copies all arrays before it begins."""
    codes = {np.dtype(kind): code for code, kind in _KINDS.items()}
    places = {kind: place for place, kind in enumerate(codes)}
    order = sorted(arrays, key=lambda name: (places[arrays[name].dtype], name))
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name in order:
        first, end = end, end + arrays[name].nbytes
        header[name] = {
            "dtype": codes[arrays[name].dtype],
            "shape": arrays[name].shape,
            "data_offsets": [first, end],
        }
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    yield len(text).to_bytes(8, "little")
    yield text
    for name in order:
        yield arrays[name].ravel().view(np.uint8).data


def load_arrays(
    path: Path, pick: Pick = lambda name, array: array, *, mapped: bool = False
) -> tuple[dict[str, NDArray[Any]], Fields]:
    """Arrays and values that `save_arrays` wrote, or `DamagedError`; of each array only what is picked is kept.

    Arrays that are `mapped` stay in the file until they are used, and the system may forget them again: they may be
    larger than memory. What is written into them changes nothing in the file.
    """
    from safetensors import safe_open

    if path.exists() and not path.is_file():  # a pipe would be waited for without end
        raise DamagedError(f"{path} is damaged: it is not a file")
    try:
        arrays = {}
        with safe_open(path, framework="numpy") as file:
            entries = file.metadata() or {}
            # entries side by side are how the first runs were written
            metadata = json.loads(entries["elgeo"]) if "elgeo" in entries else entries
            if not isinstance(metadata, dict) or not isinstance(metadata.get("state"), str):
                raise DamagedError(f"{path} is damaged: its values are missing")
            digest = hashlib.sha256(metadata["state"].encode())
            look = _mapped(path) if mapped else file.get_tensor
            for name in sorted(file.keys()):
                whole = look(name)
                _take_in(digest, name, whole)
                arrays[name] = pick(name, whole)
        if metadata.get("sha256") != digest.hexdigest():
            raise DamagedError(f"{path} is damaged: its checksum does not fit")
        return arrays, Fields(parse_json(metadata["state"], path), path)
    except DamagedError:
        raise
    except Exception as error:  # whatever the libraries say of a file that is none of theirs
        raise DamagedError(f"{path} is damaged: {shown(str(error), 200)[1:-1]}") from None


def _mapped(path: Path) -> Callable[[str], NDArray[Any]]:
    """Arrays of a safetensors file, which is known to be one, by their names."""
    with path.open("rb") as file:
        start = 8 + (length := int.from_bytes(file.read(8), "little"))
        header = json.loads(file.read(length))
        whole = _private(file.fileno())

    def look(name: str) -> NDArray[Any]:
        kind, shape = np.dtype(_KINDS[header[name]["dtype"]]), tuple(header[name]["shape"])
        first = start + header[name]["data_offsets"][0]
        return np.frombuffer(whole, kind, math.prod(shape), first).reshape(shape)

    return look


def _private(file: int) -> mmap.mmap:
    """A file as memory; what is written there stays there. `np.memmap` would refuse a file larger than memory."""
    if sys.platform == "win32":
        return mmap.mmap(file, 0, access=mmap.ACCESS_COPY)
    return mmap.mmap(file, 0, mmap.MAP_PRIVATE | _NO_RESERVE, mmap.PROT_READ | mmap.PROT_WRITE)


_NO_RESERVE = 0x4000 if sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64") else 0
"""MAP_NORESERVE: Linux is not to keep room free for the case that all of the file is written into."""


_KINDS = {
    "U64": "<u8",
    "I64": "<i8",
    "F64": "<f8",
    "F32": "<f4",
    "U32": "<u4",
    "I32": "<i4",
    "F16": "<f2",
    "U16": "<u2",
    "I16": "<i2",
    "I8": "|i1",
    "U8": "|u1",
    "BOOL": "|b1",
}
"""What safetensors calls the types of arrays, in the order in which it writes them."""


def _digest(arrays: Mapping[str, NDArray[Any]], text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        _take_in(digest, name, arrays[name])
    return digest.hexdigest()


def _take_in(digest: hashlib._Hash, name: str, array: NDArray[Any]) -> None:
    digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
    digest.update(np.asarray(array, order="C").data)
