"""Names of the reasons for points, for traces."""

NAMES = ("pile",)
