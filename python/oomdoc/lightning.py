"""A callback for Lightning: Trainer(callbacks=[OOMDoctor()])."""

try:
    from lightning.pytorch.callbacks import Callback
except ImportError:
    from pytorch_lightning.callbacks import Callback

from ._watch import tell


class OOMDoctor(Callback):
    """Prints the diagnosis when memory makes a run fail. The exception goes on its way."""

    def on_exception(self, trainer, pl_module, exception):
        tell(exception)
