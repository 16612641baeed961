"""What was measured, for a person and for a Markdown page alike."""


class Table:
    def __init__(self):
        self.rows = []

    def add(self, what, figure, beside=""):
        """`beside` says what it compares with, or how it came about."""
        self.rows.append((what, figure, beside))

    def print(self):
        heads = ("what", "figure", "beside")
        widths = [max(len(row[i]) for row in [heads, *self.rows]) for i in range(3)]
        for row in [heads, tuple("-" * width for width in widths), *self.rows]:
            print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
