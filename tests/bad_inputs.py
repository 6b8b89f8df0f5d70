"""Bad inputs, and what each command says about them."""

from __future__ import annotations

import hashlib
from typing import NamedTuple


class Case(NamedTuple):
    """A command that must fail with exit status 2 and one line.  In it, FILE is a file with the given text."""

    what: str
    text: str | bytes | None
    command: str
    says: str


def _job(what: str, command: str, says: str) -> Case:
    return Case(what, None, command, says)


_SUDOKU = "000000070001004500070000030090000001052400300000010000087000000600029400000058096"  # of our own

COVER = [
    Case("a file that is not there", None, "cover count nowhere.dlx", "nowhere.dlx: No such file or directory"),
    Case("a folder", None, "cover count .", ".: Is a directory"),
    Case("an empty file", "", "cover count FILE", "FILE: empty; expected a line of items first"),
    Case("only comments", "| nothing\n", "cover count FILE", "FILE: empty; expected a line of items first"),
    Case("bytes that are no text", b"a b\n\xff\xfe\n", "cover count FILE", "FILE: byte 4 is not UTF-8 text"),
    Case("an unknown item", "a b\na\nc\n", "cover count FILE", "FILE:3: unknown item 'c'"),
    Case("an item twice in an option", "a b\na b a\n", "cover count FILE", "FILE:2: item 'a' twice in one option"),
    Case("an item declared twice", "a b a\na\n", "cover count FILE", "FILE:1: item 'a' declared twice"),
    Case("two bars", "a | b | c\na\n", "cover count FILE", "FILE:1: more than one bar between the items"),
    Case(
        "a colour on a primary item",
        "a | x\na:red x\n",
        "cover count FILE",
        "FILE:2: 'a' is primary, only secondary items have colours",
    ),
    Case("a colon without a colour", "a | x\na x:\n", "cover count FILE", "FILE:2: 'x:': expected one colour"),
    Case("two colours", "a | x\na x:red:blue\n", "cover count FILE", "FILE:2: 'x:red:blue': expected one colour"),
    Case("a colon in a declared name", "a:b c\nc\n", "cover count FILE", "FILE:1: the item 'a:b' has a colon or a bar"),
    Case(
        "an option of secondary items only",
        "a | x\nx\n",
        "cover count FILE",
        "FILE:2: an option without a primary item would never be chosen",
    ),
    Case("a weight that is no number", "a\na |x\n", "cover solve FILE --cheapest", "FILE:2: '|x': expected a weight"),
    Case("a weight below 0", "a\na |-3\n", "cover solve FILE --cheapest", "FILE:2: '|-3': expected a weight"),
    Case("a weight of 13 digits", "a\na |9999999999999\n", "cover solve FILE --cheapest", "expected a weight"),
    Case(
        "no solutions wanted",
        "a\na\n",
        "cover solve FILE --solutions 0",
        "--solutions 0: expected a whole number from 1, or all",
    ),
    Case(
        "a word for a number",
        "a\na\n",
        "cover solve FILE --solutions some",
        "--solutions some: expected a whole number from 1, or all",
    ),
    Case("cheapest and several", "a\na\n", "cover solve FILE --cheapest -n 2", "--cheapest finds one cover"),
    Case(
        "an unknown kernel",
        "a\na\n",
        "cover solve FILE --kernel best",
        "--kernel best: expected one of auto, bits, sparse",
    ),
    Case(
        "covers from a counting kernel",
        "a\na\n",
        "cover solve FILE --kernel memo",
        "--kernel memo: expected one of auto, bits, sparse",
    ),
    Case(
        "a memo for colours",
        "a | x\na x:red\n",
        "cover count FILE --kernel memo",
        "--kernel: memo and frontier know no colours",
    ),
    Case(
        "no threads", "a\na\n", "cover count FILE --threads 0", "--threads 0: expected a whole number from 1 to 1,024"
    ),
    Case(
        "10⁹ threads",
        "a\na\n",
        "cover count FILE --threads 1000000000",
        "--threads 1000000000: expected a whole number",
    ),
    Case("half a thread", "a\na\n", "cover count FILE --threads 0.5", "--threads 0.5: expected a whole number"),
    Case("a time that is none", "a\na\n", "cover count FILE --time-limit soon", "the time 'soon': expected a time"),
    Case("no time at all", "a\na\n", "cover count FILE --time-limit 0s", "the time '0s': expected a time above 0"),
    Case("an unknown option", "a\na\n", "cover count FILE --fast", "No such option '--fast'"),
    Case("no file named", None, "cover count", "Missing argument"),
    Case("a picture of what is no board", "a\na\n", "cover solve FILE --svg no.svg", "no cells to draw"),
    Case(
        "a picture into nowhere",
        "r1c1\nr1c1\n",
        "cover solve FILE --svg nowhere/x.svg",
        "--svg nowhere/x.svg: cannot write it, the folder nowhere is not there",
    ),
    Case("a multiplicity of 0", "0|a\na\n", "cover count FILE", "FILE:1: '0|a': expected a multiplicity from 1"),
    Case("bounds", "1:2|a\na\n", "cover count FILE", "FILE:1: '1:2|a': expected a multiplicity from 1"),
    Case("a multiplicity and a colour", "2|a | x\na x:red\n", "cover count FILE", "multiplicities and colours do not"),
    Case(
        "a sample of multiplicities",
        "2|a\na\na\n",
        "cover sample FILE",
        "a random cover is not for items with multiplicities",
    ),
    Case(
        "an unknown branching",
        "a\na\n",
        "cover trace FILE --branch last",
        "--branch last: expected one of fewest, first",
    ),
    Case("no steps", "a\na\n", "cover trace FILE --steps 0", "--steps 0: expected a whole number from 1 to 1,000,000"),
    Case(
        "a page of another kind", "a\na\n", "cover trace FILE --page x.pdf", "--page x.pdf: expected a name that ends"
    ),
    Case(
        "no dives", "a\na\n", "cover estimate FILE --dives 0", "--dives 0: expected a whole number from 1 to 1,000,000"
    ),
    Case(
        "10⁹ dives", "a\na\n", "cover estimate FILE --dives 1000000000", "--dives 1000000000: expected a whole number"
    ),
    Case("no sample", "a\na\n", "cover sample FILE -n 0", "--solutions 0: expected a whole number from 1 to 1,000,000"),
    Case("a seed of a sample", "a\na\n", "cover sample FILE --seed -1", "--seed -1: expected a whole number from 0"),
    _job("an unknown problem", "cover make chess", "NAME chess: expected one of dominoes"),
    _job("a board that is no size", "cover make dominoes 8", "the board '8': expected rows and columns as 8x8"),
    _job("a board of no cells", "cover make dominoes 0x8", "a board of 0×8: expected sides from 1 to 1000"),
    _job("a board of 10⁹ rows", "cover make dominoes 1000000000x8", "the board '1000000000x8': expected rows"),
    _job("61 cells for pentominoes", "cover make pentominoes 61x1", "have 60 cells, this board 61"),
    _job("a hole off the board", "cover make dominoes 4x4 --holes r5c1", "the hole r5c1 is not on a board of 4×4"),
    _job("a hole that is no cell", "cover make dominoes 4x4 --holes 5,1", "the cell '5': expected row and column"),
    _job("holes where there is no board", "cover make queens 8 --holes r1c1", "--holes: queens has no board"),
    _job("a size of 0", "cover make langford 0", "the size 0: expected 1 to 1000"),
    _job("a size of 10⁹", "cover make queens 1000000000", "the size '1000000000': expected a number"),
    _job("an odd complete graph", "cover make one-factorisations 7", "7 vertices has no perfect matching"),
    _job("80 cells of a Sudoku", "cover make sudoku " + "0" * 80, "a Sudoku of 80 characters: expected 81 digits"),
]

