"""The logs of eight systems: which half they are in, and what is asked of them."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.grounding.sessions import DEVELOPMENT, REPORTING

# Lines without a year take it from the date of their file.
_FILE_DATE = datetime(2025, 12, 20, tzinfo=UTC).timestamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemLog:
    """One system's log: the window, words that are there, words that are nowhere, and where a search misses on purpose.

    ``narrow`` are words that the window holds, but not between the two times behind them.
    """

    file: str
    service: str
    half: str
    absent_name: str
    since: str
    until: str
    words: tuple[str, ...]
    levels: tuple[str, ...]
    absent_words: tuple[str, ...]
    narrow: tuple[str, str, str]
    silent: tuple[str, str]


SYSTEMS = (
    SystemLog(
        file="Apache_2k.log",
        service="apache",
        half=DEVELOPMENT,
        absent_name="varnish",
        since="2005-12-04T00:00:00Z",
        until="2005-12-06T00:00:00Z",
        words=("Directory index forbidden", "Can't find child", "Found child"),
        levels=("error",),
        absent_words=("segmentation fault", "MaxClients reached"),
        narrow=("Can't find child", "2005-12-04T04:40:00Z", "2005-12-04T05:00:00Z"),
        silent=("2005-12-05T20:00:00Z", "2005-12-05T23:00:00Z"),
    ),
    SystemLog(
        file="HDFS_2k.log",
        service="hdfs",
        half=DEVELOPMENT,
        absent_name="journal-node",
        since="2008-11-09T20:00:00Z",
        until="2008-11-11T11:00:00Z",
        words=("Got exception while serving", "Received block", "addStoredBlock"),
        levels=("warn",),
        absent_words=("No space left on device", "Safe mode is ON"),
        narrow=("Got exception while serving", "2008-11-09T20:36:00Z", "2008-11-09T20:50:00Z"),
        silent=("2008-11-11T10:30:00Z", "2008-11-11T11:00:00Z"),
    ),
    SystemLog(
        file="Hadoop_2k.log",
        service="hadoop",
        half=DEVELOPMENT,
        absent_name="timeline-server",
        since="2015-10-18T18:00:00Z",
        until="2015-10-18T18:20:00Z",
        words=("Failed to renew lease", "Already tried", "Progress of TaskAttempt"),
        levels=("error",),
        absent_words=("OutOfMemoryError", "Container killed on request"),
        narrow=("Failed to renew lease", "2015-10-18T18:01:00Z", "2015-10-18T18:03:00Z"),
        silent=("2015-10-18T18:12:00Z", "2015-10-18T18:20:00Z"),
    ),
    SystemLog(
        file="Linux_2k.log",
        service="combo-host",
        half=DEVELOPMENT,
        absent_name="nis-master",
        since="2025-06-14T00:00:00Z",
        until="2025-07-28T00:00:00Z",
        words=("check pass; user unknown", "connection from", "ALERT exited abnormally"),
        levels=(),
        absent_words=("kernel panic", "read-only filesystem"),
        narrow=("ALERT exited abnormally", "2025-06-14T15:00:00Z", "2025-06-14T20:00:00Z"),
        silent=("2025-07-27T15:00:00Z", "2025-07-27T23:00:00Z"),
    ),
    SystemLog(
        file="Zookeeper_2k.log",
        service="zookeeper",
        half=REPORTING,
        absent_name="consul-agent",
        since="2015-07-29T00:00:00Z",
        until="2015-08-26T00:00:00Z",
        words=(
            "Cannot open channel",
            "Expiring session",
            "Notification time out",
            "Connection broken for id",
            "negotiated timeout",
        ),
        levels=("error",),
        absent_words=("OutOfMemoryError", "snapshot is corrupt"),
        narrow=("Expiring session", "2015-08-05T00:00:00Z", "2015-08-05T06:00:00Z"),
        silent=("2015-08-25T12:00:00Z", "2015-08-25T23:00:00Z"),
    ),
    SystemLog(
        file="OpenStack_2k.log",
        service="openstack",
        half=REPORTING,
        absent_name="cinder-volume",
        since="2017-05-16T00:00:00Z",
        until="2017-05-16T00:20:00Z",
        words=("seconds to build instance", "Unknown base file", "GET /v2", "Total memory"),
        levels=("warn",),
        absent_words=("No valid host was found", "connection to libvirt lost"),
        narrow=("Unknown base file", "2017-05-16T00:00:00Z", "2017-05-16T00:00:15Z"),
        silent=("2017-05-16T00:16:00Z", "2017-05-16T00:20:00Z"),
    ),
    SystemLog(
        file="Spark_2k.log",
        service="spark",
        half=REPORTING,
        absent_name="livy-server",
        since="2017-06-09T20:10:00Z",
        until="2017-06-09T20:20:00Z",
        words=("result sent to driver", "Times: total", "stored as values in memory"),
        levels=(),
        absent_words=("Lost executor", "GC overhead limit"),
        narrow=("result sent to driver", "2017-06-09T20:10:40Z", "2017-06-09T20:10:44Z"),
        silent=("2017-06-09T20:12:00Z", "2017-06-09T20:20:00Z"),
    ),
    SystemLog(
        file="OpenSSH_2k.log",
        service="labsz-ssh",
        half=REPORTING,
        absent_name="bastion-proxy",
        since="2025-12-10T06:00:00Z",
        until="2025-12-10T12:00:00Z",
        words=("Failed password for root", "Invalid user", "Did not receive identification", "message repeated"),
        levels=(),
        absent_words=("Accepted publickey", "Too many open files"),
        narrow=("Did not receive identification", "2025-12-10T06:55:00Z", "2025-12-10T07:00:00Z"),
        silent=("2025-12-10T11:10:00Z", "2025-12-10T12:00:00Z"),
    ),
)


def copy_systems(corpus: Path, work: Path) -> None:
    """Copy each log under the name of its service, as it would lie on a server."""
    for log in SYSTEMS:
        target = work / "systems" / log.service / f"{log.service}.log"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(corpus / "loghub" / log.file, target)
        os.utime(target, (_FILE_DATE, _FILE_DATE))
