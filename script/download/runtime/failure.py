"""The error of a script."""


class ModelError(Exception):
    """A run fails because of its script or its bars; day is that of the decision."""

    def __init__(self, message, day=""):
        Exception.__init__(self, message)
        self.day = day
