"""Points with all other contents of a file."""

import html
from copy import copy

import numpy as np

from . import _burnish
from ._arrays import positions_of, to_points
from ._interop import is_path, kind_of


class Lists:
    """A column with a variable number of values per row, such as the faces of a mesh of triangles and quads.

    values are those of all rows, one after the other; row i ends before ends[i]. size_type is the type of the lengths
    in a PLY file.

    >>> import burnish
    >>> faces = burnish.Lists.of([[0, 1, 2], [0, 2, 3, 4]])
    >>> len(faces), faces[1]
    (2, array([0, 2, 3, 4], dtype=int32))
    """

    def __init__(self, values, ends, size_type="uint8"):
        self.values = np.asarray(values)
        self.ends = np.asarray(ends, dtype=np.uint64)
        self.size_type = size_type

    @classmethod
    def of(cls, rows, dtype=np.int32):
        """From a sequence of sequences."""
        rows = [np.asarray(row, dtype=dtype) for row in rows]
        lengths = [len(row) for row in rows]
        values = np.concatenate(rows) if rows else np.empty(0, dtype)
        return cls(values, np.cumsum(lengths, dtype=np.uint64), _size_type(max(lengths, default=0)))

    def __len__(self):
        return len(self.ends)

    def __iter__(self):
        return (self[row] for row in range(len(self)))

    def __getitem__(self, row):
        row = range(len(self))[row]
        begin = self.ends[row - 1] if row > 0 else 0
        return self.values[int(begin) : int(self.ends[row])]

    def __repr__(self):
        return f"<Lists: {len(self)} rows, {len(self.values)} values of {self.values.dtype}>"


class _Attributes(dict):
    """Columns with one row per point; assignments are checked."""

    def __init__(self, rows, columns):
        super().__init__()
        self.rows = rows
        self.update(columns)

    def __setitem__(self, name, values):
        if not isinstance(values, Lists) and np.ndim(values) == 0:
            raise ValueError(f'"{name}" is one value, expected one for each of {self.rows} points')
        if len(values) != self.rows:
            raise ValueError(f'"{name}" has {len(values)} values for {self.rows} points')
        super().__setitem__(name, values)

    def update(self, *columns, **named):
        for name, values in dict(*columns, **named).items():
            self[name] = values

    def setdefault(self, name, values=None):
        if name not in self:
            self[name] = values
        return self[name]

    def __ior__(self, columns):
        self.update(columns)
        return self

    def __reduce__(self):
        return _Attributes, (self.rows, dict(self))


