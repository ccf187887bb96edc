"""The table of line formats that tell one request or flow each: balancers, storage, proxies, application servers.

Sources:
    AWS "Access logs for your Application Load Balancer", "Access logs for your Classic Load Balancer", "Amazon S3 server access
    log format", "Flow log records"; Envoy's default access log format; Squid's native log format; uWSGI's request line;
    cupsd-logs(5).
"""

from __future__ import annotations

from typing import Final

from groundwire.adapters.logs.plain_format import (
    ACCESS_TIME,
    MONTH,
    PlainFormat,
    access_time,
    bare_iso_time,
    epoch_time,
    month_time,
    sampled_format,
)

_ISO: Final = r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)"
_REQUEST: Final = r"\"(?:(?P<method>[A-Z]{1,20}) (?P<path>[^\s\"]*+))?+[^\"]*+\""

ACCESS_FORMATS: Final[tuple[PlainFormat, ...]] = (
    sampled_format(
        "load_balancer",
        rf"(?:(?:https?|h2|grpcs?|wss?) )?{_ISO} (?P<balancer>\S{{1,255}}) (?P<client>\S{{2,64}}):\d{{1,5}} "
        r"(?P<target>\S{1,64}) (?:-?[\d.]{1,20} ){3}(?P<status>\d{3}|-) (?P<target_status>\d{3}|-) \d{1,20} \d{1,20} " + _REQUEST,
        bare_iso_time,
        keeps_line=True,
    ),
    sampled_format(
        "s3",
        r"(?:[0-9a-f]{16,64}|-) (?P<bucket>[\w.-]{3,63}) " + ACCESS_TIME + r" (?P<client>\S{1,64}) \S{1,2048} \S{1,64} "
        rf"(?P<message>(?P<operation>[A-Z][\w.]{{3,60}}) (?P<key>\S{{1,4096}}) (?:{_REQUEST}|-) (?P<status>\d{{3}}|-) "
        r"(?P<error>\S{1,100}) .*)",
        access_time,
    ),
    sampled_format(
        "vpc_flow",
        r"\d (?:\d{12}|unknown) (?P<interface>eni-\S{1,40}) (?P<client>\S{1,45}) (?P<target>\S{1,45}) \S{1,5} (?P<port>\S{1,5}) "
        r"\S{1,3} \S{1,20} \S{1,20} (?P<time>\d{10}) \d{10} (?P<action>ACCEPT|REJECT|-) (?:OK|NODATA|SKIPDATA)",
        epoch_time,
        keeps_line=True,
    ),
    sampled_format(
        "envoy_access",
        rf"\[{_ISO}\] (?P<message>{_REQUEST} (?P<status>\d{{1,3}}) (?P<flags>[\w,-]{{1,60}}) .*)",
        bare_iso_time,
    ),
    sampled_format(
        "squid",
        r"(?P<time>\d{9,10}\.\d{3}) +(?P<duration_ms>\d{1,12}) (?P<client>\S{1,64}) (?P<message>(?P<result>[A-Z_]{3,60})/"
        r"(?P<status>\d{3}) \d{1,20} (?P<method>[A-Z_]{1,20}) (?P<path>\S{1,8192}) .*)",
        epoch_time,
    ),
    sampled_format(
        "uwsgi",
        r"\[pid: (?P<pid>\d{1,10})\|app: [\d-]{1,10}\|req: [\d/-]{1,30}\] (?P<client>\S{0,64}) \([^)]{0,200}\) \{[^}]{0,200}\} "
        rf"\[[A-Z][a-z]{{2}} {MONTH} +(?P<day>\d\d?) (?P<time>\d\d:\d\d:\d\d) (?P<year>\d{{4}})\] "
        r"(?P<message>(?P<method>[A-Z]{1,20}) (?P<path>\S{1,8192}) => generated \d{1,20} bytes in \d{1,20} \w{5,6} "
        r"\(HTTP/[\d.]{1,5} (?P<status>\d{3})\).*)",
        month_time,
    ),
    sampled_format(
        "cups_page",
        r"(?P<printer>\S{1,128}) (?P<user>\S{1,128}) (?P<job>\d{1,10}) " + ACCESS_TIME + " ",
        access_time,
        keeps_line=True,
    ),
)