QUEENS = [
    _job("no queens", "queens solve 0", "0 queens: expected a whole number from 1 to 10,000,000"),
    _job("fewer than none", "queens solve -- -1", "-1 queens: expected a whole number"),
    _job("10¹² queens", "queens anneal 1000000000000", "1000000000000 queens: expected a whole number"),
    _job("half a queen", "queens anneal 0.5", "the board '0.5': expected a number of queens"),
    _job("α above 1", "queens anneal 8 --alpha 1.2", "--alpha 1.2: expected a number above 0 and below 1"),
    _job("parameters by their places", "queens anneal 8 5 0.95 1 500", "unexpected extra arguments (5 0.95 1 500)"),
    _job("a temperature below 0", "queens anneal 8 --t0=-1", "--t0 -1.0: expected a number from 0"),
    _job("a temperature that is no number", "queens anneal 8 --t0 nan", "--t0 nan: expected a number from 0"),
    _job("no trials a temperature", "queens anneal 8 --trials 0", "--trials 0: expected a whole number from 1"),
    _job("no trials at all", "queens anneal 8 --max-trials 0", "--max-trials 0: expected a whole number from 1"),
    _job("an unknown cooling", "queens anneal 8 --cooling slow", "--cooling slow: expected one of geometric"),
    _job("an unknown swap", "queens anneal 8 --swap rooks", "--swap rooks: expected one of effective"),
    _job("no runs", "queens anneal 8 --runs 0", "--runs 0: expected a whole number from 1 to 100,000"),
    _job("a seed below 0", "queens anneal 8 --seed=-4", "--seed -4: expected a whole number from 0"),
    _job("a film of 1000 queens", "queens anneal 1000 --page film.html", "1000 queens: expected at most 200"),
    _job(
        "a film in a picture", "queens anneal 8 --page film.svg", "--page film.svg: expected a name that ends in .html"
    ),
    _job("a trace into nowhere", "queens anneal 8 --trace nowhere/t.csv", "--trace nowhere/t.csv: cannot write it"),
    _job(
        "a picture that is none", "queens solve 8 --svg eight.png", "--svg eight.png: expected a name that ends in .svg"
    ),
    _job("an unknown method", "queens solve 8 --method luck", "--method luck: expected one of auto, construct"),
    _job("a square that is none", "queens solve 8 --given a1", "the square 'a1': expected row and column from 1"),
    _job("a square off the board", "queens solve 8 --given r9c1", "the given square r9c1 is not on a board of 8×8"),
    _job("a square of row 0", "queens solve 8 --blocked r0c1", "the blocked square r0c1 is not on a board"),
    _job("a square given twice", "queens solve 8 --given r1c1,r1c1", "the square r1c1 is given twice"),
    _job("given and blocked", "queens solve 8 --given r1c1 --blocked r1c1", "r1c1 is both given and blocked"),
    _job(
        "a formula for given squares",
        "queens solve 8 --method construct --given r1c1",
        "--method: the formula is for empty boards",
    ),
    _job(
        "all solutions by local search",
        "queens solve 8 --method local -n all",
        "--solutions: expected a number, or --method exact",
    ),
    _job("10⁹ boards", "queens solve 100 --method local -n 1000000000", "expected at most 200,000,000 queens together"),
    _job("a start that is too short", "queens anneal 8 --start 0,1", "a start of 2 columns: expected 8 whole numbers"),
    _job("a start with two in a column", "queens anneal 4 --start 0,1,2,2", "the start has two queens in a column"),
    _job("a start without a given queen", "queens anneal 4 --given r1c2 --start 0,1,2,3", "on the given square r1c2"),
    _job("a start that is none", "queens anneal 4 --start a,b", "--start a: expected whole numbers"),
    _job(
        "a start that is not there",
        "queens anneal 8 --start nofile.txt",
        "'nofile.txt': expected an existing file",
    ),
    _job("10⁹ queens", "queens solve 1000000000", "1000000000 queens: expected a whole number from 0 to 10,000,000"),
    Case(
        "given squares without any", "\n", "queens solve 8 --given FILE", "no squares in it: expected squares as r1c3"
    ),
    Case(
        "blocked squares without any", "", "queens count 8 --blocked FILE", "no squares in it: expected squares as r1c3"
    ),
    _job("restarts below 0", "queens anneal 8 --restarts=-1", "--restarts -1: expected a whole number from 0"),
    _job(
        "a torus that anneals",
        "queens solve 7 --method local --toroidal",
        "local searches do not support a torus: expected construct or exact",
    ),
    _job("a cluster for a formula", "queens solve 8 --cluster x", "there is nothing to share: leave the cluster out"),
    _job(
        "a board that is not there", "queens solve nowhere.txt", "expected a number of queens, or a file with a board"
    ),
    Case("a ragged board", ". Q\n.\n", "queens solve FILE", "line 2: 1 squares: expected 2"),
    Case("a board with a strange mark", ". Q\n. 7\n", "queens solve FILE", "line 2, square 2: '7': expected Q, x"),
    Case("a board without anything", "\n", "queens solve FILE", "no board in it"),
    _job(
        "an annealed torus",
        "queens solve 7 --method anneal --toroidal",
        "local searches do not support a torus: expected construct or exact",
    ),
    _job("too many for exact cover", "queens solve 501 --method exact", "N: expected at most 500 queens"),
    _job("a job for a formula", "queens solve 8 --job eight", "need no search, there is nothing to keep"),
    _job("too many to count", "queens count 33", "N: expected at most 32 queens"),
    _job(
        "fundamental on a torus",
        "queens count 7 --toroidal --fundamental",
        "--fundamental: expected a board whose edges do not meet",
    ),
    _job("a drawing of all solutions", "queens count 8 --svg all.svg", "--svg draws fundamental solutions"),
    _job("a drawing of 45,752", "queens count 14 --fundamental --svg all.svg", "too many to draw: expected at most 10"),
    _job("an unknown format", "queens model 8 --format xls", "--format xls: expected one of lp, mps"),
    _job(
        "one format for another", "queens model 8 --format mps -o m.lp", "a name that ends in .lp: expected --format lp"
    ),
    _job("a model of 10⁶ queens", "queens model 1000000", "N 1000000: expected a whole number from 1 to 500"),
    _job("armies on a large board", "queens armies 12", "N 12: expected a whole number from 1 to 11"),
    _job("a job for the impossible", "queens anneal 3 --job three", "need no search, there is nothing to keep"),
    _job("tuning the impossible", "queens tune 3", "tuning for 3 queens: expected 1, or 4 and more"),
    _job(
        "tries in a grid",
        "queens tune 12 --grid --tries 5",
        "--tries: the grid has its own number of sets: leave it out",
    ),
]

