#!/usr/bin/env python3
"""reference.py FOLDER: writes the reference of the Python module to FOLDER/python.html, from its docstrings, an index of it
and of the C++ reference that doxygen left in FOLDER/cpp, and checks that no link in either leads nowhere.

Needs the module on PYTHONPATH."""

import inspect
import re
import sys
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import burnish

STYLE = "<style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}pre{white-space:pre-wrap}</style>"


def page(title, body):
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>{STYLE}<h1>{title}</h1>{body}</html>\n'


def signature(thing):
    try:
        return str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""


def entry(name, thing, level):
    documentation = inspect.getdoc(thing) or ""
    text = f'<h{level} id="{name}"><code>{name}{escape(signature(thing)) if callable(thing) else ""}</code></h{level}>\n'
    known = "|".join(map(re.escape, burnish.__all__))
    linked = re.sub(rf"\b(burnish\.)?({known})\b(?=\(|\b)", r'<a href="#burnish.\2">\g<0></a>', escape(documentation))
    return text + f"<pre>{linked}</pre>\n"


def python_reference():
    parts = [f"<pre>{escape(inspect.getdoc(burnish))}</pre>"]
    names = [name for name in burnish.__all__ if not name.startswith("__")]
    parts.append("<p>" + " · ".join(f'<a href="#burnish.{name}">{name}</a>' for name in names) + "</p>")
    for name in names:
        thing = getattr(burnish, name)
        parts.append(entry(f"burnish.{name}", thing, 2))
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    parts.append(entry(f"burnish.{name}.{member}", value, 3))
    return page("burnish, the Python module", "\n".join(parts))


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(attributes[key] for key in ("id", "name") if attributes.get(key))
        self.targets += [attributes[key] for key in ("href", "src") if attributes.get(key)]


def dead_links(folder):
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, links in pages.items():
        for target in links.targets:
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = unquote(target).partition("#")
            goal = (path.parent / file).resolve() if file else path
            if not goal.exists() or (anchor and goal in pages and anchor not in pages[goal].anchors):
                yield f"{path.relative_to(folder)}: {target} leads nowhere"


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    (folder / "python.html").write_text(python_reference(), encoding="utf-8")
    (folder / "index.html").write_text(
        page("burnish, the reference", '<p><a href="cpp/index.html">C++</a> · <a href="python.html">Python</a></p>\n')
    )
    dead = list(dead_links(folder))
    print("\n".join(dead), file=sys.stderr, end="\n" if dead else "")
    sys.exit(1 if dead else 0)
