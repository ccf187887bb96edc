"""What services say about each other, what runbooks say, and how either is told."""

from __future__ import annotations

from bench.grounding.words_counts import Wordings

# (pattern, what was reported, what that would be as a fact)
RUMOURS: dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    "development": (
        (r"ticket-shop is overloaded, payment (?P<key>\d+) waits", "ticket-shop is overloaded", ("ticket-shop is overloaded",)),
        (r"manifest has crashed, departure", "manifest has crashed", ("manifest has crashed", "manifest crashed")),
        (
            r"order-service did not confirm the payment in time",
            "order-service did not confirm the payment in time",
            ("order-service is down", "order-service stopped working"),
        ),
    ),
    "reporting": (
        (r"bank-adapter is down, invoice", "bank-adapter is down", ("bank-adapter is down", "bank-adapter was down")),
        (
            r"patient-records is unreachable, reminder",
            "patient-records is unreachable",
            ("patient-records is unreachable", "patient-records was not reachable"),
        ),
        (
            r"appointment-api ran out of memory, dropping",
            "appointment-api ran out of memory",
            ("appointment-api ran out of memory", "appointment-api is out of memory"),
        ),
        (
            r"No instances available for (?P<other>[\w-]+)",
            "no instances are available for {other}",
            ("{other} is down", "{other} has crashed", "all pods of {other} were gone"),
        ),
        (r"Cannot open channel to (?P<key>\d+) at election", "", ("server {key} is down", "node {key} has crashed")),
    ),
}
REPORTED: Wordings = {
    "development": (
        "{svc} reported that {s}.",
        "According to {svc}, {s}.",
        "{svc} says {s}.",
        "At {t} {svc} reported that {s}.",
    ),
    "reporting": (
        "{svc} claims {s}.",
        "If you believe {svc}, {s}.",
        "{svc} logged that {s} ({t}).",
        "{svc} is telling us {s}",
        "as reported by {svc}: {s}",
        "{svc} complained at {t} that {s}.",
        "{svc} had the impression that {s}.",
        "In the words of {svc}, {s}.",
        "{svc} noted that {s}.",
        "The view from {svc} at {t} is that {s}.",
        "{svc} is reporting {s}.",
        "{svc} wrote that {s}.",
    ),
}
AS_FACT: Wordings = {
    "development": ("{s}.", "At {t} {s}.", "It is a fact that {s}.", "{s} since {t}.", "We know that {s}."),
    "reporting": (
        "{s}",
        "{s} as of {t}.",
        "So {s}.",
        "the problem: {s}",
        "Clearly {s}.",
        "{s} from {t} on.",
        "Finding: {s}.",
        "What we have at {t}: {s}.",
        "No doubt {s}.",
        "Established: {s}.",
        "From this we know {s}.",
        "The state at {t} is that {s}.",
        "yep, {s}",
        "Outage confirmed, {s}.",
    ),
}
# (runbook, words of it, the same told as if it had happened)
RUNBOOK_EVENTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "development": (
        (
            "PaymentProviderTimeouts.md",
            "some are charged without getting an order",
            "some customers were charged without getting an order",
        ),
        ("OrderServiceHighErrorRate.md", "Orders are lost or placed twice", "orders were lost or placed twice"),
        ("ConnectionPoolExhaustion.md", "Health checks that use a connection fail too", "the health checks failed too"),
        ("DiskSpaceFillingUp.md", "Databases stop accepting writes", "the databases stopped accepting writes"),
        ("SeatPlanTimeouts.md", "A snapshot blocks Redis for seconds", "a snapshot blocked Redis for seconds"),
        ("SeatPlanTimeouts.md", "Passengers queue at the counter", "passengers queued at the counter"),
        ("HarbourCertificates.md", "the ship leaves late", "the ship left late"),
        ("HarbourCertificates.md", "The proxy keeps an old chain of certificates", "the proxy kept an old chain of certificates"),
        (
            "CPUThrottlingHigh.md",
            "Processes experience elevated CPU throttling",
            "the processes experienced elevated CPU throttling",
        ),
    ),
    "reporting": (
        ("RedisPoolExhausted.md", "Redis was restarted by the operator", "Redis was restarted by the operator"),
        (
            "RedisPoolExhausted.md",
            "Every connection of a service's Redis pool is taken",
            "every connection of the Redis pool was taken",
        ),
        ("MailRelayRefuses.md", "The mail relay is over its connection limit", "the mail relay was over its connection limit"),
        ("MailRelayRefuses.md", "The queue of the relay fills the disk", "the queue of the relay filled the disk"),
        ("TablespaceQuota.md", "A tablespace has used up its disk quota", "a tablespace used up its disk quota"),
        ("KubePodCrashLooping.md", "Pod is in CrashLoop", "the pod is in CrashLoop"),
        ("KubePodCrashLooping.md", "Service degradation or unavailability", "there was service degradation or unavailability"),
        (
            "KubePersistentVolumeErrors.md",
            "PersistentVolume is having issues with provisioning",
            "the PersistentVolume had issues with provisioning",
        ),
        ("NodeFilesystemSpaceFillingUp.md", "A filesystem running full", "a filesystem was running full"),
        ("KubeNodeUnreachable.md", "Kubernetes node is unreachable", "the Kubernetes node is unreachable"),
        (
            "KubeNodeReadinessFlapping.md",
            "has changed few times in the last 15 minutes",
            "the readiness status of the node changed a few times in the last 15 minutes",
        ),
        ("etcdNoLeader.md", "etcd cluster does not have a leader", "the etcd cluster did not have a leader"),
        (
            "AlertmanagerClusterFailedToSendAlerts.md",
            "All instances failed to send notification",
            "all instances failed to send the notification",
        ),
        ("PrometheusNotConnectedToAlertmanagers.md", "Sending alerts is not possible", "sending alerts was not possible"),
        ("PrometheusRemoteWriteBehind.md", "Prometheus remote write is behind", "Prometheus remote write is behind"),
        ("NodeClockSkewDetected.md", "Time is skewed on the node", "time was skewed on the node"),
        ("KubeQuotaExceeded.md", "Cluster reaches to the allowed hard limits", "the cluster reached the allowed hard limits"),
        ("CPUThrottlingHigh.md", "Processes experience elevated CPU throttling", "processes experienced elevated CPU throttling"),
    ),
}
FROM_RUNBOOK: Wordings = {
    "development": ("The runbook {name} says “{s}”.", "“{s}” stands in the runbook {name}."),
    "reporting": (
        'Per runbook {name}: "{s}".',
        '{name} (runbook) has "{s}".',
        'the runbook says "{s}", see {name}',
        'In the runbook {name} it reads "{s}".',
        'Our {name} runbook describes this as "{s}".',
        '{name} is the runbook that says "{s}".',
        'quoting runbook {name}: "{s}"',
        'The {name} runbook puts it like this: "{s}".',
        '"{s}" - runbook {name}',
        'You can read "{s}" in the runbook {name}.',
        'What runbook {name} tells us is "{s}".',
        'runbook {name}, verbatim: "{s}"',
    ),
}
AS_EVENT: Wordings = {
    "development": ("{s}.", "During the incident {s}.", "Today {s}.", "We saw that {s}."),
    "reporting": (
        "{s}",
        "tonight {s}",
        "In this incident {s}.",
        "Then {s}.",
        "Right after that {s}.",
        "Fact is, {s}.",
        "It happened that {s}.",
        "Observed: {s}.",
        "In the window {s}.",
        "Meanwhile {s}.",
        "On top of it {s}.",
        "What went on: {s}.",
    ),
}