_EDGES = "0-1 0-2 1-2\n0-1\n0-2\n1-2\n"


def _task(body: str = _EDGES, host: str = "Bw", fold: int = 1, *, sealed: bool = True) -> str:
    """A task of the triangle into edges; the seal is that of the body."""
    parts = '[{"graph6": "A_", "name": "edge"}]'
    head = f'| decompose {{"host": {{"graph6": "{host}", "name": "K3"}}, "parts": {parts}, "fold": {fold}}}\n'
    seal = f"| copies {body.count(chr(10)) - 1} sha256 {hashlib.sha256(body.encode()).hexdigest()}\n"
    return head + (seal if sealed else "") + body


DECOMPOSE = [
    _job("no host", "decompose solve", "Missing argument 'HOST'"),
    _job("a host that is none", "decompose chess", "the host 'chess': expected one of bull, chvatal, coxeter, cube"),
    _job("no vertices", "decompose K0", "K0: expected 1 to 1,000 vertices"),
    _job("no edges", "decompose K1", "the part 'double-star' on 1 vertices: expected 2 to 1000"),
    _job("10⁹ vertices", "decompose K1000000000", "expected 1 to 1,000 vertices"),
    _job("an odd order", "decompose K7", "no part was named, so a double star was assumed: --into changes it"),
    _job("an unknown part", "decompose K8 --into chair", "the part 'chair': expected one of double-star, path, star"),
    _job("a part that is too big", "decompose K6 --into path-7", "has 7 vertices, K6 only 6: it is too big"),
    _job("a part with too many edges", "decompose K3,3 --into clique-6", "has 15 edges, K3,3 only 9: it is too big"),
    _job("a part of no size", "decompose K6 --into path-0", "the part 'path-0' on 0 vertices: expected 2 to 1000"),
    _job("a part in pieces", "decompose K6 --into 0-1,2-3", "has 2 components: --disconnected allows that"),
    _job("an empty part", "decompose K6 --into []", "an edge list without edges"),
    _job("a part without edges", "decompose K6 --into graph6:C?", "the part C? has no edges"),
    _job(
        "a vertex without an edge", "decompose K6 --into graph6:D_?", "vertex 2 of the part D_? has no edge: leave it"
    ),
    _job("a loop", "decompose K6 --into 0-1,1-1", "the edge 1-1 is a loop: expected two different vertices"),
    _job("an edge twice", "decompose K6 --into 0-1,1-0", "the edge 1-0 is given twice"),
    _job("an edge that is none", "decompose K6 --into 0-1,1", "the edge '1': expected two vertices as 0-1"),
    _job("an open bracket", "decompose K6 --into '[(0,1),(1,2)'", "expected pairs in brackets as [(0,1),(1,2)]"),
    _job("a pair of three", "decompose K6 --into '[(0,1),(1,2,3)]'", "'(1,2,3)': expected a pair as (0,1)"),
    _job("a comma too many", "decompose K6 --into '[(0,1),]'", "the edge list ends with a comma"),
    _job("graph6 cut short", "decompose K6 --into graph6:E", "expected a known word, or graph6 of 6 vertices with 4"),
    _job("graph6 with digits", "decompose K6 --into graph6:E1", "expected characters from ? to ~"),
    _job("a file that is not there", "decompose @nowhere.txt", "nowhere.txt: No such file or directory"),
    Case("a file with half an edge", "0 1\n2\n", "decompose @FILE", "FILE:2: '2': expected the two ends of an edge"),
    Case("a file without edges", "# none\n", "decompose @FILE", "FILE: no edges; expected an edge on each line as 0 1"),
    _job("no copies", "decompose K6 --into '0 x triangle'", "0 copies of triangle: expected at least 1"),
    _job("one part twice", "decompose K6 --into path-3 --into star-3", "are the same graph: give it once"),
    _job("a fold of 0", "decompose K6 --fold 0", "--fold 0: expected a whole number from 1 to 100"),
    _job("a word too many", "decompose K6 path", "'path' is one word too many"),
    _job("an unknown symmetry", "decompose K6 --symmetry mirror", "the symmetry 'mirror': expected cyclic, bicyclic"),
    _job("an order that is too large", "decompose K6 --symmetry 7", "a symmetry of order 7: expected 2 to 6"),
    _job("bicyclic on odd vertices", "decompose K7 --into triangle --symmetry bicyclic", "expected an even number"),
    _job("a symmetry of something else", "decompose K2,3 --into path-3 --symmetry 5", "which is not an edge of K2,3"),
    _job("a vertex in two cycles", "decompose K6 --symmetry '(0 1)(1 2)'", "the vertex 1 occurs twice"),
    _job("conditions that are none", "decompose K6 --conditions 0,1", "expected pairs in brackets as [(0,1),(1,2)]"),
    _job(
        "conditions that lose",
        "decompose K6 -q --conditions '[(0,1),(2,3),(4,5),(2,4)]'",
        "the conditions lose the copy 0-1,0-3,0-4,1-2,1-5",
    ),
    _job(
        "conditions in a circle", "decompose K6 -q --conditions '[(0,1),(1,0)]'", "the conditions contradict each other"
    ),
    _job(
        "a circle of conditions where counting edges says none",
        "decompose K5 --into triangle --conditions '[(0,1),(1,2),(2,0)]'",
        "the conditions contradict each other",
    ),
    _job(
        "too large to list copies or to lay them",
        "decompose K1000 -q",
        "laying is not possible either: K1000 is too large",
    ),
    _job("perfect double stars", "decompose K6 --perfect", "only decompositions into perfect matchings can be perfect"),
    _job(
        "a condition on no vertex",
        "decompose K6 --into '[(5,6),(6,7)]' --conditions '[(0,1)]'",
        "the condition (0,1): expected two different vertices of 5, 6, 7",
    ),
    _job(
        "a given copy that is none",
        "decompose K6 --given 0-1,1-2",
        "the given copy 0-1,1-2 is not a copy of double-star-6",
    ),
    _job("a given copy elsewhere", "decompose K4 --into path-3 --given 0-1,1-9", "9 is not a vertex of K4"),
    _job(
        "an unknown method",
        "decompose K6 -q --method magic",
        "--method magic: expected one of auto, matrix, laying",
    ),
    _job("rows of what has no matrix", "decompose K6 --rows --method laying", "--rows: this method makes no matrix"),
    _job("units of no nodes", "decompose K6 --unit-nodes 0", "--unit-nodes 0: expected a whole number from 1"),
    _job("a log in no folder", "decompose K6 --log no/log.jsonl", "--log no/log.jsonl: cannot write it, the folder no"),
    Case(
        "a check of nothing",
        "\n",
        "decompose check K6 FILE",
        "no decomposition; expected a part on each line as 0-1 1-2",
    ),
    Case("a check of strange vertices", "0-1 1-9\n", "decompose check K4 FILE", "FILE:1: '9' is not a vertex of K4"),
    Case("a number of 5,000 digits", "1" * 5000 + " 2\n", "decompose @FILE", "expected two names of at most 100"),
    Case(
        "a task whose name is a number",
        _task().replace('"K3"', "5"),
        "decompose @FILE",
        "Expected `str`, got `int` - at `$.host.name`",
    ),
    _job(
        "a verb that is none",
        "decompose clases K6",
        "'clases' is not a command of decompose: expected one of solve, count",
    ),
    _job("a task with a fold", "decompose task K4 --fold 2 -o x.dlx", "only a plain decomposition can be a task"),
    Case("a task that is none", "| a\na\n", "decompose @FILE", "FILE: not a task of 'tablero decompose'"),
    Case("a task and a part", _task(), "decompose @FILE --into path", "--into: FILE defines the whole problem"),
    Case("a task cut short", _task()[:-4], "decompose @FILE", "2 of 3 copies are there"),
    Case("a task that was changed", _task().replace("\n1-2", "\n0-1"), "decompose @FILE", "the task was changed"),
    Case(
        "a task without a digest",
        _task(sealed=False),
        "decompose @FILE",
        "its number of copies and digest: make it",
    ),
    Case("a copy twice in a task", _task(_EDGES + "0-2\n"), "decompose @FILE", "not the 3 copies of K3 into edge"),
    Case("a copy too few in a task", _task(_EDGES[:-4]), "decompose @FILE", "not the 3 copies of K3 into edge"),
    Case("a task of another graph", _task(host="C~"), "decompose @FILE", "not the 6 copies of K3 into edge"),
    Case("a task with half a graph", _task(host="B"), "decompose @FILE", "FILE: not a decomposition problem"),
    Case("a task that is a fold", _task(fold=2), "decompose @FILE", "is not an exact cover of edges"),
    _job("a picture of another kind", "decompose K6 --svg k6.png", "--svg k6.png: expected a name that ends in .svg"),
    _job("too large to draw", "decompose K250 --into edge --svg k.svg", "more than 20,000 edges is too large to draw"),
    _job("no folder", "decompose K6 --edges-file no/k6.txt", "--edges-file no/k6.txt: cannot write it, the folder no"),
    _job("too many copies", "decompose K1000 -q", "K1000 has about 3.37·10^304 copies of double-star-1000"),
]

