"""Wordings about series. ``{noun}`` is what was measured, ``{v}`` and ``{w}`` values with units, ``{t}`` a minute (UTC)."""

from __future__ import annotations

from bench.grounding.words_counts import Wordings

NOUNS = {
    "cpu_usage_millicores": ("CPU usage", " millicores"),
    "cpu_usage_rate_percent": ("CPU usage rate", " %"),
    "memory_usage_mebibytes": ("memory usage", " MiB"),
    "network_receive_bytes": ("network receive", " bytes"),
    "network_transmit_bytes": ("network transmit", " bytes"),
    "pod_workload_ops": ("pod workload", " ops"),
    "syscall_read": ("syscall_read", ""),
    "syscall_write": ("syscall_write", ""),
}
PEAK: Wordings = {
    "development": (
        "The {noun} of {svc} peaked at {v}.",
        "{svc} reached a maximum {noun} of {v}.",
        "At most, the {noun} of {svc} was {v}.",
        "The highest {noun} of {svc} is {v}.",
    ),
    "reporting": (
        "{svc} topped out at {v} {noun}.",
        "{noun} on {svc} maxed at {v}",
        "max {noun} for {svc}: {v}",
        "{svc}: {noun} spiked to {v} at its worst.",
        "The peak {noun} we see for {svc} is {v}.",
        "{noun} of {svc} went as high as {v}.",
        "{v} is the largest {noun} value of {svc}.",
        "highest point of {svc}'s {noun} is {v}",
        "The {noun} graph of {svc} has its top at {v}.",
        "{svc} hit a {noun} peak of {v}.",
        "Maximum {noun} seen in {svc} was {v}.",
        "{noun} for {svc} climbed up to a maximum of {v}.",
    ),
}
PEAK_AT: Wordings = {
    "development": (
        "The {noun} of {svc} was highest at {t}, with {v}.",
        "{svc} peaked at {t} ({noun} {v}).",
        "At {t} the {noun} of {svc} had its maximum.",
    ),
    "reporting": (
        "{svc}'s {noun} peaked at {t} UTC.",
        "peak {noun} on {svc} came at {t}, {v}",
        "{noun} of {svc} hit its maximum at {t}.",
        "Around the peak, {t} UTC, {svc} had {v} of {noun}.",
        "it was {t} when {noun} on {svc} was at its highest",
        "{svc} had the most {noun} at {t}: {v}.",
        "The maximum {noun} of {svc}, {v}, falls on {t} UTC.",
        "{t} UTC marks the high of {svc}'s {noun}.",
        "Worst minute for {svc} {noun} was {t}.",
        "{noun} in {svc} is at max {v} at {t}",
        "For {svc} the {noun} maximum sits at {t} UTC.",
        "The spike to {v} in {svc}'s {noun} was at {t} UTC.",
    ),
}
NOW: Wordings = {
    "development": ("The last {noun} of {svc} is {v}.", "At the end of the window the {noun} of {svc} is {v}."),
    "reporting": (
        "{svc} {noun} is currently {v}.",
        "right now {noun} of {svc} is {v}",
        "{noun} on {svc} ends at {v}.",
        "The latest {noun} sample of {svc} reads {v}.",
        "As of the end, {svc} has {v} of {noun}.",
        "most recent {noun} for {svc}: {v}",
        "{svc} finishes the window with {noun} at {v}.",
        "{noun} of {svc} now: {v}",
        "At the close {svc} stands at {v} {noun}.",
        "The newest data point for {svc}'s {noun} is {v}.",
        "We are at {v} {noun} for {svc} now.",
        "{svc} {noun} is sitting at {v} at the moment.",
    ),
}
LOW: Wordings = {
    "development": ("The lowest {noun} of {svc} is {v}.", "{svc} had a minimum {noun} of {v}."),
    "reporting": (
        "min {noun} for {svc} is {v}",
        "{noun} of {svc} bottomed out at {v}.",
        "{svc} never had less {noun} than {v}.",
        "The floor of {svc}'s {noun} is {v}.",
        "{noun} on {svc} went as low as {v}.",
    ),
}
RANGE: Wordings = {
    "development": ("The {noun} of {svc} was between {v} and {w}.",),
    "reporting": (
        "{noun} of {svc} moved between {v} and {w}.",
        "{svc} {noun} ranged from {v} to {w}",
        "All {noun} samples of {svc} lie within {v} and {w}.",
    ),
}
AVERAGE: Wordings = {
    "development": ("On average the {noun} of {svc} was {v}.", "The mean {noun} of {svc} is {v}."),
    "reporting": (
        "{svc} averaged {v} {noun}.",
        "average {noun} on {svc} was {v}",
        "mean {noun} for {svc} comes to {v}",
        "Over the window the {noun} of {svc} averages {v}.",
        "{noun} of {svc}: {v} on average.",
        "The arithmetic mean of {svc}'s {noun} is {v}.",
        "Averaged over the window {svc} had {v} {noun}.",
        "{svc}'s average {noun} stood at {v}.",
        "on average {svc} was at {v} {noun}",
        "The {noun} of {svc} had a mean of {v} over the window.",
        "avg {noun}, {svc}: {v}",
        "{v} is the average {noun} of {svc}.",
    ),
}
ABOVE_ALL: Wordings = {
    "development": ("The {noun} of {svc} was above {v} all the time.", "Every sample of {svc}'s {noun} is over {v}."),
    "reporting": (
        "{noun} on {svc} stayed above {v} throughout.",
        "{svc} {noun} was always over {v}",
        "Each {noun} sample of {svc} exceeds {v}.",
        "The {noun} of {svc} never dropped below {v}.",
        "all {noun} points of {svc} are above {v}",
        "{svc} was above {v} {noun} the entire time.",
    ),
}
BELOW_ALL: Wordings = {
    "development": ("The {noun} of {svc} was below {v} all the time.", "No sample of {svc}'s {noun} is over {v}."),
    "reporting": (
        "{noun} on {svc} stayed under {v} throughout.",
        "{svc} {noun} never exceeded {v}",
        "Every {noun} sample of {svc} is less than {v}.",
        "At no time was the {noun} of {svc} above {v}.",
        "all {noun} points of {svc} are below {v}",
        "{svc} didn't get past {v} {noun} at any point.",
    ),
}
ABOVE_ANY: Wordings = {
    "development": ("The {noun} of {svc} went above {v}.", "At least once the {noun} of {svc} was over {v}."),
    "reporting": (
        "{noun} on {svc} exceeded {v} at some point.",
        "{svc} crossed {v} {noun}",
        "there was {noun} above {v} on {svc}",
        "The {noun} of {svc} was over {v} at least once.",
        "{svc} broke through {v} of {noun}.",
        "{noun} of {svc} got higher than {v}.",
        "some {noun} samples of {svc} are over {v}",
        "{svc} went past {v} {noun} once or more.",
        "There is a {noun} sample above {v} for {svc}.",
        "{svc} was beyond {v} {noun} for a while.",
        "We had {svc} above {v} {noun}.",
        "The {v} mark was exceeded by {svc}'s {noun}.",
    ),
}
ROSE: Wordings = {
    "development": (
        "The {noun} of {svc} rose from {v} to {w} over the window.",
        "{svc}'s {noun} is higher at the end than at the start.",
    ),
    "reporting": (
        "{svc} {noun} went up from {v} to {w}.",
        "{noun} of {svc} increased over the window",
        "The {noun} of {svc} ended higher than it began.",
        "{noun} on {svc} grew, from {v} at the start to {w} at the end.",
        "{svc} has climbed from {v} to {w} in {noun}.",
        "start {v}, end {w}: {noun} of {svc} is up",
    ),
}
FELL: Wordings = {
    "development": (
        "The {noun} of {svc} fell from {v} to {w} over the window.",
        "{svc}'s {noun} is lower at the end than at the start.",
    ),
    "reporting": (
        "{svc} {noun} went down from {v} to {w}.",
        "{noun} of {svc} decreased over the window",
        "The {noun} of {svc} ended lower than it began.",
        "{noun} on {svc} shrank, from {v} at the start to {w} at the end.",
        "{svc} has dropped from {v} to {w} in {noun}.",
        "start {v}, end {w}: {noun} of {svc} is down",
    ),
}
HIGHER: Wordings = {
    "development": ("The {noun} of {svc} peaked higher than that of {other}.", "{svc} reached more {noun} than {other}."),
    "reporting": (
        "{svc} peaked at a higher {noun} than {other}.",
        "max {noun} on {svc} is above the max on {other}",
        "{svc}'s highest {noun} is greater than {other}'s.",
        "Peak {noun}: {svc} more than {other}.",
        "{svc} topped {other} in peak {noun}.",
        "The {noun} maximum of {svc} exceeds the one of {other}.",
    ),
}
LOWER: Wordings = {
    "development": ("The {noun} of {svc} peaked lower than that of {other}.", "{svc} reached less {noun} than {other}."),
    "reporting": (
        "{svc} peaked at a lower {noun} than {other}.",
        "max {noun} on {svc} is below the max on {other}",
        "{svc}'s highest {noun} is smaller than {other}'s.",
        "Peak {noun}: {svc} less than {other}.",
        "{svc} stayed behind {other} in peak {noun}.",
        "The {noun} maximum of {svc} is less than the one of {other}.",
    ),
}
