"""Reading and writing files of every format of the library."""

import os
import warnings

from . import _burnish
from ._arrays import running
from ._cloud import Cloud
from ._interop import is_path


class LeftOut(UserWarning):
    """A file was written without something that its format cannot hold."""


def read(source, *, progress=None):
    """Reads a cloud with all its attributes, or a mesh.

    source is the name of a file, or a binary file object. The format is detected from the content: PLY, PCD, LAS, LAZ,
    COPC, E57, NPY, NPZ, KITTI .bin, OBJ, OFF, STL, PTS, PTX, XYZ, TXT, CSV. Raises Error, naming the line or byte, if
    it cannot be read.

    >>> import burnish, io
    >>> cloud = burnish.read(io.BytesIO(b"x,y,z,red\\n0.5,1,2,255\\n3,4,5,0\\n"))
    >>> cloud
    <Cloud: 2 points, red (int32)>
    >>> cloud.positions[0]
    array([0.5, 1. , 2. ])
    """
    _, progress = running(0, progress)
    if hasattr(source, "read"):
        content = source.read()
        if not isinstance(content, bytes):
            raise TypeError("the file is open for text, expected a binary file")
        name = getattr(source, "name", None)
        parts = _burnish.read_bytes(content, name if isinstance(name, str) else "stream", progress)
    else:
        parts = _burnish.read_file(os.fspath(source), progress)
    return Cloud._from_parts(parts)


def loaded(source, progress=None):
    """The contents of a file, if points are given by its name; otherwise the points themselves."""
    return read(source, progress=progress) if is_path(source) else source


def write(target, cloud, attributes=None, *, format="ply", progress=None):
    """Writes a cloud in the format of the file's ending.

    The endings are .ply .pcd .las .laz .copc.laz .e57 .xyz .txt .asc .csv .pts .ptx .npy .npz .bin .obj .off .stl. In
    place of a name target may be a binary file object; format is the ending then. cloud is a Cloud, or an array of
    points or a Result, with attributes as a dict of arrays. What the format cannot hold is left out, with a warning of
    the class LeftOut. The file appears complete or not at all.

    >>> import burnish, io
    >>> file = io.BytesIO()
    >>> burnish.write(file, [[0.5, 1, 2]], {"intensity": [7]}, format="csv")
    >>> file.getvalue()
    b'x,y,z,intensity\\n0.5,1,2,7\\n'
    """
    _, progress = running(0, progress)
    if getattr(cloud, "cloud", None) is not None:
        cloud = cloud.cloud  # of a Result
    if not isinstance(cloud, Cloud):
        cloud = Cloud(getattr(cloud, "positions", cloud), attributes)
    elif attributes:
        cloud = cloud.with_positions(cloud.positions)
        cloud.attributes.update(attributes)
    if hasattr(target, "write"):
        content, left_out = _burnish.write_bytes("stream." + format.lstrip("."), cloud._parts(), progress)
        target.write(content)
    else:
        left_out = _burnish.write_file(os.fspath(target), cloud._parts(), progress)
    for what in left_out:
        warnings.warn(f"left out, because the format cannot hold it: {what}", LeftOut, stacklevel=2)
