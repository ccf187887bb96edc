"""What can be set about the sources of evidence, and about where sessions are kept."""

from __future__ import annotations

import platformdirs
from pydantic import BaseModel, Field

from groundwire.settings.formats import LogFormats
from groundwire.settings.tables import AlertPlaces, KnowledgePlaces, LogPlaces, MetricPlaces
from groundwire.settings.values import SomeText, ZoneName


def _default_db() -> str:
    return str(platformdirs.user_data_path("groundwire", appauthor=False) / "groundwire.db")


class SourceSettings(BaseModel):
    """The database, the places to look at, and how they are read and asked."""

    db: SomeText = Field(
        default_factory=_default_db, repr=False, description="Where sessions are kept: a file, or a database URL."
    )
    logs: LogPlaces = Field(default=(), repr=False, description="Folders or files of logs, log servers, journald, or demo.")
    alerts: AlertPlaces = Field(default=(), repr=False, description="Saved alert answers (files), alert URLs, or demo.")
    metrics: MetricPlaces = Field(default=(), repr=False, description="Prometheus URLs.")
    runbooks: KnowledgePlaces = Field(default=(), description="Folders of Markdown runbooks, or demo.")
    timezone: ZoneName = Field(default="UTC", description="Zone of log times that name none.")
    year: int | None = Field(default=None, ge=1970, le=2200, description="Year of log times that name none.")
    log_formats: LogFormats = Field(default=(), description="Formats of log lines beside those that are known.")
    call_timeout_s: float = Field(default=30.0, ge=1, le=600, description="How long one tool call may take.")
    busy_timeout_s: float = Field(default=10.0, ge=0.1, le=600, description="How long to wait for a locked database.")
    investigator: SomeText = Field(default="playbook", description="The built-in playbook, or an installed investigator by name.")
