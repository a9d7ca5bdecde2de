"""The report oomdoc.report/v1 as Python has it."""

import html
import json
import os
import traceback
from dataclasses import dataclass, field, fields
from typing import Any, Dict, List, Optional

from . import _facts
from ._program import run


@dataclass(frozen=True)
class Cause:
    """What failed, and how sure that is: 0 to 1."""

    id: str
    title: str
    confidence: float = 0.0
    headline: str = ""
    explanation: str = ""


@dataclass(frozen=True)
class Remedy:
    """What helps. verdict: fits, borderline, short or unknown, by this log's sums."""

    id: str
    title: str
    rank: int = 0
    verdict: str = "unknown"
    sums: str = ""
    why: str = ""
    cost: str = ""
    change: Dict[str, float] = field(default_factory=dict)
    apply: Dict[str, str] = field(default_factory=dict)  # by place: cli, python, env, command
    sources: List[str] = field(default_factory=list)

    @property
    def command(self) -> str:
        """What to type, "" where there is nothing."""
        for place in ("command", "cli", "env", "python"):
            if self.apply.get(place):
                return self.apply[place]
        return next(iter(self.apply.values()), "")


@dataclass(frozen=True)
class DeadEnd:
    """Advice that does not help here, and why."""

    id: str
    title: str
    why: str = ""


@dataclass(frozen=True)
class Incident:
    """One failure of memory."""

    severity: str
    cause: Cause
    phase: str = ""
    first_line: int = 0
    last_line: int = 0
    facts: Dict[str, Any] = field(default_factory=dict)
    remedies: List[Remedy] = field(default_factory=list)
    dead_ends: List[DeadEnd] = field(default_factory=list)
    next: str = ""  # what to collect where the cause is open


@dataclass(frozen=True)
class Diagnosis:
    """What a log says. incidents is empty where memory did not fail; report is the whole of oomdoc.report/v1."""

    incidents: List[Incident]
    facts: Dict[str, Any]
    report: Dict[str, Any] = field(repr=False, compare=False)

    @property
    def incident(self) -> Optional[Incident]:
        """The one to read first."""
        return self.incidents[0] if self.incidents else None

    @property
    def cause(self) -> Optional[str]:
        """The id of its cause; "unknown" where the log does not tell, None where memory did not fail."""
        return self.incidents[0].cause.id if self.incidents else None

    def __bool__(self) -> bool:
        return bool(self.incidents)

    def __str__(self) -> str:
        if not self.incidents:
            return "oomdoc: no memory failure found"
        return "\n\n".join("\n".join(_lines(i)) for i in self.incidents[:3])

    def _repr_html_(self) -> str:
        if not self.incidents:
            return "<p>oomdoc: no memory failure found</p>"
        return "".join(_html(i) for i in self.incidents[:3])


def diagnose(log, lang: Optional[str] = None) -> Diagnosis:
    """Says why memory failed in a log: a path, a text, or an exception with its traceback.

    A str without a line break that names a file is its path. lang: en or zh, by default that of the locale.
    An OomdocError says why a file could not be read."""
    arguments = ["--format", "json"] + (["--lang", lang] if lang else [])
    if isinstance(log, BaseException):
        text = exception_text(log)
    elif isinstance(log, os.PathLike):
        return _parse(run([*arguments, "--", os.fspath(log)]))
    elif isinstance(log, str):
        if "\n" not in log and len(log) < 4096 and os.path.isfile(log):
            return _parse(run([*arguments, "--", log]))
        text = log
    else:
        raise TypeError("diagnose takes a path, a text or an exception, not %s" % type(log).__name__)
    return _parse(run([*arguments, "-"], text))


def exception_text(e: BaseException) -> str:
    """An exception as Python prints it, with what this process knows of its memory."""
    text = "".join(traceback.format_exception(type(e), e, e.__traceback__))
    facts = _facts.line()
    return text + (facts + "\n" if facts else "")


def _parse(text: str) -> Diagnosis:
    report = json.loads(text)
    incidents = [
        _take(
            Incident, i, cause=_take(Cause, i["cause"]), facts=_values(i["facts"]),
            remedies=[_take(Remedy, r) for r in i["remedies"]], dead_ends=[_take(DeadEnd, d) for d in i["dead_ends"]],
        )
        for i in report["incidents"]
    ]
    return Diagnosis(incidents, _values(report["facts"]), report)


def _take(cls, values, **more):
    """Builds a dataclass from an object that may hold more: fields are added under the same version."""
    names = {f.name for f in fields(cls)}
    return cls(**{**{k: v for k, v in values.items() if k in names}, **more})


def _values(facts):
    return {name: f["value"] for name, f in facts.items()}


def _lines(i: Incident):
    yield i.cause.headline or i.cause.title
    yield "cause %s, %d %%" % (i.cause.id, 100 * i.cause.confidence)  # rounded down: nothing is certain
    if i.cause.explanation:
        yield "  " + i.cause.explanation
    for r in i.remedies[:5]:
        yield "  %d. %s%s" % (r.rank, r.title, ": " + r.command if r.command else "")
        if r.sums:
            yield "     %s: %s" % (r.verdict, r.sums)
    for d in i.dead_ends[:5]:
        yield "  x  %s: %s" % (d.title, d.why)
    if i.next:
        yield "  " + i.next


def _html(i: Incident) -> str:
    e = html.escape
    out = ["<div><strong>%s</strong><br><code>%s</code>" % (e(i.cause.headline or i.cause.title), e(i.cause.id))]
    if i.cause.explanation:
        out.append("<p>%s</p>" % e(i.cause.explanation))
    out.append("<ol>")
    for r in i.remedies[:5]:
        out.append("<li>%s" % e(r.title))
        if r.command:
            out.append(": <code>%s</code>" % e(r.command))
        if r.sums:
            out.append("<br><small>%s: %s</small>" % (e(r.verdict), e(r.sums)))
        out.append("</li>")
    out.append("</ol>")
    if i.dead_ends:
        out.append("<details><summary>✗</summary><ul>")
        out.extend("<li>%s: %s</li>" % (e(d.title), e(d.why)) for d in i.dead_ends)
        out.append("</ul></details>")
    if i.next:
        out.append("<p>%s</p>" % e(i.next))
    out.append("</div>")
    return "".join(out)
