from .formats import parse as parse
from .formats import read as read
from .formats import write as write
from .puzzle import Nonogram as Nonogram
from .solving import Pictures as Pictures
from .verbs import count as count
from .verbs import generate as generate
from .verbs import solve as solve
