"""Services told from paths."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.adapters.logs.naming import date_in_name, identify


@pytest.mark.parametrize(
    ("path", "service", "instance"),
    [
        ("ts-travel-service-64469b5b48-25zj6.log", "ts-travel-service", "ts-travel-service-64469b5b48-25zj6"),
        ("ts-food-service-f5756978c-k8vqf.log", "ts-food-service", "ts-food-service-f5756978c-k8vqf"),
        ("fluentd-x7k2p.log", "fluentd", "fluentd-x7k2p"),
        ("kafka-0.log", "kafka", "kafka-0"),
        ("order-service.log", "order-service", None),
        ("order-service.log.1.gz", "order-service", None),
        ("order-service-2026-11-12.log", "order-service", None),
        ("order-service.20261112.log", "order-service", None),
        ("nova-api.log.1.2017-05-16_13:53:08", "nova-api", None),
        ("order-service/app.log", "order-service", None),
        ("order-service/current", "order-service", None),
        ("logs/order-service/stdout.log.2", "order-service", None),
        ("nginx/error.log", "nginx", None),
        ("pods/shop_order-7d9f8c6b54-x2v4q_0b1c2d3e-0000-4000-8000-0123456789ab/app/0.log", "order", "order-7d9f8c6b54-x2v4q"),
        ("containers/order-7d9f8c6b54-x2v4q_shop_app-" + "ab" * 32 + ".log", "order", "order-7d9f8c6b54-x2v4q"),
        ("payment-service-v2.log", "payment-service-v2", None),
        ("order-https.log", "order-https", None),
        ("logs/app.log", None, None),
        ("log/messages", None, None),
    ],
)
def test_service_and_instance_are_told_from_the_path(path: str, service: str | None, instance: str | None) -> None:
    identity = identify(tuple(path.split("/")))
    assert (identity.service, identity.instance) == (service, instance)


def test_a_file_goes_by_its_service_and_its_pod_in_whatever_case() -> None:
    identity = identify(("order-service-64469b5b48-25zj6.log",))
    assert identity.goes_by("Order-Service")
    assert identity.goes_by("order-service-64469b5b48-25zj6")
    assert not identity.goes_by("order")


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("app-2026-11-12.log", date(2026, 11, 12)),
        ("app.20261112.gz", date(2026, 11, 12)),
        ("app-2026-13-45.log", None),
        ("app-123456789012.log", None),
        ("app.log", None),
    ],
)
def test_the_day_is_told_from_the_name(name: str, day: date | None) -> None:
    assert date_in_name(name) == day