SLIDE = [
    _job("a tile twice", "slide solve '1 2 3/4 5 5/7 8 0'", "the board, row 2, column 3: tile 5 again"),
    _job("two blanks", "slide solve '1 2 3/4 0 6/7 8 0'", "the board, row 3, column 3: a second blank (0)"),
    _job("no blank", "slide solve '1 2 3/4 5 6/7 8 9'", "row 3, column 3: tile 9: expected 1 to 8, or 0 for the blank"),
    _job("rows of different lengths", "slide solve '1 2 3/4 5/6 7 0'", "row 2: 2 tiles where the first row has 3"),
    _job("a word for a tile", "slide solve '1 2 3/4 x 6/7 8 0'", "row 2: 'x': expected a tile's number, or 0"),
    _job("a tile below 0", "slide solve '1 2 3/4 -5 6/7 8 0'", "row 2: '-5': expected a tile's number"),
    _job("a single row", "slide solve '1 2 3 4 0'", "a board of 1×5: expected sides from 2 to 1000"),
    _job("an empty row", "slide solve '1 2//3 0'", "row 2: 0 tiles where the first row has 2"),
    _job("a file that is not there", "slide solve nowhere.txt", "nowhere.txt: No such file or directory"),
    _job("a folder", "slide solve .", ".: Is a directory"),
    Case(
        "a bad board among several",
        "1 2/3 0\n1 1/3 0\n",
        "slide solve FILE",
        "FILE, board 2: the board, row 1, column 2: tile 1 again",
    ),
    Case(
        "several boards as one job",
        "1 2/3 0\n1 2/0 3\n",
        "slide solve FILE --job a",
        "--job goes with one board: there are 2",
    ),
    Case("moves for several boards", "1 2/3 0\n1 2/0 3\n", "slide check FILE --moves E", "--moves goes with one board"),
    Case("an empty file", "", "slide solve FILE", "FILE: empty; expected a board as 1 2 3/4 5 6/7 8 0"),
    Case("only comments", "# nothing\n", "slide check FILE", "FILE: empty; expected a board"),
    Case("bytes that are no text", b"1 2\n\xff 0\n", "slide check FILE", "FILE: byte 4 is not UTF-8 text"),
    _job("an unknown method", "slide solve '1 2/3 0' --method best", "--method best: expected one of auto, table"),
    _job(
        "an unknown goal",
        "slide solve '1 2/3 0' --goal middle",
        "the goal 'middle': expected blank-last or blank-first",
    ),
    _job(
        "a goal of another size", "slide solve '1 2/3 0' --goal '1 2 3/4 5 0'", "the goal has 2×3 cells, the board 2×2"
    ),
    _job(
        "a goal with a tile twice", "slide solve '1 2/3 0' --goal '1 2/2 0'", "the goal, row 2, column 1: tile 2 again"
    ),
    _job("an unknown estimate", "slide solve '1 2/3 0' --estimate luck", "--estimate luck: expected one of auto"),
    _job(
        "databases for a board without any",
        "slide solve '1 2/3 0' --estimate patterns",
        "the estimate 'patterns' is for 3×3, 4×4 and 5×5 with the goal's blank in a corner",
    ),
    _job(
        "an estimate for what needs none",
        "slide solve '1 2/3 0' -m table --estimate lines",
        "an estimate goes with the method optimal, not with table",
    ),
    _job(
        "an unknown estimate for a board that cannot be solved",
        "slide solve '2 1/3 0' --estimate luck",
        "--estimate luck: expected one of auto",
    ),
    _job(
        "a job for what is done at once",
        "slide solve '1 2/3 0' -m table --job a",
        "the method 'table' is not a search that can be kept or shared: leave the job and the cluster out",
    ),
    _job(
        "a job for what gets better with time",
        "slide solve '1 2/3 0' -m anytime --job a",
        "the method 'anytime' is not a search that can be kept or shared: leave the job and the cluster out",
    ),
    _job(
        "a cluster for what is done at once",
        "slide solve '1 2/3 0' -m table --cluster local:1",
        "the method 'table' is not a search that can be kept or shared",
    ),
    _job(
        "a time that a method does not obey",
        "slide solve '1 2/3 0' -m table --time-limit 1s",
        "limits go with optimal and anytime, not with table",
    ),
    _job(
        "a limit that a method does not obey",
        "slide solve '1 2/3 0' -m table --node-limit 9",
        "limits go with optimal and anytime, not with table",
    ),
    _job("rules of what has none", "slide solve '1 2/3 0' -m optimal --explain", "--explain goes with table"),
    _job("no threads", "slide solve '1 2/3 0' --threads 0", "--threads 0: expected a whole number from 1 to 1,024"),
    _job(
        "a page into nowhere",
        "slide solve '1 2/0 3' -q --page nowhere/x.html",
        "--page nowhere/x.html: cannot write it, the folder nowhere is not there",
    ),
    _job(
        "a page by another name",
        "slide solve '1 2/0 3' --page x.svg",
        "--page x.svg: expected a name that ends in .html",
    ),
    _job("a picture by another name", "slide random --svg x.png", "--svg x.png: expected a name that ends in .svg"),
    _job("moves into a folder", "slide solve '1 2/0 3' -o .", "--output .: cannot write it, it is a folder"),
    _job("the worst case of 2×2", "slide worst 2", "N 2: expected a whole number from 3 to 40"),
    _job("the worst case of 10⁶", "slide worst 1000000", "N 1000000: expected a whole number from 3 to 40"),
    _job(
        "the worst case of a search", "slide worst 4 --method optimal", "--method optimal: expected one of table, sides"
    ),
    _job("a random board of no size", "slide random 4by4", "the size '4by4': expected a number as 4"),
    _job("a random board of one row", "slide random 1x5", "a board of 1×5: expected sides from 2 to 1000"),
    _job("a seed below 0", "slide random 4 --seed -1", "--seed -1: expected a whole number from 0"),
    _job("no boards", "slide random 4 --count 0", "--count 0: expected a whole number from 1 to 100,000"),
    _job(
        "moves that are none",
        "slide check '1 2/3 0' --moves NORTH",
        "--moves: character 2 is 'O': expected N, S, E or W",
    ),
]

