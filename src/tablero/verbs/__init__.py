"""Verbs: the questions about puzzles, each described once by the signature of a function.

The decorator `verb` makes a verb of a function; `types` has the parameter types that several families share.  The command
line, the web form, the JSON interface, the stored recipe and the reference page are derived from the description.
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
