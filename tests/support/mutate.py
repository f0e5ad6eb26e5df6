"""Requests that nobody means, made of ones that somebody does: mutations of JSON bodies, each by the random source it is given."""

import copy
import json


class Raw:
    """Text that stands in the JSON as it is: what json.dumps would refuse to write."""
    def __init__(self, text):
        self.text = text


class Twice:
    """A member's value that is written a second time under the same name."""
    def __init__(self, first, second):
        self.values = (first, second)


_TEXTS = [
    "", "\0", "a\0b", "\ud800", "x\udfff", "\U0010ffff", "é" * 300, "../../etc/passwd", "/", ".", "..", "a/" * 600, "%s%n",
    "\r\n", "' OR 1=1 --", "\u202e\u0000\u200b", "x" * 5000, "null", "0", "[", "**/" * 60, "[a", "-" * 300, " ", "utf8",
    "base64", "====", "gA==", "0777", "9999", "http://127.0.0.1:1/", "*", "71", "$(id)", "\\u0000", "true"
]
_NUMBERS = [0, -1, 1, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64, -2**63, 0.1, -0.0, 1e-300, 1.5]
_RAWS = [
    "1e400", "-1e400", "1e-400", "9" * 400, "0." + "3" * 400, "NaN", "Infinity", "01", "1.", "+1", "'x'", '"\\x41"', '"\\ud800"',
    '"\\ud83d\\ud83d"', "[" * 200 + "]" * 200, '{"a":' * 200 + "1" + "}" * 200, "[" * 20, "[1,]", "{}{}", "", "tru", '"\n"'
]
_OTHERS = [None, True, False, [], {}, [[]], [None], [{}], {"": ""}, {"a": {"b": []}}, ["x"] * 70, list(range(70))]


def junk(random):
    """A value of any kind."""
    return random.choice([random.choice(_TEXTS), random.choice(_NUMBERS), Raw(random.choice(_RAWS)), copy.deepcopy(random.choice(_OTHERS))])


def mutated(value, random):
    """A copy of `value`, with one to three things in it changed."""
    whole = [copy.deepcopy(value)]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        holder, key = _place(whole, random)
        _change(holder, key, random)
    return whole[0]


def body_of(value, random):
    """The bytes of a mutated body; of each tenth, bytes that are changed too."""
    data = bytearray(_text(value).encode("utf-8", "surrogatepass"))
    if data and random.random() < 0.1:
        at = random.randrange(len(data))
        change = random.randrange(4)
        if change == 0:
            data[at] = random.randrange(256)
        elif change == 1:
            del data[at:]
        elif change == 2:
            data[at:at] = bytes(random.randrange(256) for _ in range(random.randrange(1, 5)))
        else:
            data += data[at:]
    return bytes(data)


def _place(whole, random):
    """A holder and a key, any depth down."""
    holder, key = whole, 0
    while random.random() < 0.75:
        inner = holder[key]
        keys = list(inner) if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else ()
        if not keys:
            break
        holder, key = inner, random.choice(list(keys))
    return holder, key


def _change(holder, key, random):
    value = holder[key]
    kind = random.randrange(7)
    if kind == 0 and isinstance(holder, dict):
        del holder[key]
    elif kind == 1 and isinstance(value, dict):
        value[random.choice(_TEXTS)] = junk(random)
    elif kind == 2 and isinstance(holder, dict):
        holder[key] = Twice(value, random.choice((value, junk(random))))
    elif kind == 3 and isinstance(value, list):
        value.append(junk(random))
    elif kind == 4 and isinstance(value, str):
        at = random.randrange(len(value) + 1)
        holder[key] = value[:at] + random.choice(_TEXTS) + value[at:]
    elif kind == 5 and isinstance(value, (int, float)):
        holder[key] = random.choice(_NUMBERS)
    else:
        holder[key] = junk(random)


def _text(value):
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, Twice):
        return _text(value.values[0])  # no name to write it under: it stood in a list, or alone
    if isinstance(value, list):
        return "[" + ",".join(map(_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(_member(name, each) for name, each in value.items()) + "}"
    return json.dumps(value)


def _member(name, value):
    values = value.values if isinstance(value, Twice) else (value, )
    return ",".join(f"{json.dumps(name)}:{_text(each)}" for each in values)
