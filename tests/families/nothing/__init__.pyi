from .formats import parse as parse
from .formats import read as read
from .formats import write as write
from .generate import generate as generate
from .puzzle import Nothing as Nothing
from .solve import Nowhere as Nowhere
from .solve import count as count
from .solve import solve as solve
