"""Which labels of an entry name its service, its instance and its level.

Sources:
    Loki's ``discover_service_name`` and ``detected_level``, OpenTelemetry resource attributes as Loki and VictoriaLogs store
    them, Kubernetes labels as Promtail, Alloy, Vector and Fluent Bit ship them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from groundwire.adapters.logs.structured_levels import LEVEL_KEYS, read_level
from groundwire.domain.levels import Level, parse_level

DETECTED_LEVEL: Final = "detected_level"
"""Loki's guess, where nothing else names a level."""

SERVICE_LABELS: Final = (
    "service service_name servicename application app app_name application_name dd_service app_kubernetes_io_name k8s_app "
    "kubernetes_labels_app kubernetes_labels_app_kubernetes_io_name kubernetes_labels_k8s_app labels_app k8s_deployment_name "
    "compose_service container container_name k8s_container_name kubernetes_container_name"
).split()
WEAK_LABELS: Final = "job syslog_identifier unit systemd_unit".split()
"""How the shipper calls what it reads: it counts where neither a label nor the text itself names a service."""

INSTANCE_LABELS: Final = (
    "pod pod_name k8s_pod_name kubernetes_pod_name instance service_instance_id host_name hostname host nodename"
).split()
_UNKNOWN: Final = "unknown_service"
_ODD: Final = re.compile(r"[^a-z0-9]+")


class Names(NamedTuple):
    """What labels name. ``weak`` is a shipper's name for what it reads, ``service`` a service's own."""

    service: str | None
    weak: str | None
    instance: str | None


def names_in(labels: Mapping[str, str]) -> Names:
    """Return the service and the instance that labels name; ``k8s.pod.name`` and ``k8s_pod_name`` are the same to it."""
    spelled = {_plain(name): value for name, value in labels.items() if value.strip()}
    weak = _first(spelled, WEAK_LABELS)
    service = next(
        (
            spelled[name]
            for name in SERVICE_LABELS
            # Loki makes a service_name of the job, or of nothing.
            if name in spelled and spelled[name] != _UNKNOWN and not (name == "service_name" and spelled[name] == weak)
        ),
        None,
    )
    return Names(service, weak, _first(spelled, INSTANCE_LABELS))


def service_labels(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the labels that name a service, the one that counts most first."""
    return _in_order(names, SERVICE_LABELS)


def weak_labels(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the labels that say how the shipper calls what it reads."""
    return _in_order(names, WEAK_LABELS)


def instance_labels(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the labels that name an instance, the one that counts most first."""
    return _in_order(names, INSTANCE_LABELS)


LEVEL_LABELS: Final = (*(name for name in LEVEL_KEYS if name.isidentifier()), DETECTED_LEVEL)
"""Every label that may name a level, as far as a label may be called so."""


def are_told_apart(names: Iterable[str]) -> bool:
    """Return whether each name of a service or instance is the same whichever other labels an entry has: no two of the labels
    are one to us, and there is no ``service_name`` that may have been made of the job.
    """
    known = list(names)
    plain = [_plain(name) for name in (*service_labels(known), *instance_labels(known))]
    return len(set(plain)) == len(plain) and not ("service_name" in plain and weak_labels(known))


def level_labels(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the labels that may name a level, the one that counts most first."""
    known = set(names)
    return tuple(name for name in (*LEVEL_KEYS, DETECTED_LEVEL) if name in known)


def take_level(labels: dict[str, str]) -> Level | None:
    """Return the level that labels name, and take its label out of them: an application's own before one that was guessed."""
    level = read_level(labels)
    detected = parse_level(labels.pop(DETECTED_LEVEL, ""))
    return detected if level is None else level


def _in_order(names: Iterable[str], known: list[str]) -> tuple[str, ...]:
    found = [name for name in names if _plain(name) in known]
    return tuple(sorted(found, key=lambda name: (known.index(_plain(name)), name)))


def _first(spelled: Mapping[str, str], names: Iterable[str]) -> str | None:
    return next((spelled[name] for name in names if name in spelled), None)


def _plain(name: str) -> str:
    return _ODD.sub("_", name.lower()).strip("_")