WAREHOUSE = [
    _job(
        "n that is no square", "warehouse solve 10", "a warehouse of n = 10: expected a perfect square as 9, 16 or 25"
    ),
    _job("n below 4", "warehouse solve 1", "a warehouse of n = 1: expected at least 4"),
    _job("no n at all", "warehouse solve many", "the size 'many': expected a perfect square as 9"),
    _job("blocks without their side", "warehouse solve 2x5", "expected a side, that of a block, with it"),
    _job("a side with n", "warehouse solve 9 --side 3", "a side goes with blocks down and across as 2x5"),
    _job("blocks of side 1", "warehouse solve 2x2 --side 1", "blocks of 1×1: expected a side of at least 2"),
    _job("a seed below 0", "warehouse solve 9 --seed=-3", "--seed -3: expected a whole number from 0"),
    _job(
        "an unknown planner", "warehouse solve 9 --method fast", "--method fast: expected one of auto, exchange, direct"
    ),
    _job("more moves than there is room for", "warehouse solve 961", "moves: expected at most 100,000,000"),
    _job("a goal that is too short", "warehouse solve 9 --goal '1 2'", "a goal of 2 tiles: expected 36"),
    _job("a goal of other tiles", "warehouse solve 4 --goal '1 2 3 3'", "the goal has other tiles than the floor"),
    Case("a ragged floor", ". 1\n.\n", "warehouse solve ./FILE", "line 2: 1 cells: expected 2"),
    Case("a floor with a word", ". a\n. .\n", "warehouse solve ./FILE", "line 1, cell 2: 'a': expected a number"),
    Case("a floor without blocks", "1 2\n3 .\n", "warehouse solve ./FILE", "3 tiles on 2×2 cells: expected a tile for"),
    Case("an empty floor", "\n", "warehouse solve ./FILE", "no floor in it"),
    Case("a floor and an order", ". .\n", "warehouse solve ./FILE --order random", "--order goes with a size"),
    _job("no blocks", "warehouse solve 0x2 --side 3", "0×2 blocks: expected at least one each way"),
    _job("a floor of 10⁸ cells", "warehouse solve 1000x1000 --side 9", "expected at most 1,000,000 cells"),
    _job("too few tiles", "warehouse solve 9 --order '1 2 3'", "an order of 3 tiles: expected 36"),
    _job(
        "a tile twice", "warehouse solve 1x1 --side 3 --order '1 2 3 4 5 6 7 8 8'", "place 9 of the order: tile 8 again"
    ),
    _job("a tile too many", "warehouse solve 1x1 --side 3 --order '1 2 3 4 5 6 7 8 10'", "tile 10: expected 1 to 9"),
    _job(
        "an unknown order",
        "warehouse solve 9 --order sorted",
        "the order 'sorted': expected random, reversed, scattered",
    ),
    Case("a word in a file", "1 2 x\n", "warehouse solve 9 --order ./FILE", "./FILE, place 3: 'x': expected a tile's"),
    _job(
        "moves into nowhere", "warehouse solve 9 -o nowhere/x.csv", "cannot write it, the folder nowhere is not there"
    ),
    _job(
        "moves as a picture",
        "warehouse solve 9 -o x.svg",
        "--output x.svg: expected a name that ends in .csv or .txt or .json",
    ),
    _job("a floor too large to draw", "warehouse solve 121 --svg x.svg", "a floor of 121×121 is too large to draw"),
]

_FOUR = "0 1 1 0\n0 1 1 0\n0 1 1 0\n0 1 1 0\n"  # a board of 2×2

