"""Studies: experiments that end in a table, a figure and a page in words, made again by one command.

study   a design, a measure, and what is concluded from it: see `design`
cell    one measurement: values of the factors, and a number of the repetition
"""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.studies.catalogue import names, study
    from tablero.studies.design import Study
    from tablero.studies.run import Table, run

__all__ = ["Study", "Table", "names", "run", "study"]

offer(__name__, catalogue=["names", "study"], design=["Study"], run=["Table", "run"])
