"""The table of line formats of what runs a host or a network: printing, sign-on, mail, names, files, calls, hypervisors, phones.

Sources:
    cupsd-logs(5); sssd(8) "debug_level"; sudoers(5) "LOG FORMAT"; Dovecot "Logging"; smb.conf(5) "debug" and Samba's
    ``DBG_`` levels; BIND 9 "logging"; apt's history.log; Asterisk "Logging Configuration"; NATS, Syncthing; VMware ESXi
    "System log files"; ``logcat -v threadtime``.
"""

from __future__ import annotations

from typing import Final

from groundwire.adapters.logs.plain_format import (
    ACCESS_TIME,
    MONTH,
    PlainFormat,
    access_time,
    bare_iso_time,
    month_time,
    numbered_time,
    sampled_format,
    syslog_time,
    yearless_time,
)
from groundwire.domain.levels import Level

_ISO: Final = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z"
_SYSLOG_TIME: Final = rf"{MONTH} +(?P<day>\d\d?) (?P<time>\d\d:\d\d:\d\d(?:\.\d{{1,9}})?)"
_CUPS: Final = {
    "X": Level.FATAL,
    "A": Level.CRITICAL,
    "C": Level.CRITICAL,
    "E": Level.ERROR,
    "W": Level.WARN,
    "N": Level.NOTICE,
    "I": Level.INFO,
    "D": Level.DEBUG,
    "d": Level.TRACE,
}
_SSSD: Final = {
    "0x0010": Level.FATAL,
    "0x0020": Level.CRITICAL,
    "0x0040": Level.ERROR,
    "0x0080": Level.WARN,
    "0x0100": Level.NOTICE,
    "0x0200": Level.INFO,
    "0x0400": Level.DEBUG,
}
_SAMBA: Final = {"0": Level.ERROR, "1": Level.WARN, "2": Level.NOTICE, "3": Level.NOTICE, "4": Level.INFO, "5": Level.INFO}
_ASTERISK: Final = {"VERBOSE": Level.INFO, "DTMF": Level.INFO, "FAX": Level.INFO, "SECURITY": Level.NOTICE}
_VMWARE: Final = {"verbose": Level.DEBUG, "trivia": Level.TRACE}
_ESX: Final = {
    "Db": Level.DEBUG,
    "In": Level.INFO,
    "No": Level.NOTICE,
    "Wa": Level.WARN,
    "Er": Level.ERROR,
    "Cr": Level.CRITICAL,
    "Al": Level.CRITICAL,
    "Em": Level.FATAL,
}
_LOGCAT: Final = {
    "V": Level.TRACE,
    "D": Level.DEBUG,
    "I": Level.INFO,
    "W": Level.WARN,
    "E": Level.ERROR,
    "F": Level.FATAL,
    "A": Level.FATAL,
}
_SSSD_TAIL: Final = r" \[(?P<logger>\w{1,100})\] \((?P<level>0x[0-9a-fA-F]{4})\): "
_ASTERISK_TAIL: Final = (
    r"(?P<level>TRACE|DEBUG|VERBOSE|DTMF|FAX|NOTICE|SECURITY|WARNING|ERROR)\[(?P<thread>\d{1,10})\](?:\["
    r"(?P<call>C-[0-9a-f]{1,16})\])?:? "
    r"(?P<logger>[\w./-]{1,100}\.\w{1,4}(?::\d{1,6} \w{1,100})?): ?"
)
_DOVECOT: Final = (
    "anvil|auth(?:-worker)?|config|dict|doveadm|imap(?:-login)?|indexer(?:-worker)?|lda|lmtp|log|managesieve(?:-login)?|master|"
    "pop3(?:-login)?|replicator|ssl-params|stats|submission(?:-login)?"
)

