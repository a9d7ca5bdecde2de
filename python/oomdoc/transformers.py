"""A callback for transformers: Trainer(callbacks=[OOMDoctor()])."""

from transformers import TrainerCallback

from . import _facts
from ._watch import watch


class OOMDoctor(TrainerCallback):
    """Watches a run, and lets the diagnosis know its arguments. Trainer tells callbacks of no exception, so it is the
    process that is watched: see oomdoc.watch()."""

    def on_train_begin(self, args, state, control, **kwargs):
        for name, of in (
            ("batch_size", "per_device_train_batch_size"), ("eval_batch_size", "per_device_eval_batch_size"),
            ("gradient_accumulation_steps", "gradient_accumulation_steps"), ("gradient_checkpointing", "gradient_checkpointing"),
        ):
            value = getattr(args, of, None)
            if isinstance(value, (int, bool)):
                _facts.settings[name] = value
        watch()
