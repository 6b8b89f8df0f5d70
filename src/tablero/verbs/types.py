"""Parameter types that several families share."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tablero.verbs.parameters import Spelling

MOST_SEED = (1 << 62) - 1

Seed = Annotated[
    int,
    Meta(ge=0, le=MOST_SEED, description="Seed of the random numbers: the same seed, the same result."),
]
Most = Annotated[
    int | None,
    Meta(ge=1, description="Number of solutions to find, or all."),
    Spelling(option="solutions", short="-n", metavar="N", label="How many", words={"all": None}),
]
