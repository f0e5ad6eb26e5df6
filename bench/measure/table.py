"""Plain text, aligned: what it is, then ratios, then what they are ratios of."""

import math


def median(values):
    return quantile(values, 0.5)


def quantile(values, share):
    """The smallest value that is not below `share` of them all: always one that was measured."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def ms(value):
    return f"{value:.2f} ms"


def ratio(value):
    return f"{value:.2f}x"


def goal(text, reached):
    return f"{text}: {'reached' if reached else 'MISSED'}"


def render(head, rows):
    """The first column to the left, the last as it is, the others to the right."""
    lines = [head] + rows
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    out = []
    for line in lines:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:-1], widths[1:-1])]
        out.append("  ".join(cells + [line[-1]]).rstrip())
    rule = "-" * max(map(len, out))
    return "\n".join([out[0], rule] + out[1:])
