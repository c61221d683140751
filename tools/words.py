#!/usr/bin/env python3
"""Words that may not come back: each with the better word and the reason. Prints every place that has one.

Names, comments, messages and documents are read by people who know the field. A metaphor, or a phrase carried over
from another language, makes them stop and guess.
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

project = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Word:
    pattern: str
    better: str
    reason: str
    except_in: tuple = ()  # files and folders that have it: names that changed


words = [
    Word(r"\banew\b", "again, recomputed, from scratch", "archaic"),
    Word(r"\b(bytes?|values?|one|numbers?|µs|slots?|floats?|rows?|times?|core|normals?|nodes?) an? "
         r"(point|row|line|node|slot|cell|value|room|concept|subcommand|format)\b",
         "per: bytes per point", "reads as a noun phrase of its own"),
    Word(r"\bso (many|much)\b", "the name of the parameter, or its number", "how many? the reader has to look for it"),
    Word(r"\b(tells?|told|telling)\b|[A-Z]\w*(Tells?|Told)[A-Z]|\b(Tells?|Told)[A-Z]",
         "reports, prints, says, shows, names, distinguishes",
         "things do not talk; which of these is meant stays open"),
    Word(r"\b(left|leaves?|leaving) over\b", "residual, remainder", "the field has a word for it"),
    Word(r"\bblind(ly)?\b", "automatic, without settings", "a metaphor"),
    Word(r"\b[Tt]wins?\b|\b[Ss]haken\b", "PerturbedPair, perturbed", "a metaphor; Stein's estimate has perturbations"),
    Word(r"\bHolding\b", "FormatCapabilities", "not a noun that anybody would search for"),
    Word(r"\b(struct Whole|Whole&|io::Whole)\b", "FileHeader", "the whole of what?"),
    Word(r"\bTalk\b", "Verbosity", "a metaphor"),
    Word(r"[.>]within\(", "within_radius(radius)", "took a squared distance under a name that says a distance"),
    Word(r"\b(hear|conclude)\(|\bOpinion\b", "add_fits, apply, Accumulator", "a metaphor"),
    Word(r"\b[Ee]ven(ing|_out)\b", "equalise_spacing", "even reads as an adverb", ("CHANGELOG.md",)),
    Word(r"(?<!degrees of )(?<!degree of )(?<!degrees_of_)\bfreedom\b", "degrees_of_freedom",
         "that is the name of the quantity"),
    Word(r"\blots?\b", "tie_break", "a lot decides among equals, but means much in English"),
    Word(r"\btiles_found\b", "tiles_resumed", "found where, and by whom?", ("CHANGELOG.md",)),
    Word(r"\bagain and again\b", "repeatedly, iteratively", "how often, and until when?"),
    Word(r"docs/method\.md|\(method\.md\)", "docs/glr.md, docs/automatic.md, docs/tuning.md", "it was three pages in one",
         ("CHANGELOG.md",)),
    Word(r"\b(bear|bears|bore) (it|them|this|that) out\b", "checked against", "an idiom that readers have to translate"),
    Word(r"\b(come|comes|came) back as (it|they|a|an)\b", "is returned unchanged, is returned as", "things do not come back"),
    Word(r"\bspeaks? against\b", "doubts about, advises against", "things do not talk"),
    Word(r"\b(wide|small|large|thin|narrow) against\b", "compared with, relative to", "carried over from another language"),
    Word(r"\bby trying\b", "by experiment, by comparing", "who tried what?"),
    Word(r"\b(takes?|taken|taking) (the |less |more )?(noise )?out\b(?! of)", "remove", "noise is removed"),
    Word(r"\bbelieved\b", "used, trusted, accepted, checked", "programs do not believe"),
    Word(r"\bleft as (it is|it was|they are|they were|found)\b", "left unchanged", "as what?"),
    Word(r"\b(header|head|file|XML|table|hierarchy|array|section|archive|directory|element) promises?\b", "declares",
         "a file cannot promise anything"),
    Word(r"\bside of the square of surface\b", "square root of the surface area per point", "a riddle"),
    Word(r"\ban hour earlier\b|\byesterday\b", "the command and the version", "a reader has no such clock"),
]

# Text that people read; this file has all of the words.
endings = {".hpp", ".cpp", ".py", ".pyi", ".md", ".mjs", ".js", ".html", ".txt", ".cmake", ".toml", ""}
not_ours_to_judge = ("tools/words.py", "tests/style/", "LICENSE")


def places_in(path, text):
    """The words in a file that may not be there: its line, what was found, and the rule."""
    for word in words:
        if path.startswith(word.except_in):
            continue
        for found in re.finditer(word.pattern, text):
            yield text.count("\n", 0, found.start()) + 1, found.group(), word


def files():
    listed = subprocess.run(["git", "ls-files"], cwd=project, check=True, capture_output=True, text=True).stdout
    for path in listed.splitlines():
        if Path(path).suffix in endings and not path.startswith(not_ours_to_judge) and (project / path).is_file():
            yield path


def main():
    found = 0
    for path in files():
        try:
            text = (project / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for line, what, word in places_in(path, text):
            print(f'{path}:{line}: "{what}": better: {word.better} ({word.reason})')
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
