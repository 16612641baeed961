"""Bars as SVG, drawn by hand: the standard library has nothing for it."""

import html

_WIDTH, _BAR, _GAP, _LEFT, _TOP = 760, 20, 8, 250, 44
_OURS, _PEER = "#1f6f54", "#8a94a3"


def bars(title, unit, rows):
    """Rows: label, value or None, whether it is ours. Linear, from zero."""
    rows = list(rows)
    most = max((value for _, value, _ in rows if value), default=1)
    height = _TOP + len(rows) * (_BAR + _GAP) + 12
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
             'font-family="sans-serif" font-size="13">',
             f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
             f'<text x="12" y="24" font-size="15" font-weight="bold">{html.escape(title)}</text>']
    room = _WIDTH - _LEFT - 110
    for index, (label, value, ours) in enumerate(rows):
        y = _TOP + index * (_BAR + _GAP)
        parts.append(f'<text x="{_LEFT - 10}" y="{y + 15}" text-anchor="end">{html.escape(label)}</text>')
        if value is None:
            parts.append(f'<text x="{_LEFT}" y="{y + 15}" fill="#777">not measured</text>')
            continue
        length = max(1.0, room * value / most)
        parts.append(f'<rect x="{_LEFT}" y="{y}" width="{length:.1f}" height="{_BAR}" fill="{_OURS if ours else _PEER}"/>')
        parts.append(f'<text x="{_LEFT + length + 6:.1f}" y="{y + 15}">{number(value)} {html.escape(unit)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def number(value):
    if value is None:
        return "-"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
