"""What models ask and say of the shop: true claims, and the calls that find what they cite."""

from __future__ import annotations

from typing import Final

from tests.unit.model_turns import ask, stated

ASK_ALERTS: Final = ask("query_metrics", "a", service="order-service")
ASK_LOGS: Final = ask("query_logs", "b", service="order-service", level="error", limit=100)
ASK_RUNBOOK: Final = ask("lookup_knowledge", "k", query="OrderServiceHighErrorRate", alert_name="OrderServiceHighErrorRate")

FIRING: Final = stated("OrderServiceHighErrorRate is firing for order-service.", "i1.alerts.0", kind="symptom", name="firing")
COUNTED: Final = stated("order-service logged 56 ERROR records.", "i2.summary", kind="symptom", name="counted")
EXHAUSTED: Final = stated(
    "order-service's log says “Caused by: java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, "
    "request timed out after 30000ms”.",
    "i2.logs.54",
    kind="cause",
    name="exhausted",
)
