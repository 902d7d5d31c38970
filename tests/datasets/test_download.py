"""Downloads against a server with faults: what arrives is whole and right, or there is a plain message."""

from __future__ import annotations

import hashlib
import random
import socket
from pathlib import Path

import pytest

from elgeo.datasets.sources.download import DownloadLimits, FetchError, download
from elgeo.errors import SettingError
from elgeo.files import NoRoomError
from tests.datasets.faulty_server import Site, serving

BODY = random.Random(5).randbytes(700_000)
QUICK = DownloadLimits(timeout=0.3, tries=4, pause=0.01, max_bytes=2_000_000)


def test_a_plain_file_arrives(tmp_path: Path) -> None:
    with serving(Site({"/a.gz": BODY})) as site:
        fetched = download([site.address + "/a.gz"], tmp_path / "deep" / "a.gz", QUICK)
    assert fetched.path.read_bytes() == BODY
    assert fetched.sha256 == hashlib.sha256(BODY).hexdigest()
    assert fetched.size == len(BODY)
    assert [p.name for p in fetched.path.parent.iterdir()] == ["a.gz"]


def test_cut_connections_are_resumed_where_they_broke(tmp_path: Path) -> None:
    with serving(Site({"/a": BODY}, {"/a": ["cut:1000", "cut:250000"]})) as site:
        fetched = download([site.address + "/a"], tmp_path / "a", QUICK)
    assert fetched.path.read_bytes() == BODY
    assert site.requests == [("/a", None), ("/a", "bytes=1000-"), ("/a", "bytes=251000-")]


def test_a_later_call_resumes_too(tmp_path: Path) -> None:
    with serving(Site({"/a": BODY}, {"/a": ["cut:5000"] + ["503"] * 3})) as site:
        with pytest.raises(FetchError, match="online"):
            download([site.address + "/a"], tmp_path / "a", QUICK)
        assert not (tmp_path / "a").exists()
        download([site.address + "/a"], tmp_path / "a", QUICK)
    assert (tmp_path / "a").read_bytes() == BODY
    assert site.requests[-1] == ("/a", "bytes=5000-")


def test_a_part_that_somebody_removed_is_begun_again(tmp_path: Path) -> None:
    with serving(Site({"/a": BODY}, {"/a": ["cut:5000"] + ["503"] * 3})) as site:
        with pytest.raises(FetchError, match="online"):
            download([site.address + "/a"], tmp_path / "a", QUICK)
        part, note = sorted(tmp_path.iterdir())
        assert note.name == part.name + ".from"
        part.unlink()
        download([site.address + "/a"], tmp_path / "a", QUICK)
    assert (tmp_path / "a").read_bytes() == BODY
    assert site.requests[-1][1] is None


@pytest.mark.parametrize("change", ["another tag", "no tag", "no ranges"])
def test_nothing_is_glued_to_a_file_that_may_have_changed(tmp_path: Path, change: str) -> None:
    site = Site({"/a": BODY[::-1]}, {"/a": ["cut:9000"] + ["503"] * 3}, tag=None if change == "no tag" else '"1"')
    with serving(site):
        with pytest.raises(FetchError):
            download([site.address + "/a"], tmp_path / "a", QUICK)
        site.files["/a"] = BODY
        site.tag = '"2"' if change == "another tag" else site.tag
        site.ranges = change != "no ranges"
        download([site.address + "/a"], tmp_path / "a", QUICK)
    assert (tmp_path / "a").read_bytes() == BODY


def test_a_full_disk_is_no_broken_connection(tmp_path: Path) -> None:
    (tmp_path / "a.part").symlink_to("/dev/full")
    with serving(Site({"/a": BODY})) as site, pytest.raises(NoRoomError, match="No space left") as caught:
        download([site.address + "/a"], tmp_path / "a", QUICK)
    assert caught.value.filename == str(tmp_path / "a.part")
    assert len(site.requests) == 1


def test_a_part_longer_than_the_file_is_thrown_away(tmp_path: Path) -> None:
    with serving(Site({"/a": BODY})) as site:
        (tmp_path / "a.part").write_bytes(BODY + b"more")
        (tmp_path / "a.part.from").write_text(f'{site.address}/a\n"1"')
        download([site.address + "/a"], tmp_path / "a", QUICK)
    assert (tmp_path / "a").read_bytes() == BODY


def test_a_wrong_checksum_is_refused_and_nothing_stays(tmp_path: Path) -> None:
    with serving(Site({"/a": BODY})) as site, pytest.raises(FetchError, match="checksum"):
        download([site.address + "/a"], tmp_path / "a", QUICK, expected_sha256="0" * 64)
    assert list(tmp_path.iterdir()) == []


