"""What holds for all sources: rooms use only the rooms above them, and words that were given up stay away."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

project = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(project / "tools"))
import words  # noqa: E402

# The room of each public header; sources are in the folder of their room.
headers = {
    "core": "error execution mesh nearest_word point_cloud progress version",
    "geometry": "estimate mesh_distance neighbours normals ray sampling",
    "glr": "glr",
    "automatic": "denoise",
    "baselines": "baselines",
    "evaluate": "mesh_sampling metrics noise scan shapes",
    "reconstruct": "reconstruct",
    "io": "io",
    "tiles": "tiles",
    "view": "view",
    "methods": "methods point_view",
}
room_of_header = {name: room for room, names in headers.items() for name in names.split()}
everything = "burnish"  # burnish.hpp includes all public headers and is included by none

# What rooms may not use although it is above them: the third column of the table.
forbidden = {
    "baselines": {"glr", "automatic"},
    "evaluate": {"glr", "automatic", "baselines"},
    "io": {"glr", "automatic", "baselines", "evaluate"},
    "view": {"glr", "automatic", "baselines", "evaluate", "tiles"},
}


def rooms():
    """The rooms from top to bottom, as docs/architecture.md lists them."""
    text = (project / "docs/architecture.md").read_text()
    return re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


def room_of(path):
    parts = path.split("/")
    if parts[0] == "src":
        return parts[1]
    if parts[0] == "include":
        return room_of_header[Path(path).stem]
    return parts[0]  # apps, python


def included_room(path, include):
    if include.startswith("burnish/"):
        return room_of_header[Path(include).stem]
    # A header beside the source, or in a room.
    return include.split("/")[0] if "/" in include else room_of(path)


def wrong_includes(path, text, order):
    """Includes of a file that its room may not have, with the reason."""
    room = room_of(path)
    for include in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
        if include == "burnish/burnish.hpp":
            yield include, "is for programs that use the library"
            continue
        is_public = include.startswith("burnish/")
        if path.startswith("include/") and not is_public:
            yield include, "public headers include public headers only"
            continue
        if path.startswith(("apps/", "python/")) and "/" in include and not is_public:
            yield include, "front ends use public headers only"
            continue
        other = included_room(path, include)
        if other == room:
            continue
        if order.index(other) > order.index(room):
            yield include, f"{room} may not use {other}, which is below it"
        elif other in forbidden.get(room, ()):
            yield include, f"{room} may not use {other}"


def sources():
    pattern = re.compile(r"(src|include|apps|python/src)/.*\.[ch]pp")
    listed = subprocess.run(["git", "ls-files"], cwd=project, check=True, capture_output=True, text=True).stdout
    return [path for path in listed.splitlines() if pattern.fullmatch(path) and (project / path).is_file()]


class Layers(unittest.TestCase):
    def test_every_room_is_in_the_table_of_the_architecture(self):
        order = rooms()
        self.assertEqual(len(order), len(set(order)))
        self.assertLessEqual({room_of(p) for p in sources() if Path(p).stem != everything}, set(order))
        public = {path.stem for path in (project / "include/burnish").glob("*.hpp")} - {everything}
        self.assertEqual(public, set(room_of_header))

    def test_rooms_use_only_rooms_above_them(self):
        order = rooms()
        wrong = []
        checked = 0
        for path in sources():
            if Path(path).stem == everything:
                continue
            text = (project / path).read_text()
            checked += text.count('#include "')
            wrong += [f"{path}: {include}: {why}" for include, why in wrong_includes(path, text, order)]
        self.assertEqual(wrong, [])
        self.assertGreater(checked, 1000)

    def test_wrong_includes_are_found(self):
        order = rooms()

        def is_wrong(path, include):
            return bool(list(wrong_includes(path, f'#include "{include}"\n', order)))

        self.assertTrue(is_wrong("src/geometry/a.cpp", "glr/patches.hpp"))
        self.assertTrue(is_wrong("src/geometry/a.cpp", "burnish/glr.hpp"))
        self.assertTrue(is_wrong("include/burnish/estimate.hpp", "burnish/denoise.hpp"))
        self.assertTrue(is_wrong("include/burnish/estimate.hpp", "geometry/frames.hpp"))
        self.assertTrue(is_wrong("src/baselines/mls.cpp", "glr/patches.hpp"))
        self.assertTrue(is_wrong("src/io/a.cpp", "burnish/methods.hpp"))
        self.assertTrue(is_wrong("apps/main.cpp", "geometry/frames.hpp"))
        self.assertFalse(is_wrong("apps/main.cpp", "burnish/io.hpp"))
        self.assertFalse(is_wrong("apps/main.cpp", "command.hpp"))
        self.assertFalse(is_wrong("src/glr/a.cpp", "geometry/frames.hpp"))


def not_portable(path, text):
    """What a source uses that Windows or macOS does not have; the command alone may use POSIX."""
    name = Path(path).name
    if path.startswith("src/") and not name.startswith("operating_system") and name != "from_chars.cpp":
        yield from re.findall(r"^#include <(?:unistd|fcntl|malloc|dlfcn|windows|sys/\w+)\.h>", text, re.MULTILINE)
    if name != "from_chars.hpp":
        yield from re.findall(r"std::from_chars\(", text)
    if name != "parallel.hpp":  # which uses it for the thread sanitizer
        yield from re.findall(r"^(?! *//).*std::jthread", text, re.MULTILINE)


class Portable(unittest.TestCase):
    def test_calls_of_systems_are_in_one_file_each(self):
        found = {path: list(not_portable(path, (project / path).read_text())) for path in sources()}
        self.assertEqual({path: what for path, what in found.items() if what}, {})

    def test_others_are_found(self):
        self.assertTrue(list(not_portable("src/io/a.cpp", "#include <unistd.h>\n")))
        self.assertTrue(list(not_portable("src/io/a.cpp", "#include <sys/stat.h>\n")))
        self.assertTrue(list(not_portable("apps/a.cpp", "  std::from_chars(a, b, c);\n")))
        self.assertTrue(list(not_portable("src/io/a.cpp", "std::jthread a;\n")))
        self.assertFalse(list(not_portable("apps/a.cpp", "#include <unistd.h>\n")))


class Words(unittest.TestCase):
    def test_none_has_come_back(self):
        outcome = subprocess.run([sys.executable, project / "tools/words.py"], capture_output=True, text=True)
        self.assertEqual((outcome.returncode, outcome.stdout, outcome.stderr), (0, "", ""))

    def test_they_are_found_except_where_they_are_excused(self):
        text = "/// What a plane leaves\n/// The residual, or what is left over, is found anew.\nTEST(Info, TellsAll) evening\n"
        found = [(line, what) for line, what, _ in words.places_in("src/glr/a.cpp", text)]
        self.assertEqual(sorted(found), [(2, "anew"), (2, "left over"), (3, "TellsA"), (3, "evening")])
        self.assertNotIn("evening", [what for _, what, _ in words.places_in("CHANGELOG.md", text)])

    def test_idioms_are_found_in_messages_and_names_of_tests(self):
        text = 'file.fail("the header promises 5 points"); // until its size bears it out\nTEST(Methods, TellWhatTheyDid)\n'
        found = [what for _, what, _ in words.places_in("tests/io/a.cpp", text)]
        self.assertEqual(sorted(found), ["TellW", "bears it out", "header promises"])
        self.assertEqual([*words.places_in("tests/io/a.cpp", "the header declares 5 points; take those out of the cloud\n")], [])

    def test_files_that_are_excused_exist(self):
        for word in words.words:
            for place in word.except_in:
                self.assertTrue((project / place).exists(), place)


if __name__ == "__main__":
    unittest.main()
