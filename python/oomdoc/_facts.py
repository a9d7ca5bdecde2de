"""What a process knows of its memory, as one line that oomdoc reads: oomdoc.facts/v1 {…}."""

import json
import os
import sys

# The names, in the order in which the line has them; oomdoc list facts says what they are.
NAMES = (
    "torch_version", "world_size", "gpu_index", "gpu_total", "gpu_free",
    "torch_allocated", "torch_reserved_total", "torch_reserved_unallocated", "torch_allocated_peak", "malloc_retries",
    "batch_size", "eval_batch_size", "gradient_accumulation_steps",
    "expandable_segments", "gradient_checkpointing",
)

settings = {}  # what callbacks have learned of the run


def collect():
    """The facts by name. Only what torch has set up already is asked, and nothing that it says is an error here."""
    facts = dict(settings)
    world = os.environ.get("WORLD_SIZE", "")
    if world.isdigit():
        facts["world_size"] = int(world)
    torch = sys.modules.get("torch")
    if torch is None:
        return facts
    for ask in (_version, _device):
        try:
            facts.update(ask(torch))
        except Exception:  # a device that has failed answers nothing
            continue
    return facts


def _version(torch):
    return {"torch_version": str(torch.__version__).split("+")[0]}


def _device(torch):
    cuda = torch.cuda
    if not cuda.is_initialized():  # asking would create a context, which takes memory
        return {}
    free, total = cuda.mem_get_info()
    stats = cuda.memory_stats()
    allocated = stats.get("allocated_bytes.all.current", 0)
    reserved = stats.get("reserved_bytes.all.current", 0)
    facts = {
        "gpu_index": cuda.current_device(), "gpu_total": total, "gpu_free": free,
        "torch_allocated": allocated, "torch_reserved_total": reserved, "torch_reserved_unallocated": reserved - allocated,
        "torch_allocated_peak": stats.get("allocated_bytes.all.peak", allocated), "malloc_retries": stats.get("num_alloc_retries", 0),
    }
    setting = os.environ.get("PYTORCH_ALLOC_CONF", "") + "," + os.environ.get("PYTORCH_CUDA_ALLOC_CONF", "")
    if "expandable_segments:" in setting:
        facts["expandable_segments"] = "expandable_segments:true" in setting.lower().replace(" ", "")
    return facts


def line():
    """The line, "" where there is nothing to say."""
    facts = collect()
    known = {name: facts[name] for name in NAMES if facts.get(name) is not None}
    return "oomdoc.facts/v1 " + json.dumps(known) if known else ""
