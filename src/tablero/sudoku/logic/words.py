"""What each technique is, in a sentence or two: for the pages and for whoever asks."""

from __future__ import annotations

ABOUT = {
    "last value": "A row, column or box with one empty cell.",
    "hidden single in a box": "A digit with one place left in a box.",
    "hidden single": "A digit with one place left in a row, a column or a diagonal.",
    "direct pointing": "All places of a digit in a box lie in one line; what that takes from the rest of the line leaves a "
    "single at once.",
    "direct claiming": "All places of a digit in a line lie in one box, and a single follows at once.",
    "direct hidden pair": "A hidden pair after which another digit has one place left in the same unit.",
    "naked single": "A cell with one digit left. This is all that the source's sweeps use.",
    "direct hidden triplet": "A hidden triplet after which another digit has one place left in the same unit.",
    "cage combinations": "Which digits can fill the cells of a cage with its sum: those in no combination go.",
    "pointing": "All places of a digit in a box lie in one line: it goes from the rest of the line.",
    "claiming": "All places of a digit in a line lie in one box: it goes from the rest of the box.",
    "innies and outies": "Units and the cages in them are added up: what sticks out, or is left over, has a known sum.",
    "locked pair": "A naked pair whose cells share a box and a line: the digits go from both.",
    "naked pair": "Two cells of a unit hold the same two digits: those go from the others.",
    "X-wing": "A digit has its two places of two lines in the same two crossing lines.",
    "hidden pair": "Two digits of a unit fit only into the same two cells: those hold nothing else.",
    "locked triplet": "A naked triplet whose cells share a box and a line: the digits go from both.",
    "naked triplet": "Three cells of a unit hold three digits between them.",
    "swordfish": "The X-wing with three lines.",
    "hidden triplet": "Three digits of a unit fit only into three cells.",
    "XY-wing": "A pivot with two candidates, and two pincers that share one candidate with it each and one between them.",
    "XYZ-wing": "The same with a pivot of three candidates.",
    "unique rectangle, type 1": "Four cells in two rows, two columns and two boxes that held only the same two digits would "
    "allow two solutions. Where three of them do, the fourth holds something else. Like all uniqueness tests it is used "
    "only where one solution is proved.",
    "unique rectangle, type 2": "Two neighbouring corners have one further digit, the same: one of them holds it.",
    "unique rectangle, type 3": "The further digits of two neighbouring corners count as one cell, which makes a naked "
    "subset with other cells.",
    "unique rectangle, type 4": "One of the two digits must be in two neighbouring corners: the other can be in neither.",
    "unique rectangle, type 5": "Type 2 where the corners with the further digit are diagonal, or three.",
    "unique rectangle, type 6": "Two diagonal corners hold the pair only, and one digit has no other place in both rows or "
    "both columns: the other two corners do not hold it.",
    "hidden rectangle": "A corner opposite to one that holds the pair only; one digit has no other place in its row and its "
    "column than the corners, so it does not hold the other digit.",
    "avoidable rectangle, type 1": "Three corners have been filled, none of them given: the fourth may not complete a "
    "rectangle that could be swapped.",
    "avoidable rectangle, type 2": "Two corners have been filled, and the others hold what would complete the rectangle or "
    "one further digit, the same: one of them holds that.",
    "naked quad": "Four cells of a unit hold four digits between them.",
    "jellyfish": "The X-wing with four lines.",
    "hidden quad": "Four digits of a unit fit only into four cells.",
    "BUG": "Every cell but one has two candidates, and every digit two places in every unit but for one: the odd one "
    "decides. BUG is short for bivalue universal grave; one solution must be proved.",
    "BUG+n": "A few candidates keep the board from being a BUG: one of them is right, and what none of them leaves goes.",
    "simple colouring": "Places of one digit, joined in pairs, in two colours of which one is right: what sees both goes.",
    "simple colouring, wrap": "Two places of one colour see each other: that colour is wrong.",
    "skyscraper": "Two rows (or columns) with two places each, two of them in one column (row): of the other two ends one "
    "is right.",
    "two-string kite": "A row and a column with two places each, joined in a box: of the far ends one is right.",
    "dual two-string kite": "Two kites with the same two cells as their joint, of one digit or of two.",
    "turbot fish": "Two strong links of a digit in any two units, joined by a weak one.",
    "empty rectangle": "The places of a digit in a box lie in one row and one column: a strong link outside that meets the "
    "one reaches over to the other.",
    "dual empty rectangle": "Two empty rectangles of one box.",
    "remote pair": "Cells with the same two candidates, each seeing the next: of two that are an odd number of steps apart "
    "each digit is in one.",
    "X-chain": "Strong and weak links in turns, all of one digit.",
    "multi-colours 1": "Two coloured clusters of a digit: colours that see each other are not both right, so one of their "
    "opposites is.",
    "multi-colours 2": "A colour that sees both colours of another cluster is wrong.",
    "finned X-wing": "An X-wing but for further places in one box, the fins: what goes must see them, too.",
    "sashimi X-wing": "A finned X-wing one of whose lines has only one place beside the fins.",
    "W-wing": "Two cells with the same pair, and between them a strong link of one digit: one of them holds the other.",
    "finned swordfish": "The finned X-wing with three lines.",
    "sashimi swordfish": "The sashimi X-wing with three lines.",
    "siamese finned swordfish": "Two finned swordfish of the same lines with other fins, one of which may be sashimi: what "
    "goes by the one and what goes by the other.",
    "siamese sashimi swordfish": "Two sashimi swordfish of the same lines with other fins.",
    "XY-chain": "A chain through cells with two candidates.",
    "WXYZ-wing": "Four cells with four digits, of which only one could stand there twice: it stands there once.",
    "continuous nice loop": "A chain that closes: of every weak link one end is right.",
    "AIC": "An alternating inference chain, with links of all kinds: one of its ends is right.",
    "discontinuous nice loop": "A chain that comes back to where it began and so proves or refutes it.",
    "finned jellyfish": "The finned X-wing with four lines.",
    "sashimi jellyfish": "The sashimi X-wing with four lines.",
    "siamese finned jellyfish": "Two finned jellyfish of the same lines, one of which may be sashimi.",
    "siamese sashimi jellyfish": "Two sashimi jellyfish of the same lines.",
    "franken X-wing": "A fish of two units with boxes among them.",
    "franken swordfish": "A fish of three units with boxes among them.",
    "franken jellyfish": "A fish of four units with boxes among them.",
    "ALS-XZ": "Two almost locked sets (cells of a unit with one digit more than cells) that cannot both hold a digit x: one "
    "of them is locked, and a digit z of both goes where it sees all of its places in them.",
    "ALS-XY-wing": "A third set between two others.",
    "finned franken X-wing": "A franken X-wing with fins.",
    "finned franken swordfish": "A franken swordfish with fins.",
    "siamese finned franken swordfish": "Two finned franken swordfish of one base.",
    "mutant X-wing": "A fish of two units with rows and columns mixed on one side, boxes allowed.",
    "mutant swordfish": "A fish of three units with rows and columns mixed on one side, boxes allowed.",
    "grouped continuous nice loop": "A continuous loop in which several places in a box and a line stand for one.",
    "grouped AIC": "An AIC in which several places in a box and a line stand for one.",
    "grouped discontinuous nice loop": "A discontinuous loop in which several places in a box and a line stand for one.",
    "Sue de Coq": "Two or three cells where a box and a line meet, a set of the line and a set of the box without a common "
    "digit: as many digits as cells, all locked.",
    "Nishio": "A candidate that contradicts itself with places of its own digit alone.",
    "finned franken jellyfish": "A franken jellyfish with fins. A place in two units of the base is a fin, too; and what "
    "goes may lie in the base itself, where two units of the cover meet.",
    "siamese finned franken jellyfish": "Two finned franken jellyfish of one base.",
    "mutant jellyfish": "A fish of four units with rows and columns mixed on one side, boxes allowed.",
    "ALS chain": "Four almost locked sets or more, each joined to the next: every other digit of both ends goes where it "
    "sees all of its places there.",
    "finned mutant X-wing": "A mutant X-wing with fins.",
    "finned mutant swordfish": "A mutant swordfish with fins.",
    "continuous nice loop with locked sets": "A continuous loop that passes through almost locked sets.",
    "AIC with locked sets": "An AIC that passes through almost locked sets.",
    "discontinuous nice loop with locked sets": "A discontinuous loop that passes through almost locked sets.",
    "finned mutant jellyfish": "A mutant jellyfish with fins.",
    "siamese finned mutant jellyfish": "Two finned mutant jellyfish of one base.",
    "finned mutant squirmbag": "A mutant fish of five units with fins.",
    "finned mutant whale": "A mutant fish of six units with fins.",
    "death blossom": "A cell, and for each of its candidates a set that is locked if the cell takes it; a digit of all sets "
    "goes where it sees all of its places.",
    "forcing chain, contradiction": "A candidate from which, by chains of links, something follows and its opposite.",
    "forcing chain, verity": "Something follows by chains from every candidate of a cell, or from every place of a digit.",
    "template set": "A cell that is in every layout of a digit that is still possible, by itself or where what is sure of "
    "the other digits has ruled layouts out.",
    "template delete": "A cell that is in no layout of a digit that is still possible, likewise.",
    "forcing net, contradiction": "A candidate is taken for true or false, and the singles that follow contradict each "
    "other. Sudoku Explainer calls it a dynamic contradiction forcing chain.",
    "forcing net, verity": "Something follows by such nets from every candidate of a cell, from every place of a digit, or "
    "from a candidate whether it is true or false.",
    "wide forcing net": "A net in which pointing, claiming, pairs and X-wings are followed, too (dynamic +).",
    "nested forcing chain": "A net in which candidates are tried by chains in their turn (dynamic + forcing chains).",
    "nested multiple forcing chain": "A nested chain in which cells and digits of units are tried, too: what every one of "
    "their candidates refutes is false (dynamic + multiple forcing chains).",
    "nested forcing net": "A net in which candidates are tried by nets in their turn, and where that does not do, cells and "
    "digits of units as well (dynamic + dynamic forcing chains).",
}