EDGES = [
    _job("a file that is not there", "edges solve nowhere.txt", "nowhere.txt: No such file or directory"),
    Case("an empty file", "", "edges solve FILE", "FILE: no pieces; expected a line a piece"),
    Case("bytes that are no text", b"0 1\xff\n", "edges solve FILE", "FILE: byte 3 is not UTF-8 text"),
    Case("a ragged matrix", _FOUR[:16] + "0 1 1\n0 1 1 0\n", "edges solve FILE", "FILE:3: 3 numbers: expected 4"),
    Case("a word for a colour", "0 1 1 0\n0 x 1 0\n", "edges solve FILE", "FILE:2: 'x': expected a colour"),
    Case("a colour below 0", "0 1 1 0\n0 -1 1 0\n", "edges solve FILE", "FILE:2: '-1': expected a colour"),
    Case("a colour of 10⁸", _FOUR.replace("0 1", "0 100000000", 1), "edges solve FILE", "colour 100000000: expected 0"),
    Case("five pieces", _FOUR + "0 1 1 0\n", "edges solve FILE", "5 pieces fill no board of squares"),
    Case("five pieces for 2×2", _FOUR + "0 1 1 0\n", "edges solve FILE --size 2", "5 pieces for a board of 4 cells"),
    Case(
        "three corners", _FOUR[:24] + "0 1 1 1\n", "edges solve FILE", "3 pieces with two border sides, as for a corner"
    ),
    Case("no border at all", "1 1 1 1\n" * 4, "edges solve FILE", "pieces with border sides as 1111"),
    Case("a size that does not fit", "2 3\n" + _FOUR, "edges solve FILE", "a board of 2×3, but 4 pieces follow"),
    Case("a size of nothing", _FOUR, "edges solve FILE --size 0", "a board of 0×0: expected sides from 1"),
    Case("a size that is no number", _FOUR, "edges solve FILE --size big", "the size 'big': expected a number"),
    Case("a size twice", "size 2\nsize 2\n" + _FOUR, "edges solve FILE", "expected one word after size, once"),
    Case("an unknown shape", "shape cube\n" + _FOUR, "edges solve FILE", "the shape 'cube': expected one of square"),
    Case("squares for triangles", "shape triangle\n" + _FOUR, "edges solve FILE", "4 numbers: expected 3"),
    Case("a turning of some", "turning some\n" + _FOUR, "edges solve FILE", "turning 'some': expected all or none"),
    Case("a border no piece has", _FOUR, "edges solve FILE --border 7", "no piece has the border colour 7"),
    Case("a border of a word", _FOUR, "edges solve FILE --border red", "the border 'red': expected its number"),
    Case(
        "colours from 5 on",
        "5 6 6 5\n" * 4,
        "edges solve FILE",
        "colours from 5 on: give the number of the border",
    ),
    Case("opposite borders", "0 1 0 1\n" * 4, "edges solve FILE", "give the order of the sides, as tblr"),
    Case(
        "an order of sides", _FOUR, "edges solve FILE --sides nesw", "the order 'nesw': expected the letters t, r, b, l"
    ),
    Case(
        "half a clue",
        "clue r1c1\n" + _FOUR,
        "edges solve FILE",
        "FILE:1: the clue 'r1c1': expected cell, piece and turn",
    ),
    Case(
        "a clue off the board",
        "clue r3c1 1 0\n" + _FOUR,
        "edges solve FILE",
        "the cell 'r3c1': expected row and column",
    ),
    Case("a clue for no piece", "clue r1c1 5 0\n" + _FOUR, "edges solve FILE", "expected a piece from 1 to 4"),
    Case("a clue turned too far", "clue r1c1 1 4\n" + _FOUR, "edges solve FILE", "turn 4, expected 0 to 3"),
    Case(
        "two clues for a cell", "clue r1c1 1 3\nclue r1c1 2 3\n" + _FOUR, "edges solve FILE", "r1c1 has a clue already"
    ),
    Case("a clue across the border", "clue r1c1 1 1\n" + _FOUR, "edges solve FILE", "at r1c1 contradicts the border"),
    Case(
        "clues that contradict",
        "clue r1c1 1 0\nclue r1c2 2 1\n0 1 1 0\n0 1 2 0\n0 1 1 0\n0 2 1 0\n",
        "edges solve FILE",
        "the clues at r1c1 and r1c2 contradict each other",
    ),
    Case("an unknown method", _FOUR, "edges solve FILE --method magic", "--method magic: expected one of auto"),
    Case("an order for fewest", _FOUR, "edges solve FILE -m fewest --order rows", "goes with the method scan"),
    Case(
        "an unknown order", _FOUR, "edges solve FILE -m scan --order zigzag", "the order 'zigzag': expected one of rows"
    ),
    Case(
        "an order with gaps", _FOUR, "edges solve FILE -m scan --order r1c1,r1c2", "expected each of the 4 cells once"
    ),
    Case("counting by beam", _FOUR, "edges count FILE --method beam", "the method beam misses solutions"),
    Case(
        "a frame without a border",
        "border none\n" + "1 2 1 2\n" * 4,
        "edges solve FILE --method frame",
        "the method frame is for puzzles with a border",
    ),
    Case("all solutions by beam", _FOUR, "edges solve FILE -m beam -n all", "neither count them nor find all"),
    Case("a picture of another kind", _FOUR, "edges solve FILE --svg b.png", "--svg b.png: expected a name that ends"),
    Case("no threads", _FOUR, "edges solve FILE --threads 0", "--threads 0: expected a whole number from 1 to 1,024"),
    Case("an unknown encoding", _FOUR, "edges encode FILE --encoding 3", "--encoding 3: expected one of 1, 2, xcc"),
    Case("coloured joins in full", _FOUR, "edges encode FILE --full", "--full: coloured joins have one form only"),
    Case("an unknown format", _FOUR, "edges convert FILE --to png", "--to png: expected one of pieces, csv, viewer"),
    Case("an address without a board", _FOUR, "edges convert FILE --to viewer", "give one with --board"),
    Case("no board to keep", _FOUR, "edges convert FILE --solution s.txt", "there is no board to write"),
    Case(
        "an address cut short", "#board_w=2&board_h=2&board_edges=abba", "edges show FILE", "has 4 letters: expected 16"
    ),
    Case("an address without a size", "#board_edges=abba", "edges show FILE", "board_h=: expected a number from 1"),
    Case(
        "a sign in an address",
        "#board_w=1&board_h=1&board_edges=ab!a",
        "edges show FILE",
        "board_edges has '!' at letter 3",
    ),
    Case(
        "a beam of nothing",
        _FOUR,
        "edges optimise FILE --width 0",
        "--width 0: expected a whole number from 1 to 1,000,000",
    ),
    Case("more clues than there are", _FOUR, "edges optimise FILE --clues 2", "--clues 2: expected all, none"),
    Case("a seed below 0", _FOUR, "edges optimise FILE --seed -1", "--seed -1: expected a whole number from 0"),
    Case(
        "a seed of 2⁶⁴",
        _FOUR,
        f"edges optimise FILE --seed {2**64}",
        "--seed 18446744073709551616: expected a whole number from 0",
    ),
    Case(
        "a seed of walks",
        _FOUR,
        f"edges estimate FILE --seed {2**63}",
        "--seed 9223372036854775808: expected a whole number from 0",
    ),
    Case(
        "no walks", _FOUR, "edges estimate FILE --probes 0", "--probes 0: expected a whole number from 1 to 10,000,000"
    ),
    Case("a clue of one word", _FOUR, "edges solve FILE --clue r1c1", "expected cell, piece and turn as r2c3,6,1"),
    Case("a clue off the board", _FOUR, "edges solve FILE --clue r9c9,1,0", "the cell 'r9c9': expected row and column"),
    Case("a board cut short", _FOUR, "edges show FILE --board FILE", "expected piece/turn as 12/1"),
    Case("turns of some", "turns twice\n" + _FOUR, "edges solve FILE", "turns 'twice': expected all or once"),
    Case(
        "an unknown branching", _FOUR, "edges trace FILE --branch last", "--branch last: expected one of fewest, first"
    ),
    Case("no steps", _FOUR, "edges trace FILE --steps 0", "--steps 0: expected a whole number from 1 to 100,000"),
    _job("an address with no size", "edges show #board_edges=abba", "the address: board_h=: expected a number from 1"),
    _job(
        "too many on the frame", "edges generate 4 --framed 13,1", "13 colours along the frame: a board of 4 has room"
    ),
    _job("no colours named", "edges generate 5", "expected either --colours or --framed"),
    _job("too many colours", "edges generate 4 --colours 25", "a board of 4 has room for at most 25"),
    _job("half a frame", "edges generate 4 --framed 5", "--framed 5: expected the colours along the frame and inside"),
    _job("a board of 10⁴", "edges generate 100 --colours 5", "a board of 10,000 cells: expected at most 4,096"),
    _job("one colour, all distinct", "edges generate 5 --colours 1 --distinct", "no 25 distinct pieces in 200 draws"),
    _job("an oblong hexagon", "edges generate 3x4 --colours 3 --shape hexagon", "a board of hexagons has one size"),
]

