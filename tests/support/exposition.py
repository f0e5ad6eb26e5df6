"""A strict reader of Prometheus's text format 0.0.4: what a lenient one would guess at is an error here.

https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
"""

import math
import re

_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
_NUMBER = re.compile(r"\+Inf|[+-]?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")
_TYPES = ("counter", "gauge", "histogram")


class ExpositionError(AssertionError):
    """The text is not what Prometheus would read, or not what it should be given."""


class Exposition:
    """`families`: name to (type, help). `samples`: (name, labels) to value, where labels is a frozenset of pairs."""
    def __init__(self, raw):
        self.families = {}
        self.samples = {}
        self._family = None  # whose lines we are among
        text = raw.decode("utf-8")
        _require(text.endswith("\n"), "the last line has no end", text[-80:])
        for line in text[:-1].split("\n"):
            if line.startswith("# HELP "):
                self._begin(line)
            elif line.startswith("# TYPE "):
                self._set_type(line)
            else:
                self._add_sample(line)
        for name, (kind, _) in self.families.items():
            _require(kind is not None, "a family without a type", name)
            if kind == "histogram":
                self._check_histogram(name)

    def value(self, name, **labels):
        """A series' value; 0 where a labelled one has not appeared yet."""
        _require(name in self.families or _base_of(name) in self.families, "no such metric", name)
        return self.samples.get((name, frozenset(labels.items())), 0.0)

    def series(self, name):
        """All series of a name: a frozenset of labels to value."""
        return {labels: value for (each, labels), value in self.samples.items() if each == name}

    def labels_of(self, family):
        """The names of a family's labels, le apart."""
        return {
            label
            for (name, labels) in self.samples if family in (name, _base_of(name)) for label, _ in labels
        } - {"le"}

    def counts(self):
        """The series that may only rise: counters, and of histograms counts, sums and buckets."""
        rising = ("counter", "histogram")
        return {
            key: value
            for key, value in self.samples.items() if any(
                self.families.get(name, (None, ))[0] in rising for name in (key[0], _base_of(key[0])))
        }

    def _begin(self, line):
        name, _, words = line.removeprefix("# HELP ").partition(" ")
        _require(_NAME.fullmatch(name), "not a name", line)
        _require(name not in self.families, "a family comes twice", line)
        _require(words.strip(), "help that does not help", line)
        self.families[name] = (None, words)
        self._family = name

    def _set_type(self, line):
        name, _, kind = line.removeprefix("# TYPE ").partition(" ")
        _require(name == self._family, "a type apart from its help", line)
        _require(kind in _TYPES and self.families[name][0] is None, "not a type, or a second one", line)
        self.families[name] = (kind, self.families[name][1])

    def _add_sample(self, line):
        name, labels, number = _parse_sample(line)
        kind = self.families.get(self._family, (None, ))[0]
        mine = [self._family + suffix for suffix in ("_bucket", "_sum", "_count")] if kind == "histogram" else \
            [self._family]
        _require(kind is not None and name in mine, "a sample outside its family", line)
        _require((name, labels) not in self.samples, "a series comes twice", line)
        value = math.inf if number == "+Inf" else float(number)
        _require(math.isfinite(value) and (value >= 0 or kind == "gauge"), "no such count", line)
        self.samples[name, labels] = value

    def _check_histogram(self, name):
        """Cumulative, in order, closed by +Inf, which is the count; a sum beside each."""
        histograms = {}
        for labels, value in self.series(f"{name}_bucket").items():
            bound = dict(labels)["le"]
            rest = frozenset(pair for pair in labels if pair[0] != "le")
            histograms.setdefault(rest, []).append((math.inf if bound == "+Inf" else float(bound), value))
        for labels, buckets in histograms.items():
            bounds = [bound for bound, _ in buckets]
            values = [value for _, value in buckets]
            _require(bounds == sorted(set(bounds)) and bounds[-1] == math.inf, "bounds out of order", (name, bounds))
            _require(values == sorted(values), "buckets are not cumulative", (name, values))
            _require(self.samples.get((f"{name}_count", labels)) == values[-1], "+Inf is not the count", name)
            _require((f"{name}_sum", labels) in self.samples, "no sum", name)
        _require(set(histograms) == set(self.series(f"{name}_count")) == set(self.series(f"{name}_sum")),
                 "counts or sums without buckets", name)


def _parse_sample(line):
    """name{label="value",…} number; no timestamp, no spaces but the one."""
    name = _NAME.match(line)
    _require(name, "not a sample", line)
    labels, position = [], name.end()
    if line[position:position + 1] == "{":
        while line[position] in "{,":
            label = _LABEL.match(line, position + 1)
            _require(label, "not a label", line)
            labels.append((label[1], re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match[1], match[1]), label[2])))
            position = label.end()
        _require(line[position] == "}", "labels that do not end", line)
        position += 1
    _require(len({label for label, _ in labels}) == len(labels), "a label comes twice", line)
    number = line[position:]
    _require(number.startswith(" ") and _NUMBER.fullmatch(number[1:]), "not a number", line)
    return name[0], frozenset(labels), number[1:]


def _base_of(name):
    """The histogram's name of one of its samples."""
    return re.sub(r"_(bucket|sum|count)\Z", "", name)


def _require(holds, what, where):
    if not holds:
        raise ExpositionError(f"{what}: {where!r}")
