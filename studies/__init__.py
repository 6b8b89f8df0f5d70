"""Studies: experiments that end in a table, a figure and a page in words, made again by one command.

    python -m studies run queens-counts --quick -o out

study   a design, a measure, and what is concluded from it: see `design`
cell    one measurement: values of the factors, and a number of the repetition
ledger  the file of what was measured before: see `table`
"""

from studies.catalogue import names, study
from studies.design import Study
from studies.runner import run
from studies.table import Table

__all__ = ["Study", "Table", "names", "run", "study"]
