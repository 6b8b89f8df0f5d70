"""Verbs: the questions that can be asked, each described once by the signature of a function.

`verb` makes a verb of a function; `types` holds the parameter types that several families share.  Command line, web form,
JSON interface, stored recipe and reference page are derived from the description.
"""

from msgspec import Meta

from tablero.verbs.describe import GIVEN, Above, Not, Refuse, Verb, described, maker, verb, writes
from tablero.verbs.document import Document, output
from tablero.verbs.parameters import BadValue, Parameter, Spelling, parameters

__all__ = [
    "GIVEN",
    "Above",
    "BadValue",
    "Document",
    "Meta",
    "Not",
    "Parameter",
    "Refuse",
    "Spelling",
    "Verb",
    "described",
    "maker",
    "output",
    "parameters",
    "verb",
    "writes",
]