def test_the_next_address_is_tried_when_one_is_gone(tmp_path: Path) -> None:
    said: list[str] = []
    with serving(Site({"/new": BODY})) as site:
        fetched = download([site.address + "/old", site.address + "/new"], tmp_path / "a", QUICK, say=said.append)
        assert fetched.url.endswith("/new")
        assert "404" in said[0]
        with pytest.raises(FetchError, match=r"no address .*old \(HTTP 404\).*older \(HTTP 404\)"):
            download([site.address + "/old", site.address + "/older"], tmp_path / "b", QUICK)


def test_a_server_that_stalls_is_tried_again(tmp_path: Path) -> None:
    with serving(Site({"/a": BODY}, {"/a": ["stall", "500"]})) as site:
        assert download([site.address + "/a"], tmp_path / "a", QUICK).path.read_bytes() == BODY


@pytest.mark.parametrize("fault", ["", "unknown-length"])
def test_too_large_is_refused_early(tmp_path: Path, fault: str) -> None:
    with (
        serving(Site({"/a": BODY}, {"/a": [fault]})) as site,
        pytest.raises(FetchError, match=r"larger than the 0 MB.*--max-megabytes"),
    ):
        download([site.address + "/a"], tmp_path / "a", DownloadLimits(max_bytes=100_000))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fault", ["", "unknown-length"])
def test_what_is_as_large_as_may_be_arrives(tmp_path: Path, fault: str) -> None:
    with serving(Site({"/a": BODY}, {"/a": [fault]})) as site:
        fetched = download([site.address + "/a"], tmp_path / "a", DownloadLimits(max_bytes=len(BODY)))
    assert fetched.size == len(BODY)
    assert (tmp_path / "a").read_bytes() == BODY


def test_a_refusal_is_final(tmp_path: Path) -> None:
    with serving(Site({"/a": BODY}, {"/a": ["403"]})) as site, pytest.raises(FetchError, match="403"):
        download([site.address + "/a"], tmp_path / "a", QUICK)
    assert len(site.requests) == 1


def test_offline_is_said_plainly(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(FetchError, match=f"127.0.0.1:{port}/a: .*refused.* online"):
        download([f"http://127.0.0.1:{port}/a"], tmp_path / "a", DownloadLimits(tries=2, pause=0.01))


def test_only_the_web_is_fetched_from(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="only http"):
        download(["file:///etc/hostname"], tmp_path / "a")


@pytest.mark.parametrize("code", ["408", "425", "429", "500", "502"])
def test_what_may_pass_is_tried_again(tmp_path: Path, code: str) -> None:
    with serving(Site({"/a": BODY}, {"/a": [code]})) as site:
        assert download([site.address + "/a"], tmp_path / "a", QUICK).size == len(BODY)
    assert len(site.requests) == 2


@pytest.mark.parametrize("code", ["404", "410"])
def test_what_is_gone_is_gone(tmp_path: Path, code: str) -> None:
    with serving(Site({"/a": BODY}, {"/a": [code]})) as site:
        with pytest.raises(FetchError, match=rf"no address has the file any more: .*/a \(HTTP {code}\)"):
            download([site.address + "/a"], tmp_path / "a", QUICK)
        assert len(site.requests) == 1


@pytest.mark.parametrize("code", ["400", "409", "411", "426", "430", "451", "499"])
def test_what_was_asked_wrongly_is_not_asked_again(tmp_path: Path, code: str) -> None:
    with serving(Site({"/a": BODY}, {"/a": [code]})) as site:
        with pytest.raises(FetchError, match=f"cannot fetch .*HTTP {code}"):
            download([site.address + "/a"], tmp_path / "a", QUICK)
        assert len(site.requests) == 1


def test_each_try_but_the_last_says_that_there_is_another_and_waits_twice_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, waits = list[str](), list[float]()
    monkeypatch.setattr("elgeo.datasets.sources.download.time.sleep", waits.append)
    with (
        serving(Site({"/a": BODY}, {"/a": ["503"] * 9})) as site,
        pytest.raises(FetchError, match=r"/a: HTTP 503 .*online"),
    ):
        download([site.address + "/a"], tmp_path / "a", DownloadLimits(tries=4, pause=0.25), say=said.append)
    assert [line.endswith("; trying again") for line in said] == [True, True, True, False]
    assert waits == [0.25, 0.5, 1.0]
    assert len(site.requests) == 4


def test_a_part_of_another_address_is_not_gone_on_with(tmp_path: Path) -> None:
    with serving(Site({"/a": BODY[::-1], "/b": BODY}, {"/a": ["cut:9000"] + ["503"] * 3})) as site:
        with pytest.raises(FetchError):
            download([site.address + "/a"], tmp_path / "a", QUICK)
        download([site.address + "/b"], tmp_path / "a", QUICK)
    assert (tmp_path / "a").read_bytes() == BODY
    assert site.requests[-1] == ("/b", None)
