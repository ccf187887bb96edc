"""Phrases of the series lexicon: how far, how often, beside what; and what asserts nothing of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BOUNDS: Final[Mapping[str, str]] = {
    "over": """
        above; over; past; beyond; more/greater/higher/larger/bigger/heavier than; strictly above/over;
        strictly more/greater/higher/larger than; in excess of; excess; exceed*; exceeding; surpass*; topped; topping; tops;
        overshoot*; pass*; break*/burst*/go*/push* through; breach*; outstrip*; upwards/upward/north of; transcend*;
        get*/go*/climb*/move*/push*/rise*/blow*/run* past; overstep*; outgrow*; overtake*; outrank*; outdo*; outperform*;
        win* over/against; win* out over; win*; leads; led; leading; lead* over; outpeak*; outrun*; beat*; ahead of; eclipse*;
        dwarf*; outweigh*; outclass*; outnumber*; outmatch*; cross*/break*/burst* above/over; superior to; out peaked; outreach*;
        trump*; >; on far side of; clear of; outpace*; overshadow*; cleared; clears; clearing; tower* over/above; best*; bested;
        outmeasure*; rank*/rates/rated/score* above/over; outscore*; outpoint*; outshine*; outshone; outstrips; outstripped;
        leave*/left behind; higher up than; worse than; steeper than; to right of; more elevated than; northward of; taller than;
        prevail* over; more intense than; run* over; went over; creep*/crept past/over/above; poke* above;
        stray* beyond/above/over/past; venture* above/beyond/past; spill* over; tip* over;
        edge*/inch*/nudge* above/over/past/beyond; leap*/leapt/jump*/shoot*/shot/spike*/surge*/rocket* past/over/beyond;
        poke* head above; peek*/poke* over/above; stick* head above; stuck its head above;
        climb*/rise*/go*/get*/move*/push*/venture*/come*/drift* beyond; went beyond; passed; breached
    """,
    "under": """
        below; under; beneath; underneath; less/lower/smaller/fewer/lighter than; strictly below/under;
        strictly less/lower/smaller/fewer than; south of; undercut*; undershoot*; undershot; behind; trail*; trail* behind; lag*;
        lagged; lagging; lag*/lagged/lagging behind; inferior to; cross*/break* below/under; stay*/fall*/come* behind; second to;
        <; more modest/moderate than; shallower than; rank*/rates/rated/score* below/beneath/under; lose* out to; lose* to;
        lost out to; lost to; yield* to; bow* to; pale* beside; concede* to; southward of;
        dip*/drop*/fall*/sink*/slip*/slide*/plunge*/duck* beneath; edge*/inch*/creep*/stray*/go*/get*/come*/drift* beneath;
        more subdued than; weaker than; quieter than; shorter than; tinier than; trails; trailed; come*/finish* second to;
        outdone
    """,
    "at_least": """
        at least; no/not less/lower/fewer/smaller than; never less/lower/fewer/smaller than; at or above/over/beyond;
        equal to or above/greater than; above or at; greater/more/higher than or equal to; >=; ≥; not/never any less/lower than;
        nothing below/under; nothing less/lower/smaller than; no further down than
    """,
    "at_most": """
        at most; no/not more/higher/greater/larger/bigger than; never more/higher/greater/larger/bigger than;
        at or below/under/beneath; equal to or below/less than; below or at; less/lower/smaller/fewer than or equal to; <=; ≤;
        not/never any more/higher than; nothing above/over/beyond; nothing more/higher/larger than; no/not further than;
        no further up than
    """,
    "cross": "cross*",
    "reach": """
        reach*; hit*; attain*; touch*; get* to; get*/go*/climb*/rise* up to; come* up/near/close to; come* to; make* it to;
        as far as; get*/go*/come*/climb* as far/high as; arrive* at; achieve*; match*; approach*; catch* up with; rival*;
        get* close to; get* near; come* near; come* anywhere near; meet*; get* anywhere near; scale*; hits; run* to; run* up to;
        extend* to; stretch* to; touch* on; climb* all way to; get* all way to; make* it as far as; amount* to; fetch*;
        come* level with; keep* up with; measure* up to; hold* a candle to; compare* to
    """,
    "short": "short of; shy of; fall*/stop*/stay*/remain*/keep* short of; fall*/stop*/stay*/remain* shy of",
}

QUANTITIES: Final[Mapping[str, str]] = {
    "not": """
        not; never; no; none; without; without ever/once; without ever once; nowhere; never once/ever; not ever; not even once;
        not even; neither; nor; cannot; unable to; fail* to; fail* to ever; fail* ever to; refuse* to;
        no/not/never sample/value/reading/measurement/point/observation/moment;
        no samples/values/readings/measurements/points/observations; no data point/points; no datapoint/datapoints;
        no single sample/value/reading/measurement/point; not once; not a single;
        not a single sample/value/reading/measurement/point/time; not one; not one sample/value/reading/measurement/point;
        not a sample/reading; not/none of samples/values/readings/measurements/points/observations; none of data points;
        at no time/point/stage/moment/instant; in/at no sample/case/reading/instance/moment; on no occasion/occasions;
        not/never at any point/time/stage/moment; not/never for a moment; not/never for a single moment;
        not one of samples/values/readings/measurements/points; did/does/do/was/were/is/are/has/had/have/could/would not;
        did/does/do/was/were/is/has/had/have not once/ever/even; did/was/were/has/had/have never;
        did/does/do/was/were/is/has/had not even once; did/does/do/was/were/is/has/had not at any point/time/stage/moment;
        didn't; doesn't; don't; wasn't; weren't; isn't; aren't; hasn't; hadn't; haven't; couldn't; wouldn't; didn't ever/once;
        there is/was/are/were no; there is/was not a single;
        there is/was/are/were no sample/value/reading/point/moment/time/samples/values/readings/points; nothing; nobody;
        no part/stretch/portion of; not for an instant; not for one moment/second; at no single point/moment;
        never for an instant; not in a single sample/case/reading; not in any sample/reading; not in one sample;
        in none of samples/readings; in none; not any; not anywhere; never at all; by no means; never yet;
        did/does/was not at all; not on any occasion; not on a single occasion; at no juncture; there exists no;
        there exists no sample
    """,
    "all": """
        all; all samples/values/readings/measurements/points/observations/datapoints; all data points;
        all of samples/values/readings/measurements/points/observations;
        all recorded/observed/measured/stored/reported samples/values/readings/points; every; each;
        every/each sample/value/reading/measurement/point/observation/datapoint; every/each data point;
        every/each one of samples/values/readings/measurements/points; each of samples/values/readings/measurements/points;
        every single; every single sample/value/reading/measurement/point;
        every/each recorded/observed/measured/stored sample/value/reading/measurement/point; each and every sample/value/reading;
        each and every; always; consistently; consistent; constantly; continuously; continually; continuous; perpetually;
        permanently; permanent; uninterruptedly; uninterrupted; invariably; unfailingly; uniformly; persistently; persistent;
        at all times; at every/each time/point/moment/stage/instant/sample;
        in/for/across/at every/each/all sample/samples/reading/readings/measurement/measurements/case/cases;
        without exception/fail/interruption/pause/break/gap/letup/respite; without a single exception; unceasingly; incessantly;
        sustained; round the clock; nonstop; non stop; every time; without a break; no exceptions; solidly; unwaveringly;
        unremittingly; ceaselessly; endlessly; steadfastly; unbrokenly; wholly; entirely; completely; without fail;
        without ever dropping/dipping/falling/stopping; ever present; at every juncture; at every step; day in day out;
        without once dipping; not once failing; in every one of samples/readings; in each one of samples/readings;
        in each and every sample/reading; every last sample/reading; every last one; each individual sample/reading;
        across every sample/reading; whatever sample; whichever sample; any given sample; at any given time/point/moment;
        everywhere; unanimously; reliably; across every single sample; everything; from every sample; all values recorded;
        throughout all samples; each time; on every occasion; on all occasions; to a sample; through every sample;
        through all samples; for every/each sample/reading/minute; every minute; each minute;
        no sample/value/reading/point/measurement lies/is/was/fell/falls outside;
        none of samples/values/readings lies/lie/is/are/was/were/fell/fall outside; nothing outside;
        nothing lies/fell/falls outside
    """,
    "whole": """
        throughout; whole time; all the time; the entire time; from start/beginning/first to finish/end/last;
        from first to last sample; from first sample to last; start to finish/end; end to end; from end to end;
        from one end to other; all along; all through; right through; for duration; as a whole; from window's start to end;
        from window's start to its end; from start of window to its end; all told; altogether; overall; in total; in all;
        whole while; all while; entire while; whole way; all way through; entire way; entire stretch; whole stretch;
        the whole time through; start through finish; first sample through last; from one end of window to other;
        from window open to close; from open/opening to close/closing; from first minute to last; from first to last minute;
        wall to wall; from outset to close/end/finish; until end; till end; until the last sample; for good;
        for whole of window/period; for all of window/period; in its/their entirety; through and through; whole window;
        entire window; entire period; full window; through to end; right to end; to end; end-to-end; duration
    """,
    "any": """
        at some/one point/time/stage/moment/sample; at some points; at least once; at least one time;
        at least one sample/value/reading/measurement/point/observation/moment/occasion/datapoint; at least one data point;
        on at least one occasion; in/at at least one sample/reading/measurement/point; once; once or more; one or more times;
        one or more samples/values/readings/measurements/points/occasions; on one or more occasions; on occasion/occasions;
        on some occasion/occasions; occasionally; sometimes; at times; from time to time; briefly; temporarily; momentarily;
        transiently; for a moment/while/time/spell; for some time; for a short time/while;
        some samples/values/readings/measurements/points; some of samples/values/readings/measurements/points/time; part of time;
        a/one sample/value/reading/measurement/point; a/one data point; one of samples/values/readings/measurements/points; any;
        ever; at any point/time/stage/moment/instant; at all; even once; somewhere; intermittently;
        there is/was a sample/value/reading/moment/point/time; there are/were samples/values/readings/moments/points/times;
        in places; at a certain point; in/at one sample/reading; in/at some samples/readings; at one or more points;
        in one or more samples; several samples/readings/values; a few samples/readings/values; at least briefly;
        at some/one/a juncture; at one stage/point/time or another/other; at some stage/point/time or another/other;
        at least for one/a sample/moment; on one occasion or more; on at least a single occasion; in at least a single sample;
        at least a single time; at least a single sample; for at least one sample/moment; at least in one sample;
        one time or more; for one sample or more; in one sample or more; one sample or more; every now and then; on and off;
        a time or two; more than once; several times; a couple of times; repeatedly; in some places; somewhere along way;
        along way; at least somewhere; fleetingly; for an instant; for a brief moment/while/time; for a short spell;
        for a brief spell/period; at a given moment; now and again; there exists a sample/reading;
        there exists at least one sample/reading; one of the samples; some sample/reading/value; one or other sample;
        at least one of samples/readings/values/measurements; one sample at least; a single time; a single sample at least;
        at least a sample; at isolated moments; in isolated samples; for part of window/time/period;
        during part of window/period; part of window/period
    """,
    "most": """
        mostly; most of time/samples/values/readings/measurements/points/window/period;
        most samples/values/readings/measurements/points; for most part; for most of window/time/period; predominantly;
        more than half of samples/values/readings/points/time; more than half time; more often than not;
        majority of samples/values/readings/measurements/points/time; majority of; in majority of samples; chiefly; mainly;
        on most occasions; in most samples/readings; in more than half of samples/readings; large majority of samples/readings
    """,
    "stay": """
        stay*; remain*; keep*; hold*; linger*; persist*; continue*; stick*; stuck; dwell*; maintain*; sustain*; live*; retain*;
        abide*; be* kept/held; sit* firmly; camp*; parked; hang* around; hung; rest*; contained; confined; rode; reside*;
        keep* itself; dwelt; hold* itself; hold* firm; capped; never left; not left; never leave*; did/does/do not leave;
        never strayed/departed from; did not stray/depart from
    """,
}

RELATIONS: Final[Mapping[str, str]] = {
    "more": """
        higher; more; greater; larger; bigger; heavier; stronger; taller; busier; upper; greater still; further; superior;
        the upper hand; the lead; a lead
    """,
    "less": """
        lower; less; smaller; fewer; lighter; weaker; quieter; shorter; lesser; modest; more modest; moderate; more moderate;
        slighter; humbler; shallower; inferior; short
    """,
    "same": """
        same; equal; equally; identical; alike; as high; as much; as many; as large; as big; as great; as low; as small;
        on a par with; on par with; level with; same as; identical to; equal to; equals; equalled; equaled; tied; so high;
        so much; as far; quite as high/much; nearly as high/much; anywhere near as high/much; so far; so large; so many; as tall;
        as steeply; equivalent; tie; ties; neck and neck; as strong; as heavy; same level/height/peak
    """,
    "passive_more": """
        exceeded/surpassed/topped/beaten/outdone/overtaken/eclipsed by; dwarfed/outstripped/outweighed/outpeaked by;
        outmatched/outperformed/outclassed/overshadowed/outpaced by;
        overshot/breached/crossed/passed/cleared/bested/dominated/transcended/overstepped by; left behind by; trumped by;
        bettered by
    """,
    "passive_less": "undercut/undershot by",
    "reference": """
        than; compare* with/to; in comparison with/to; by comparison with; relative to; as against; versus; vs; as opposed to;
        unlike; in contrast to/with; by contrast with/to; rather than; next/set to; set against; measured against; against;
        as/when compared with/to; instead of; beside; over and above; in comparison; by comparison to; as measured against;
        over against; set beside; placed beside; alongside; held against; with that of; when set against; when measured against;
        measured beside; than what; than that of
    """,
    "factor": """
        double*; triple*; treble*; quadruple*; quintuple*; halve*; twofold; threefold; fourfold; fivefold; sixfold; sevenfold;
        eightfold; ninefold; tenfold; twice; thrice; half; multiple of
    """,
    "normal": "normal; usual; baseline; typical; ordinary; normally; usually; resting",
    "ended": """
        stop*/cease* reporting/sending/emitting; go*/fall* silent/quiet/dark; disappear*; vanish*; stop* being reported/scraped;
        no longer reported/reports/reporting/scraped; no more/further samples/points/readings/data; no samples/data/points after;
        break* off; cut* off; go* missing; series ends/ended/stops/stopped; samples/data end/ends/ended/stop/stops/stopped;
        cease*; ran/runs out; end* early; stop* producing
    """,
    "reset": "reset; resets; resetting; start* over; wrapped around; restarted from; starts/started again from",
}

REST: Final[Mapping[str, str]] = {
    "unread": """
        lead* to; led to; barely; hardly; scarcely; rarely; seldom; except; excluding; unless; otherwise; if; would; could;
        might; should; must; almost; nearly; just; until; before; after; second; third; next; previous; previously; earlier;
        later; only; despite; again; yesterday; tomorrow; often; frequently; variance; deviation; stddev; correlation;
        correlated; correlates; slope; false; untrue; wrong; incorrect; incorrectly; unlikely; supposedly; allegedly; expected;
        predicted; will; sum; total of; cumulative; cumulatively; product; high; low; quartile; decile; mode; outlier;
        double-digit; outside; twice over; half of time
    """,
    "sample": """
        sample; samples; reading; readings; measurement; measurements; data point/points; datapoint; datapoints; observation;
        observations; point; points; value; values; level; levels; moment; moments; instant; occasion; occasions; figure; mark;
        threshold; limit; line; times; time
    """,
    "helper": """
        be; is; are; was; were; been; being; have; has; had; having; do; does; did; stand*; sit*; come*; go*; get*; work* out;
        measure*; record*; register*; log*; observe*; see*; show*; exhibit*; display*; report*; note*; find*; give*; make*; put*;
        place*; reside*; calculate*; compute*; yield*; amount*; run*; take*; undergo*; experience*; happen*; occur*; arrive*;
        land*; lie*; return*; read*; indicate*; there; it; they; where; when; that; those; whose; what; which; who; terms;
        respect; regard; regarding; concerning; namely; respective; respectively; own; available; here; we; one; can; during;
        use*; consume*; such; both; services; service; pods; pod; side; actual; actually; indeed; fact; exactly; precisely;
        specifically; about; around; approximately; roughly; circa; sampled; plotted; seen; yet; also; too; pair; corresponding;
        together; so; comparing; difference; with; of; as; then; among; by comparison; two; even; up to date; equal*; result*;
        serve*; see; sees; fell at; falls at; fall at; achieve; manage*; let; let's; say; through; follow*; contain*; data;
        series; set; peaking at; window; period; interval; timeframe; observation period; extremes; bounds; bound; inside; net;
        clock; rank*; as regards; in terms of; far as; concerned; attain; bring*; brought; scored; tally; tallied; count*;
        clocked; clock*; weigh* in; burn*; chew*; eat*; swallow*; need*; demand*; weigh*; catch*; caught; capture*; captured;
        deal; turn* in; turned out; post*; notch*; notched up; account* for; translate*; boil* down to; if we/one/you;
        all in all; still; while observed; head; key; finding; mark*; curve; graph; plot; stage; anywhere; between them; hand;
        case; recording; monitor*; track*; witness*; detect*; encounter*; represent*; constitute*; form*; denote*; form;
        remain at; obtained; obtain*; emerge*; appear*; derive*; produce*; provide*; supply*; carry*; carried; bear*; bore;
        state; fell on; falls on; fall on; falling at; falling on; situate*; located; locate*; date*; dated; timed; time;
        all together; taking together; taken together; taking; taken; taking all together; spell; minute; hour; date* from;
        date* back to; drew; drawn; drawing; somewhere
    """,
}
