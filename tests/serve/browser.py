"""A headless Chromium that is driven as a person would: keys, words on the page, screenshots; no library but ours."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe")
KEYS = {"Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), "ArrowDown": (40, ""), "Backspace": (8, "")}


class Browser:
    """One page; every question waits for its answer."""

    def __init__(self, to: int, answers: int) -> None:
        self._to, self._from, self._rest, self._number, self._session = to, answers, b"", 0, ""
        self.complaints: list[str] = []
        """What scripts threw, and what the browser refused."""
        self._profile = ""
        self.begin_anew()

    def begin_anew(self) -> None:
        """Another page, which knows nothing of what was stored, visited or complained about before."""
        self._session = ""
        if self._profile:
            self._ask("Target.disposeBrowserContext", browserContextId=self._profile)
        self._profile = self._ask("Target.createBrowserContext")["browserContextId"]
        target = self._ask("Target.createTarget", url="about:blank", browserContextId=self._profile)["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._ask("Page.enable")
        self._ask("Runtime.enable")
        self.complaints.clear()

    def open(self, address: str, width: int = 1200, height: int = 900, dark: bool = False) -> None:
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._ask("Emulation.setEmulatedMedia", features=scheme)
        self._ask("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && document.querySelectorAll('#run option').length > 0")

    def value(self, expression: str) -> Any:
        """What an expression of the page's script is."""
        found = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, expression: str, seconds: float = 30) -> None:
        """Until an expression is true."""
        end = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < end, (
                f"never true: {expression}; the page says {self.value('document.body.innerText')!r}"
            )
            time.sleep(0.02)

    def press(self, *keys: str) -> None:
        """Keys, one after the other: a letter, or a name of `KEYS`."""
        for key in keys:
            code, text = KEYS.get(key, (ord(key.upper()[0]), key))
            down = {"key": key, "windowsVirtualKeyCode": code, **({"text": text} if text else {})}
            self._ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **down)
            self._ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text: str) -> None:
        self._ask("Input.insertText", text=text)

    def keep_downloads(self, folder: Path) -> None:
        """Let what the page offers to keep be written into a folder."""
        page, self._session = self._session, ""  # the browser itself is asked, not the page
        self._ask(
            "Browser.setDownloadBehavior",
            behavior="allow",
            browserContextId=self._profile,
            downloadPath=str(folder),
        )
        self._session = page

    def screenshot(self, path: Path) -> None:
        shot = self._ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        number, said = self._number, {"id": self._number, "method": method, "params": parameters}
        if self._session:
            said["sessionId"] = self._session
        os.write(self._to, json.dumps(said).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(answer["params"]))
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._from, 1 << 20)
            assert part, "the browser has gone"
            self._rest += part
        first, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(first)
        return message


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser of its own, or the test is skipped where there is none."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium is installed")
    commands, to = os.pipe()
    answers, back = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        call = [chromium, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        # the browser hears on 3 and speaks on 4
        shell = ["bash", "-c", f'exec "$@" 3<&{commands} 4>&{back}', "bash", *call]
        with subprocess.Popen(shell, pass_fds=(commands, back), stderr=subprocess.DEVNULL) as process:
            os.close(commands)
            os.close(back)
            try:
                yield Browser(to, answers)
            finally:
                process.kill()
                os.close(to)
                os.close(answers)