class Cloud:
    """Points with their attributes, as in a file.

    positions      N x 3 array; H x W x 3 for an organised cloud, which sets width and height
    attributes     dict of arrays with one row per point: N values, or N x k for k values per point. Text is an array of
                   str, rows of different lengths are Lists
    width, height  columns and rows of an organised cloud (a depth image), otherwise 0
    tables         further tables of the file, by name: each a dict of columns. A mesh has the table "face"
    comments       lines of text
    position_type  type of the positions in files, "float32" or "float64"; by default that of the array
    format_data    data of one format, such as the header of a LAS file, written back only to that format

    >>> import burnish, numpy as np
    >>> cloud = burnish.Cloud(np.zeros((4, 3)), {"intensity": np.arange(4, dtype=np.uint16)})
    >>> cloud
    <Cloud: 4 points, intensity (uint16)>
    >>> cloud.attributes["intensity"] * 2
    array([0, 2, 4, 6], dtype=uint16)
    """

    def __init__(
        self,
        positions,
        attributes=None,
        *,
        width=0,
        height=0,
        tables=None,
        comments=(),
        position_type=None,
        format_data=None,
    ):
        kind = kind_of(positions)
        attributes = {**(kind.attributes(positions) if kind else {}), **(attributes or {})}
        array = positions_of(positions) if kind or is_path(positions) else np.asarray(positions)
        if array.ndim == 3 and not width and not height:
            height, width = array.shape[:2]
            for name, values in attributes.items():
                if not isinstance(values, Lists) and np.shape(values)[:2] == (height, width):
                    attributes[name] = np.reshape(values, (height * width, *np.shape(values)[2:]))
        self.positions = to_points(array)
        self.attributes = attributes
        self.width = width
        self.height = height
        self.tables = dict(tables or {})
        self.comments = list(comments)
        self.position_type = position_type or ("float32" if array.dtype == np.float32 else "float64")
        self.format_data = dict(format_data or {})

    @property
    def attributes(self):
        self._attributes.rows = len(self)
        return self._attributes

    @attributes.setter
    def attributes(self, columns):
        self._attributes = _Attributes(len(self), columns)

    @classmethod
    def mesh(cls, vertices, triangles, **keywords):
        """A mesh, from its vertices and the vertex indices of each triangle.

        >>> import burnish
        >>> square = burnish.Cloud.mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
        >>> round(burnish.evaluate([[0.2, 0.2, 0.5]], square)["mean_distance"], 6)
        0.5
        """
        triangles = np.asarray(triangles)
        if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
            raise ValueError("expected T x 3 whole numbers as triangles")
        return cls(vertices, tables={"face": {"vertex_indices": triangles}}, **keywords)

    @property
    def triangles(self):
        """The triangles of a mesh, T x 3 point indices; larger faces are split into fans. Shape (0, 3) if there are
        none."""
        parts = self._parts()
        parts["attributes"] = []
        return _burnish.triangles(parts)

    @property
    def normals(self):
        """N x 3, from the attributes nx, ny, nz or normal_x, normal_y, normal_z; None if there are none."""
        for prefix in ("n", "normal_"):
            columns = [np.asarray(self.attributes.get(prefix + axis, ())) for axis in "xyz"]
            if all(column.shape == (len(self),) and column.dtype.kind in "iuf" for column in columns):
                return np.stack(columns, axis=1).astype(np.float64)
        return None

    @property
    def scanner_positions(self):
        """N x 3: the position of the scanner that measured each point; None if unknown. Clouds from PTX and E57 have
        it.

        The method "auto" of denoise uses them to distinguish the two sides of a thin wall.
        """
        if not self.comments:
            return None
        parts = self._parts()
        parts["attributes"] = [column for column in parts["attributes"] if column[0] == "scan"]
        parts["tables"] = []
        places = _burnish.scanner_positions(parts)
        return places if len(places) else None

    def with_positions(self, positions):
        """The same cloud with other positions. Attributes are shared, not copied."""
        moved = Cloud.__new__(Cloud)
        moved.__dict__.update(self.__dict__)
        for name in ("_attributes", "tables", "comments", "format_data"):
            setattr(moved, name, copy(getattr(self, name)))
        moved.positions = to_points(positions)
        return moved

    def __len__(self):
        return len(self.positions)

    def __getitem__(self, key):
        """An attribute by its name; or a subset of the points with their attributes, by a slice, a mask or indices.

        The subset is not organised, and has no tables, because these refer to points by index.

        >>> import burnish, numpy as np
        >>> cloud = burnish.Cloud(np.eye(3), {"intensity": [1, 2, 3]})
        >>> cloud["intensity"]
        [1, 2, 3]
        >>> cloud[cloud.positions[:, 0] < 1]
        <Cloud: 2 points, intensity (int64)>
        """
        if isinstance(key, str):
            return self.attributes[key]
        rows = np.atleast_1d(np.arange(len(self))[key])
        chosen = self.with_positions(self.positions[rows])
        chosen.width = chosen.height = 0
        chosen.tables = {}
        chosen.attributes = {
            name: Lists.of([values[row] for row in rows], values.values.dtype)
            if isinstance(values, Lists)
            else np.asarray(values)[rows]
            for name, values in self.attributes.items()
        }
        return chosen

    @classmethod
    def concatenate(cls, clouds):
        """One cloud with the points of several, and the attributes that all of them have. `a + b` is the same for two.

        >>> import burnish, numpy as np
        >>> cloud = burnish.Cloud(np.eye(3), {"intensity": [1, 2, 3]})
        >>> cloud + burnish.Cloud(np.zeros((2, 3)), {"intensity": [4, 5], "red": [0, 0]})
        <Cloud: 5 points, intensity (int64)>
        """
        clouds = [cloud if isinstance(cloud, Cloud) else cls(cloud) for cloud in clouds]
        if not clouds:
            return cls(np.empty((0, 3)))
        shared = [name for name in clouds[0].attributes if all(name in cloud.attributes for cloud in clouds)]
        attributes = {}
        for name in shared:
            columns = [cloud.attributes[name] for cloud in clouds]
            if any(isinstance(column, Lists) for column in columns):
                attributes[name] = Lists.of([row for column in columns for row in column])
            else:
                attributes[name] = np.concatenate([np.asarray(column) for column in columns])
        position_type = "float32" if all(cloud.position_type == "float32" for cloud in clouds) else "float64"
        return cls(np.concatenate([cloud.positions for cloud in clouds]), attributes, position_type=position_type)

    def __add__(self, other):
        return Cloud.concatenate([self, other]) if isinstance(other, Cloud) else NotImplemented

    def _repr_html_(self):
        """A table, for notebooks: bounds and attributes with the range of their values."""
        rows = [(name, *_range_of(values), "float64") for name, values in zip("xyz", self.positions.T)]
        for name, column in self.attributes.items():
            rows.append((name, *_range_of(column), _type_name(column)))
        cells = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
        )
        head = "<tr><th></th><th>least</th><th>most</th><th>type</th></tr>"
        return f"<b>Cloud of {len(self):,} points</b><table>{head}{cells}</table>"

    def __array__(self, dtype=None, copy=None):
        return np.array(self.positions, dtype) if copy else np.asarray(self.positions, dtype)

    def __repr__(self):
        what = [f"{len(self)} points"]
        if self.height:
            what.append(f"{self.width} x {self.height}")
        what += [f"{name} ({_type_name(column)})" for name, column in self.attributes.items()]
        what += [f"table {name}" for name in self.tables]
        return f"<Cloud: {', '.join(what)}>"

    @classmethod
    def _from_parts(cls, parts):
        parts["attributes"] = _from_columns(parts["attributes"])
        parts["tables"] = {name: _from_columns(columns) for name, _, columns in parts["tables"]}
        return cls(**parts)

    def _parts(self):
        tables = []
        for name, columns in self.tables.items():
            parts = _to_columns(columns)
            rows = len(next(iter(columns.values()))) if columns else 0
            tables.append((str(name), rows, parts))
        return {
            "positions": to_points(self.positions),
            "attributes": _to_columns(self.attributes),
            "tables": tables,
            "comments": [str(comment) for comment in self.comments],
            "position_type": str(self.position_type),
            "width": int(self.width),
            "height": int(self.height),
            "format_data": {str(key): bytes(value) for key, value in self.format_data.items()},
        }