SUDOKU = [
    _job(
        "four digits",
        "sudoku solve 1234",
        "the puzzle 1234: 4 cells: expected 16, 36, 81, 144, 256 or 625, or a file",
    ),
    _job("a file that is not there", "sudoku solve nowhere.sdk", "nowhere.sdk: No such file or directory"),
    _job("a folder", "sudoku solve .", ".: Is a directory"),
    Case("an empty file", "", "sudoku solve FILE", "FILE: empty: expected a puzzle"),
    Case("bytes that are no text", b"12\xff\n", "sudoku solve FILE", "FILE: byte 2 is not UTF-8 text"),
    Case("80 cells", _SUDOKU[:80], "sudoku solve FILE", "FILE:1: 80 characters: expected 16, 36, 81, 144, 256, 625"),
    _job("82 cells", f"sudoku solve {_SUDOKU}.", "the puzzle: 82 characters: expected 16, 36, 81"),
    Case("a letter", "?" + _SUDOKU[1:], "sudoku solve FILE", "FILE:1: character 1 is '?': expected a digit, or one of"),
    Case("a digit too large", "A" + _SUDOKU[1:], "sudoku solve FILE", "FILE:1: r1c1: 10: expected a digit from 1 to 9"),
    Case(
        "a digit twice in a row",
        "5...5" + "." * 76,
        "sudoku solve FILE",
        "FILE:1: the digit 5 occurs twice in row 1: at r1c1 and r1c5",
    ),
    Case(
        "a digit twice in a column",
        "7" + "." * 71 + "7........",
        "sudoku solve FILE",
        "the digit 7 occurs twice in column 1: at r1c1 and r9c1",
    ),
    Case(
        "a digit twice in a box",
        "3" + "." * 9 + "3" + "." * 70,
        "sudoku solve FILE",
        "the digit 3 occurs twice in box 1: at r1c1 and r2c2",
    ),
    _job(
        "a digit twice in a diagonal",
        "sudoku solve 4" + "." * 79 + "4 --diagonals",
        "the digit 4 occurs twice in the falling diagonal: at r1c1 and r9c9",
    ),
    Case("8 rows", (".........\n") * 8, "sudoku solve FILE", "FILE: 8 rows of 9 cells: expected 9 rows"),
    Case("a short row", "1........\n" * 4 + "12\n", "sudoku solve FILE", "FILE:5: a row of 2 cells: expected 9"),
    Case("rows of 7", ".......\n" * 7, "sudoku solve FILE", "FILE:1: a row of 7 cells: expected one of 4, 6, 9"),
    Case("a word in CSV", "1,2,three,4\n", "sudoku solve FILE", "FILE:1: field 3 is 'three': expected a digit"),
    Case("10 in CSV", "10,,,\n,,,\n,,,\n,,,\n", "sudoku solve FILE", "FILE: r1c1: 10: expected a digit from 1 to 4"),
    Case(
        "a bad line among many",
        f"{_SUDOKU}\n{_SUDOKU}\n{_SUDOKU[:70]}\n",
        "sudoku solve FILE -q",
        "FILE:3: 70 characters: expected 16, 36, 81",
    ),
    Case(
        "clues against the rules among many",
        f"{_SUDOKU}\n11{'.' * 79}\n",
        "sudoku solve FILE -q",
        "FILE:2: the digit 1 occurs twice in row 1: at r1c1 and r1c2",
    ),
    Case("many puzzles for a hint", f"{_SUDOKU}\n{_SUDOKU}\n", "sudoku hint FILE", "FILE: 2 puzzles, expected one"),
    Case("many puzzles for a job", f"{_SUDOKU}\n{_SUDOKU}\n", "sudoku solve FILE --job x", "a file of many puzzles"),
    Case("an unknown section", "colour: red\n", "sudoku solve FILE", "FILE:1: the section 'colour': expected one of"),
    Case(
        "regions of two sizes",
        "regions:\naaab\naabb\nccdd\nccdd\n",
        "sudoku solve FILE",
        "FILE:2: region 'a' has 5 cells: expected 4 regions of 4",
    ),
    Case(
        "a cage without a sum",
        "cages:\naa..\n....\n....\n....\n",
        "sudoku solve FILE",
        "FILE:2: cage 'a' has no sum: expected a=… in the section 'sums'",
    ),
    Case(
        "a sum that cannot be",
        "cages:\naa..\n....\n....\n....\nsums: a=9\n",
        "sudoku solve FILE",
        "FILE: cage 1 at r1c1: 2 different digits cannot add up to 9, only to 3 to 7",
    ),
    Case(
        "a sum for no cage",
        "cages:\naa..\n....\n....\n....\nsums: b=9\n",
        "sudoku solve FILE",
        "'b=9': expected the sum",
    ),
    _job("an unknown technique", f"sudoku steps {_SUDOKU} --technique x", "the technique 'x': expected one of the"),
    Case("no library line", "0300\n", "sudoku library FILE", "FILE:1: 0 fields: expected :code:digits:cells"),
    Case("an empty library", "# nothing\n", "sudoku library FILE", "FILE: empty; expected library lines"),
    _job("81 cells too many", "sudoku hint :0300::" + "." * 162 + "::::", "character 82 is '.': expected 81 digits"),
    _job("a rating of many solutions", f"sudoku rate {'.' * 81} -q", "the puzzle has more than one solution"),
    _job("an unknown method", f"sudoku step {_SUDOKU} --method guess", "--method guess: expected one of logic, sweeps"),
    _job("a count up to 0", f"sudoku count {_SUDOKU} -n 0", "--solutions 0: expected a whole number from 1, or all"),
    _job(
        "a limit of 0",
        f"sudoku count {_SUDOKU} --solutions 0",
        "--solutions 0: expected a whole number from 1, or all",
    ),
    Case("a sheet of a text", _SUDOKU, "sudoku solve FILE --sheet x", "FILE: not a spreadsheet: leave --sheet out"),
    _job(
        "a picture into nowhere",
        f"sudoku solve {_SUDOKU} --svg no/x.svg",
        "--svg no/x.svg: cannot write it, the folder no is not there",
    ),
    _job("a drawing as x.png", f"sudoku hint {_SUDOKU} --svg x.png", "--svg x.png: expected a name that ends in .svg"),
    _job("a page as x.svg", f"sudoku solve {_SUDOKU} --pdf x.svg", "--pdf x.svg: expected a name that ends in .pdf"),
    _job(
        "a board as a picture", f"sudoku step {_SUDOKU} -o x.svg", "--output x.svg: expected a name that ends in .xlsx"
    ),
    _job(
        "a board as .ods", f"sudoku solve {_SUDOKU} -o x.ods", "--output x.ods: spreadsheets are written as .xlsx only"
    ),
    Case(
        "many answers into a picture",
        f"{_SUDOKU}\n{_SUDOKU}\n",
        "sudoku solve FILE -o x.pdf",
        "--output x.pdf: expected a name that ends in .xlsx",
    ),
    Case(
        "a column that is not there",
        f"quizzes,solutions\n{_SUDOKU},x\n{_SUDOKU},y\n",
        "sudoku solve FILE --column puzzles",
        "FILE: no column 'puzzles': expected one of 'quizzes', 'solutions'",
    ),
    Case(
        "a column of other things",
        f"quizzes,solutions\n{_SUDOKU},x\n{_SUDOKU},y\n",
        "sudoku solve FILE --column solutions",
        "FILE: the column 'solutions' holds no puzzles: expected the cells of a puzzle in each row",
    ),
    Case(
        "a bad row of a table",
        f"name,puzzle\none,{_SUDOKU}\ntwo,{_SUDOKU[:70]}\n",
        "sudoku rate FILE --json",
        "FILE:3: 70 characters: expected 16, 36, 81",
    ),
    _job("one rating into a file", f"sudoku rate {_SUDOKU} -o x.csv", "--output x.csv: only for a file of many"),
    Case("a section without rows", "cages:\n", "sudoku solve FILE", "FILE: expected a section 'board' with rows"),
    Case(
        "nodes of many",
        f"{_SUDOKU}\n{_SUDOKU}\n",
        "sudoku solve FILE --node-limit 9",
        "a file of many puzzles has no node limit: use --time-limit",
    ),
    _job("a board of 7×7", "sudoku generate --side 7", "--side 7: expected one of 4, 6, 9, 12, 16, 25"),
    _job("no puzzles", "sudoku generate --count 0", "--count 0: expected a whole number from 1 to 10,000,000"),
    _job("an unknown kind", "sudoku generate --kind hexagon", "--kind hexagon: expected one of plain, x"),
    _job("an unknown symmetry", "sudoku generate --symmetry round", "--symmetry round: expected one of none"),
    _job(
        "a rating that is none",
        "sudoku generate --rating mild",
        "the rating 'mild': expected one of easy, medium, hard",
    ),
    _job("a rating the wrong way round", "sudoku generate --rating 4-3", "the rating '4-3': expected numbers from 1.0"),
    _job(
        "minimal, and so many clues",
        "sudoku generate --minimal --clues 30",
        "--clues cannot be combined with --minimal",
    ),
    _job("82 clues", "sudoku generate --clues 82", "--clues 82: expected 0 to 81"),
    _job(
        "a minimal board of 25×25",
        "sudoku generate --side 25 --minimal",
        "--minimal: expected a side up to 12, because larger puzzles cannot be proved minimal",
    ),
    _job(
        "a killer with clues",
        "sudoku generate --kind killer --clues 9",
        "killer puzzles: expected a side up to 9 and no clues",
    ),
    _job("5 on a page", "sudoku generate --per-page 5", "--per-page 5: expected one of 1, 2, 4, 6, 12"),
    _job("a seed below 0", "sudoku generate --seed -1", "--seed -1: expected a whole number from 0"),
    _job(
        "several killers into a sheet",
        "sudoku generate -n 2 --kind killer -o x.xlsx",
        "--output x.xlsx: a file of several puzzles can hold only plain ones",
    ),
]

