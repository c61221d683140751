"""A class with the options of each method, for completion in editors: an alternative to keywords of denoise.

>>> import burnish
>>> noisy = burnish.add_noise(burnish.synth("sphere", points=2000), sigma=0.01)
>>> burnish.denoise(noisy, burnish.settings.Mls(filter_scale=5)).method
'mls'

A field that is None, the initial value of all, has the default of the method.
"""

import dataclasses
import typing

from ._denoise import methods as _methods


def _type_of(option):
    """The Python type of the values of an option, from their form on the command line."""
    words = option.type.split("|")
    if len(words) > 1 and set(words) == {"yes", "no"}:
        value = bool
    elif len(words) > 1 and not all(word.isdigit() for word in words):
        value = typing.Literal[tuple(words)]
    elif len(words) > 1 or option.type == "N" or (option.default.isdigit() and option.type in ("k", "K")):
        value = int
    elif "," in option.type:
        value = typing.Sequence[float]
    else:
        value = float
    return typing.Optional[value]


def _class_of(method):
    name = "".join(word.capitalize() for word in method.name.split("_"))
    fields = [(option.name, _type_of(option), None) for option in method.options.values()]
    made = dataclasses.make_dataclass(name, fields, namespace={"method": method.name}, frozen=True)
    lines = [f"Settings of the method {method.name}: {method.description}.", ""]
    lines += [f"{option.name}: {option.meaning}" for option in method.options.values()]
    made.__doc__ = "\n".join(lines)
    made.__module__ = __name__
    return made


__all__ = []
for _method in _methods().values():
    _made = _class_of(_method)
    globals()[_made.__name__] = _made
    __all__.append(_made.__name__)
