"""Phrases of the series lexicon: values and movements. ``climb*`` stands for every form of the verb, ``a/b`` for either word.

Articles inside a phrase are left out. What is read as more than one thing stands where it is longest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from groundwire.grounding.series_bounds import BOUNDS, QUANTITIES, RELATIONS, REST

EXTREMES: Final[Mapping[str, str]] = {
    "high": """
        peak*; peaks; max; maxes; maximum; maxima; maximums; maximal; maximally; maxed; maxed/maxes/maxing/max/top*/cap* out;
        highest; ceiling; crest*; summit; apex; zenith; pinnacle; acme; climax; culminate*; culmination; height; heights; highs;
        largest; biggest; greatest; tallest; heaviest; strongest; busiest; top; topmost; uppermost;
        upper/top/higher end/extreme/limit/bound/edge; high point/points/mark/water/watermark; high water mark;
        highest/largest/greatest/biggest/top/maximum/peak point/level/reading/value/sample/figure/measurement/observation;
        all time/record high; at/in most; at its most; no higher; and no more; no further; not further; not any further;
        as high/much/many as; capped at; record value; high value; furthest; greatest extent; fullest; maximum extent;
        topped off; peak for peak; at its height; most ever; high water; crown; tip; hottest; at full height; hit* roof/ceiling;
        go* through roof; roof; summits
    """,
    "low": """
        min; mins; minimum; minima; minimums; minimal; minimally; lowest; bottom; bottom* out; bottomed; floor; trough*; troughs;
        nadir; lows; smallest; tiniest; weakest; fewest; quietest; least; lowermost; bottommost;
        lower/bottom end/extreme/limit/bound/edge; low point/points/mark/water/watermark; low water mark;
        lowest/smallest/minimum/bottom/least point/level/reading/value/sample/figure/measurement/observation;
        all time/record low; rock bottom; at its least; no lower/less; as low/little/few as; low value; shallowest; emptiest;
        trough point; lowest ebb; low ebb; rock-bottom; lowest extent; hit* bottom/floor
    """,
    "mean": """
        mean; means; average*; avg; avgs; on average; arithmetic mean/average; mean/average/avg value/level;
        evened/averaged/smoothed/levelled/leveled out; averagely; on the mean; in the mean; mean/average of; taken on average
    """,
    "median": "median; medians; middle value; median value/level",
    "worst": "worst; at worst; at its worst; worst point/level/reading/value/sample/moment",
    "best": "best; at best; at its best; best point/level/reading/value/sample/moment",
    "percentile": "percentile; percentiles",
}

ENDS: Final[Mapping[str, str]] = {
    "first": """
        first; first/earliest/initial/opening/starting sample/value/reading/measurement/point/observation/level;
        first data point; first datapoint; initially; initial; originally; original; outset; opening;
        at/from/in/by start/beginning/outset/opening; beginning; start; starting point; to begin/start with; begin* at/with;
        begin*; start*; start* off/out; open*; open* at/with; earliest; left edge; point of departure; leftmost;
        when data/series/recording/window/capture began/begins/opened/opens/started/starts; as window opened/opens/began; oldest;
        prior to anything else; kick* off; launch* at; set* out; entering; entry value; on entering; at dawn of
    """,
    "last": """
        last; last/latest/final/newest/closing/ending/recent/current sample/value/reading/measurement/point/observation/level;
        last data point; last datapoint; most recent; most recent sample/value/reading/measurement/point/observation;
        most recent data point; most recent datapoint; most recently; latest; newest; final; finally; end; end*; end* up; finish;
        finish*; finish* up/off; close; close*; close* out; wind*/wound up; wrap* up; conclude*; conclusion; closing; tail;
        tail end; at/by/in/toward/towards end/close/finish/conclusion; now; right now; by now; as of now; currently; current;
        present; at present/moment; at this moment/point/time; presently; today; ultimately; eventually; right edge; still;
        to date; as it stands; as things/matters stand; as of late; freshest; shut; shuts;
        when data/series/recording/window/capture/trace ends/ended/stops/stopped/closed/closes/shut/shuts;
        as window closed/closes/ended/ends; by time window closed/ended; parting; most up to date; rightmost; ending up;
        closing moments; last of all; final reading; at the finish; wound down at; leave*/left off; left with; cut out at;
        signed/signs off
    """,
}

MOVES: Final[Mapping[str, str]] = {
    "up": """
        rise*; climb*; grow*; growth; increase*; increasingly; increases; up; upward; upwards; higher up; gain*; gains; mount*;
        ascend*; ascent; swell*; ramp*; ramp* up; escalate*; escalation; build*/built up; uptick; upturn; upswing; soar*; surge*;
        surges; elevate*; expand*; expansion; creep* up; pick* up; rocket*; leap*; leapt; advance*; jump*; jumps; shot up;
        shoot* up; rebound*; recover*; recovery; bounce* back; balloon*; rally*; mushroom*; skyrocket*; intensify*; inflate*;
        go* higher; accelerate*; bring* up; brought up; upped; driven up; crept up; boost*; appreciate*; crept; creep*;
        ratchet* up; scale* up; rev* up; flared; push* up; drift* up; drift* upward/upwards;
        edge*/tick*/inch*/nudge* up/upward/upwards; snowball*; proliferate*; heighten*; uplift; work* up; shoot* upward;
        on the rise; on the up
    """,
    "down": """
        fall*; falls; drop*; drops; sink*; decrease*; decreases; decline*; declines; down; downward; downwards; shrink*; dip*;
        dips; dwindle*; lessen*; reduce*; reduction; diminish*; subside*; recede*; slide*; slump*; slip*; plunge*; plummet*;
        tumble*; crash*; collapse*; ease*; ease* off; abate*; wane*; ebb*; contract*; contraction; descend*; descent; lower*;
        go* lower; fall*/drop*/tail*/taper*/cool*/die* off; taper*; retreat*; downturn; downtick; downswing; dive*; dove;
        deflate*; sag*; nosedive*; lose*; lost; halving; drain*; fall* back/away; cool* down; let* up; decay*; bring* down;
        brought down; driven down; scale* down; drift* down; drift* downward/downwards;
        edge*/tick*/inch*/nudge* down/downward/downwards; depress*; push* down; weaken*; shed; sheds; shedding; trim*;
        wind* down; die* down; relax*; work* down; on the decline; on the wane; curtail*; cut; cut down; deescalate*; step* back;
        halve
    """,
    "flat": """
        flat; constant; unchanged; stable; static; steady; even; hold* steady/level/flat;
        barely/hardly/scarcely moved/changed/varied/budged; plateau; plateaued; flatline*; flattened; flatten*; invariant;
        stationary; unvarying; invariable; uniform; stagnant; stagnate*; without change/variation/moving/changing;
        no change/variation/movement; level* off/out; flat lined; stay* put; motionless; at same level/value;
        not change/changed/move/moved/vary/varied/budge/budged/shift; never changed/moved/varied/budged/shifted;
        did/does/do not change/move/vary/budge/shift; didn't change/move/vary/budge/shift
    """,
    "change": """
        change*; changes; move*; movement; shift*; transition*; turn*; evolve*; develop*; trend; trend*; trajectory; head*;
        tick*; edge*; step*; development; evolution; head; track*
    """,
    "spike": "spike*; spikes; burst; bursts; flare*; blip; spike* up; flare* up; spiky",
    "swing": """
        range*; ranges; vary*; variation; fluctuate*; fluctuation; fluctuations; oscillate*; oscillation; oscillations; bounce*;
        swing*; swings; spread; spanned; spans; spanning; span; bracket*; encompass*; embrace*; travel*; band; seesaw*; see saw*;
        zigzag*; up and down; back and forth; alternate*; vacillate*; wobble*; waver*; hover*; wander*; roam*; extent; varying;
        bounded; confined; corridor; envelope; cover*; stretch*
    """,
    "steady": """
        steadily; monotonic; monotonically; monotone; without a break/dip/drop/pause;
        without once/ever falling/dropping/dipping/rising; without falling/dropping/dipping; sample by/after sample;
        step by step; with/at every/each sample/step/reading; from sample to sample; from one sample to next; unbroken;
        relentlessly; inexorably; minute by/after minute; without interruption; at every single sample/step
    """,
    "slight": """
        slightly; slight; little; a bit; marginally; marginal; modestly; modest; somewhat; mildly; mild; a touch; a tad; minor;
        small; gently; gentle
    """,
    "strong": """
        sharply; sharp; dramatically; dramatic; massively; massive; significantly; significant; considerably; considerable;
        substantially; substantial; strongly; heavily; hugely; huge; markedly; marked; steeply; steep; drastically; drastic;
        enormously; enormous; clearly; clear; noticeably; noticeable; far; vastly; much; greatly; well; distinctly; visibly;
        a lot; appreciably
    """,
}

PHRASES: Final[Mapping[str, str]] = {**EXTREMES, **ENDS, **MOVES, **BOUNDS, **QUANTITIES, **RELATIONS, **REST}