def _range_of(column):
    """The smallest and the largest finite value, as texts."""
    if isinstance(column, Lists) or np.asarray(column).dtype.kind not in "biuf" or len(column) == 0:
        return "", ""
    values = np.asarray(column)
    values = values[np.isfinite(values)]
    return (f"{values.min():.6g}", f"{values.max():.6g}") if values.size else ("", "")


def _type_name(column):
    if isinstance(column, Lists):
        return f"lists of {column.values.dtype}"
    array = np.asarray(column)
    if array.dtype.kind in "USO":
        return "text"
    return f"{array.dtype} x {array.shape[1]}" if array.ndim == 2 else str(array.dtype)


def _size_type(length):
    return "uint8" if length < 2**8 else "uint16" if length < 2**16 else "uint32"


def _from_columns(columns):
    result = {}
    for name, values, ends, size_type in columns:
        if isinstance(values, list):
            # Not an array of fixed-width text: one long value would make all rows that long.
            texts = np.empty(len(values), dtype=object)
            texts[:] = values
            values = texts
        if ends is not None:
            lengths = np.diff(ends, prepend=np.uint64(0))
            is_even = len(lengths) > 0 and (lengths == lengths[0]).all()
            values = values.reshape(len(ends), -1) if is_even and lengths[0] else Lists(values, ends, size_type)
        result[name] = values
    return result


def _to_columns(columns):
    return [_to_column(str(name), column) for name, column in columns.items()]


def _to_column(name, column):
    if isinstance(column, Lists):
        return name, _values(name, column.values), column.ends, column.size_type
    array = np.asarray(column)
    if array.ndim == 1:
        return name, _values(name, array), None, "uint8"
    if array.ndim == 2:
        rows, length = array.shape
        ends = np.arange(1, rows + 1, dtype=np.uint64) * np.uint64(length)
        return name, _values(name, array.reshape(-1)), ends, _size_type(length)
    raise ValueError(f'"{name}" has the shape {array.shape}, expected one value or one row of values per point')


def _values(name, array):
    """A list of str, or an array of one of the types the library knows."""
    if array.dtype.kind == "S":
        return [text.decode("utf-8", "surrogateescape") for text in array.tolist()]
    if array.dtype.kind in "UO":
        texts = array.tolist()
        if all(isinstance(text, str) for text in texts):
            return texts
        raise TypeError(f'"{name}" holds objects that are neither numbers nor text')
    if array.dtype.kind not in "biuf":
        raise TypeError(f'"{name}" is of type {array.dtype}, expected whole numbers, floats or text')
    if array.dtype.kind == "b":
        dtype = np.dtype(np.uint8)
    elif array.dtype.kind == "f" and array.dtype.itemsize < 4:
        dtype = np.dtype(np.float32)
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        dtype = np.dtype(np.float64)
    else:
        dtype = array.dtype.newbyteorder("=")
    return np.require(array, dtype, "CA")
