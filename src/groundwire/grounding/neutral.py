"""Words that assert nothing which evidence could bear out or refute: they join, point, report, and name what all records have.

They are left out when the words of a claim are held against what it cites. A word belongs here only if putting it into a true
sentence cannot make the sentence false.
"""

from __future__ import annotations

from typing import Final

from groundwire.grounding.claim_text import stem

_JOINING: Final = """
a an the this that these those it its he she they them their theirs we us our ours you your i me my there here who whom whose
which what where how when whether and or but yet so if of for from to in on at by with as into onto upon via per than about
among amongst between over under within inside outside along across against toward towards through throughout out around near
next beside behind beyond during while until till since also too both either own same other another such some any much many
several few is are was were be been being am has have had having do does did doing done can could may might will would shall
should must let get gets got getting go goes went gone going come comes came coming become becomes became make makes made keep
kept put take takes took taken give gives given set very quite rather just even still already ever else well then thus namely
e g vs versus re
"""

_REPORTING: Final = """
disclose disclosed convey conveyed communicate communicated relay relayed flag flagged highlight highlighted underline
underlined outline outlined summarise summarised summarize summarized detailed specify specifies specified spell spells
chronicle chronicled dump dumped spew spewed spit spat cough coughed churn churned pen penned jot jotted author authored lift
lifted gather gathered peruse perusing believe believed trust trusted filed enter entered submit submitted surface surfaced
emerge emerges emerged voice voiced utter uttered commit committed testimony wording verbatim expressly explicitly literally
log logs logged logging logger record recorded recording records line lines entry entries event events message messages text
texts output say says said saying tell tells told state states stated stating statement assert asserts asserted claim claims
claimed mention mentions mentioned note notes noted remark remarks remarked report reports reported reporting reportedly
allegedly complain complains complained complaint announce announces announced announcement declare declares declared describe
describes described description document documents documented documentation indicate indicates indicated indicating indication
show shows showed shown showing display displays displayed reveal reveals revealed read reads reading write writes wrote
written print prints printed emit emits emitted produce produces produced outputs express expresses expressed confirm confirms
confirmed confirmation attest attests attested testify evidence evidenced evidently quote quotes quoted quoting cite cites
cited citing speak speaks spoke word words wording worded sentence phrase passage excerpt snippet extract account accounts
view perspective standpoint opinion point source sources according accordingly admit admits pointed register registered
capture captured contain contains contained containing include includes included including hold holds held carry carries
carried feature features featured list lists listed listing name names named naming call calls called label labels labelled
labeled tag tagged mark marked title titled heading section page chapter guide guidance runbook playbook manual instruction
"""

_FINDING: Final = """
unearth unearthed surfaced sort sorted group grouped select selected made work works express expressed point points unveiled
witness witnessed ascertain ascertained audit audited trail rack racked trawl trawled dredge dredged tot totted land landed
lot headcount net netted chalk chalked weed weeded duplicate duplicates blast radius scour scoured comb combed grep grepped
sift sifted
find finds found finding see sees saw seen seeing look looks looked looking observe observes observed observation notice
noticed spot spotted detect detected identify identified discover discovered know knows known knowing learn learned check
checks checked checking verify verified examine examined inspect inspected review reviewed investigate investigated
investigation analyse analysed analysis analyze analyzed search searched query queried ask asked return returns returned yield
yielded give turn turned match matches matched matching hit trace traced measure measured measurement evaluate evaluated
evaluation compute computed determine determined establish established conclude concluded count counted counting tally total
sum
"""

_BEING: Final = """
worth perform performed performing carry conducted conduct handle handled handling complete completed completes completion finish
finished accompany accompanied
hail hails ascribe ascribed credit credited pin pinned pinpoint pinpointed reside resides live lives dwell house housed bear
bears bearing own owns owned owner possess possesses designate designated grade graded badge peg pegged denote denotes denoted
prove proves proved proven apply applies applied behalf bring brought leave leaves left
exist exists existed existing existence stand stands stood standing sit sits sat sitting lie lies lay exhibit exhibits
exhibited present presents presented appear appears appeared occur occurs occurred occurrence happen happens happened arise
arises arose place remain remains belong belongs belonged originate originates originated origin stem stems stemmed come
attribute attributed attributable attach attached regard regards regarding pertain pertains concern concerns concerned
concerning subject refer refers referred reference affected amount amounts amounted equal equals equalled correspond
corresponds corresponding represent represents represented constitute comprise comprises comprised consist consists consisted
classify classified classification categorise categorised category categories class rate rated rank ranked assign assigned
treat treated consider considered deem mark fall falls type kind sort form part piece item items thing things stuff
"""

_FIELDS: Final = """
service services application applications app apps component components process system systems server host instance instances
pod pods container node level severity sev priority status state value values reading figure figures number numbers quantity
amount unit units name alert alerts alerting alarm alarms warning metric metrics series sample samples datapoint datapoints
measurement graph chart timestamp timestamps timestamped stamp stamped date dated dates datetime time times timed clock utc
gmt zulu hour hours hrs minute minutes min mins second seconds sec secs day days moment instant period window interval span
range timeframe timeline duration session question answer id identifier identity key field fields attribute property parameter
data dataset information detail details file files folder saved sign active current currently now present presently cover
covers covered pass passed involved far incident outage situation case issue
"""

_DISCOURSE: Final = """
handover handoff recap
auditor auditors front stake contribution door kindly conspicuously wholly apart very key answerable till dedupe deduped tail
kindly notably importantly interestingly likewise similarly thereby duly consistent consistently accord key finding findings
bullet timeline excerpt snapshot respect purpose purposes context overview conclusion rule rules
basis provide provides provided raised raise raises hereafter attached lists
fyi note btw nb ok okay yes please indeed actually really truly clearly obviously certainly definitely apparently simply
plainly basically literally specifically particularly especially overall altogether summary brief short sum fact facts matter
question hand view addition additionally furthermore moreover further besides however though although nevertheless meanwhile
otherwise instead therein thereof hereby respectively aforementioned mentioned such relevant respective corresponding certain
particular given exactly precisely sharp dead roughly approximately around about circa nearly almost one ones oneself itself
themselves himself someone something anything everything somebody anyone way manner fashion course sake terms we're it's
that's there's here's let's
"""

_RELATING: Final = (
    "trigger triggers triggered fire fires fired relate relates related relation link links linked tie tied connect "
    "connected associate associated association responsible"
)

NEUTRAL: Final = frozenset(
    stem(word) for words in (_JOINING, _REPORTING, _FINDING, _BEING, _FIELDS, _DISCOURSE) for word in words.split()
)
"""Stems of the words that are passed over."""

PLAIN: Final = frozenset(stem(word) for words in (_JOINING, _FIELDS, _DISCOURSE) for word in words.split()) - {stem("issue")}
"""Those of them that can never be what a line is about."""

FINDING: Final = frozenset(stem(word) for word in _FINDING.split())
"""Those of them that may be what a line is about: "order not found"."""

RELATING: Final = frozenset(stem(word) for word in _RELATING.split())
"""Words that say of an alert whose it is; of anything else they state a link between two things."""