HOST_FORMATS: Final[tuple[PlainFormat, ...]] = (
    sampled_format("cups", r"(?P<level>[XACEWNIDd]) " + ACCESS_TIME + " ", access_time, levels=_CUPS),
    sampled_format(
        "sssd",
        rf"\([A-Z][a-z]{{2}} {MONTH} +(?P<day>\d\d?) (?P<time>\d\d:\d\d:\d\d)(?::\d{{6}})? (?P<year>\d{{4}})\) "
        r"\[(?P<module>[^\s]{1,200})\]" + _SSSD_TAIL,
        month_time,
        levels=_SSSD,
    ),
    sampled_format(
        "sssd_iso",
        r"\((?P<time>\d{4}-\d\d-\d\d [ \d]\d:\d\d:\d\d)(?::\d{6})?\): \[(?P<module>[^\s]{1,200})\]" + _SSSD_TAIL,
        bare_iso_time,
        levels=_SSSD,
    ),
    sampled_format(
        "sudo",
        _SYSLOG_TIME + r" : (?P<user>[\w.\\@-]{1,100}) : (?P<message>(?:[^=]{1,200} ; )?(?:HOST|TTY|PWD|TSID|USER)=.*)",
        syslog_time,
    ),
    sampled_format(
        "dovecot",
        _SYSLOG_TIME + rf" (?P<program>{_DOVECOT})(?:\((?P<user>[^)]{{0,200}})\))?(?:<[^>]{{0,100}}>){{0,2}}: "
        r"(?:(?P<level>Debug|Info|Warning|Error|Fatal|Panic): )?",
        syslog_time,
    ),
    sampled_format(
        "samba",
        r"\[(?P<year>\d{4})/(?P<month>\d\d)/(?P<day>\d\d) (?P<time>\d\d:\d\d:\d\d(?:\.\d{1,6})?), +(?P<level>\d{1,2})"
        r"(?:, pid=(?P<pid>\d{1,10})[^\]]{0,200})?\] +(?P<logger>\S{1,200}:\d{1,6}\(\w{1,100}\))",
        numbered_time,
        levels=_SAMBA | {str(number): Level.DEBUG for number in range(6, 21)},
    ),
    sampled_format(
        "bind",
        rf"(?P<day>\d\d)-{MONTH}-(?P<year>\d{{4}}) (?P<time>\d\d:\d\d:\d\d\.\d{{3}}) (?P<logger>[a-z][\w-]{{1,40}}): "
        r"(?P<level>critical|error|warning|notice|info|debug)(?: \d{1,3})?: ",
        month_time,
    ),
    sampled_format(
        "apt_history",
        r"Start-Date: (?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)  (?P<time>\d\d:\d\d:\d\d)",
        numbered_time,
        keeps_line=True,
    ),
    sampled_format("asterisk", rf"\[{_SYSLOG_TIME}\] " + _ASTERISK_TAIL, syslog_time, levels=_ASTERISK),
    sampled_format(
        "asterisk_iso",
        r"\[(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?)\] " + _ASTERISK_TAIL,
        bare_iso_time,
        levels=_ASTERISK,
    ),
    sampled_format(
        "tagged",
        r"\[(?P<tag>[\w-]{1,40})\] (?P<year>\d{4})/(?P<month>\d\d)/(?P<day>\d\d) (?P<time>\d\d:\d\d:\d\d(?:\.\d{1,9})?) "
        r"\[?(?P<level>[A-Z]{3,8})(?:\]|:) ",
        numbered_time,
        levels={"FTL": Level.FATAL, "TRC": Level.TRACE},
    ),
    sampled_format(
        "vmkernel",
        rf"(?P<time>{_ISO}) cpu(?P<cpu>\d{{1,4}}):(?P<world>\d{{1,12}})(?: opID=(?P<operation>\w{{1,40}}))?\)(?:"
        rf"(?P<level>WARNING|ALERT): )?",
        bare_iso_time,
    ),
    sampled_format(
        "esx_syslog",
        rf"(?P<time>{_ISO}) (?P<level>Db|In|No|Wa|Er|Cr|Al|Em)\(\d{{1,3}}\)(?:\[\+\])? (?P<program>[\w.-]{{1,100}})"
        r"(?:\[(?P<pid>\d{1,12})\])?: ",
        bare_iso_time,
        levels=_ESX,
    ),
    sampled_format(
        "vmware",
        rf"(?P<time>{_ISO}) (?P<level>trivia|verbose|debug|info|warning|error|critical|panic) (?P<program>[\w.-]{{1,100}})"
        r"\[(?P<pid>[0-9A-Fa-f]{1,16})\] \[Originator@\d{1,10} sub=(?P<logger>[^\s\]]{1,200})(?: opID="
        r"(?P<operation>[^\s\]]{1,200}))?"
        r"[^\]]{0,200}\] ",
        bare_iso_time,
        levels=_VMWARE,
    ),
    sampled_format(
        "logcat",
        r"(?P<month>\d\d)-(?P<day>\d\d) (?P<time>\d\d:\d\d:\d\d\.\d{3}) +(?P<pid>\d{1,7}) +(?P<thread>\d{1,7}) "
        r"(?P<level>[VDIWEFA]) "
        r"(?P<logger>[^:]{1,100}?) *: ",
        yearless_time,
        levels=_LOGCAT,
    ),
)
