"""A worker process of a study whose trials only wait and write down that they ran: arguments URL LOG SECONDS."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

from elgeo.experiments.space import Choice, Space, Value
from elgeo.experiments.study import OnRank, open_study, work

SPACE = Space({"a": Choice((1, 2, 3)), "b": Choice((0.25, 0.75, 1.5, -2.0))})


def main(url: str, log: str, seconds: float) -> None:
    def objective(settings: Mapping[str, Value], folder: str, report: OnRank) -> float:
        with open(log, "a", encoding="utf-8") as file:
            print("begin", os.getpid(), settings["a"], settings["b"], file=file)
        time.sleep(seconds * (0.5 + int(settings["a"]) / 3))
        with open(log, "a", encoding="utf-8") as file:
            print("end", os.getpid(), settings["a"], settings["b"], file=file)
        return float(settings["a"]) * 10 + float(settings["b"])

    work(open_study(url, "test", SPACE, heartbeat=1), SPACE, objective)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
