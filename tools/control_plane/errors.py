"""The one error type for what a person can understand and act on."""


class Problem(Exception):
    """What happened and what to do about it. The command line prints it without a stack trace."""