JOBS = [
    _job("a job that is not there", "jobs show nothing", "there is no job 'nothing'"),
    _job("resuming what is not there", "jobs resume nothing", "there is no job 'nothing'"),
    _job("removing what is not there", "jobs remove nothing", "there is no job 'nothing'"),
    _job("exporting what is not there", "jobs export nothing", "there is no job 'nothing'"),
    _job("stopping what is not there", "jobs stop nothing", "there is no job 'nothing'"),
    _job("a name that leaves the folder", "jobs show ../secret", "the job name '../secret': expected 1 to 64 letters"),
    Case("a blank for a job name", "a\na\n", "cover count FILE --job ' '", "the job name ' ': expected 1 to 64"),
    Case("no name for a job", "a\na\n", "cover count FILE --job ''", "--job '': expected a name"),
    _job("a file that is no job", "jobs show text", "is damaged (file is not a database)"),
    _job("a database that is no job", "jobs show other", "is not a tablero job"),
    _job("a job of another schema", "jobs resume newer", "has schema 99, this version of tablero reads schema 1"),
    _job("a job cut short", "jobs resume cut", "is damaged"),
    Case("a job's name for another problem", "a b\na b\n", "cover count FILE --job queens", "is of another problem"),
    _job("a job begun with another verb", "cover solve queens.dlx --job queens", "was begun as 'cover count'"),
    _job("a job begun with another kernel", "cover count queens.dlx --job queens --kernel sparse", "was begun as"),
    _job("a job of an unknown family", "jobs resume alien", "belongs to the family 'chess', unknown"),
]
