"""Words of the trade that say the same: a line that says "declined" bears out "refused"."""

from __future__ import annotations

from typing import Final

from groundwire.grounding.claim_text import stem

# One group a line. A word stands in one group only where its common meanings agree; opposites never share a group.
_GROUPS: Final = """
fail failed failure failing unsuccessful unsuccessfully
crash crashed die died
decline declined refuse refused reject rejected rejection refusal deny denied turned
find found locate located discover discovered
send sent transmit transmitted transmission deliver delivered delivery dispatch dispatched forward forwarded
publish published publication publishing
take took taken ran run running serve served require required need needed spend spent duration elapsed long latency used
cost amount price priced worth sum total come came fee value bill billed charge charged
create created make made place placed placing placement
get got gotten obtain obtained acquire acquired receive received
request requested call called query invocation
answer answered reply replied respond responded response return returned
timeout timed timing
exhaust exhausted exhaustion full deplete depleted drained dry used
wait waited waiting queue queued pending
slow slowly slowness sluggish latency lag
start started begin began launch launched boot booted
stop stopped halt halted end ended terminate terminated
finish finished complete completed completion done conclude concluded took duration
retry retried retrying attempt attempted try tried tries attempts
remove removed delete deleted deletion drop dropped
save saved store stored persist persisted write written
load loaded read fetch fetched retrieve retrieved get
open opened establish established
close closed closure closing shut
lose lost loss missing
connect connected connection connecting link
issue issued issuance issuing hand
sell sold sale selling purchase purchased buy bought
abandon abandoned abort aborted gave given give up cancelled
pay paid payment
authorise authorised authorising authorize authorized authorizing authorisation authorization approve approved approval
capture captured capturing collect collected
confirm confirmed confirmation acknowledge acknowledged
reserve reserved reservation reserving book booked booking
renew renewed renewal renewing refresh refreshed extend
expire expired expiry expiration lapse lapsed outdated
invalid malformed bad wrong broken
unavailable unreachable inaccessible
allow allowed permit permitted grant granted
forbid forbidden prohibit prohibited
user users customer customers client clients visitor passenger
error errors exception exceptions fault faults
machine host node server
thread worker
memory heap ram
disk storage volume
quick quickly fast
overload overloaded overwhelmed swamped saturated
restart restarted restarting reboot rebooted
kill killed
release released deploy deployed deployment rollout rolled ship shipped
order orders
"""


def _by_stem() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _GROUPS.split("\n"):
        group = frozenset(stem(word) for word in line.split())
        for member in group:
            found[member] = found.get(member, frozenset()) | group
    return found


_SYNONYMS: Final = _by_stem()


def synonyms(stemmed: str) -> frozenset[str]:
    """Return the stems that say the same as this one, itself among them."""
    return _SYNONYMS.get(stemmed, frozenset((stemmed,)))


def is_known(stemmed: str) -> bool:
    """Return whether a stem is one of the words of the trade."""
    return stemmed in _SYNONYMS
