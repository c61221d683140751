"""Progress bars of tqdm, which is not imported: its class is passed as an argument."""


class _Bar:
    """Shows a bar for each stage."""

    def __init__(self, bar_class):
        self._class = bar_class
        self._stage = None
        self._bar = None

    def __call__(self, stage, fraction):
        if stage != self._stage:
            self._complete()
            form = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
            self._bar = self._class(total=1.0, desc=stage, bar_format=form)
            self._stage = stage
        self._bar.n = fraction
        self._bar.refresh()

    def _complete(self):
        """Completes the bar of a stage that another one follows."""
        if self._bar is not None:
            self._bar.n = 1.0
            self._bar.refresh()
        self._close()

    def _close(self):
        if self._bar is not None:
            self._bar.close()

    def __del__(self):
        self._close()


def as_callback(progress):
    """The callback for the library: bars for the class of a bar, otherwise the function itself."""
    is_bar = isinstance(progress, type) and all(hasattr(progress, name) for name in ("refresh", "close"))
    return _Bar(progress) if is_bar else progress
