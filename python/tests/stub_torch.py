"""As much of torch as oomdoc asks, without a device: import it to have it under the name of torch."""

import sys
import types


class OutOfMemoryError(RuntimeError):
    pass


MESSAGE = (
    "CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.25 GiB is free. "
    "Including non-PyTorch memory, this process has 22.20 GiB memory in use. Of the allocated memory 14.75 GiB is allocated by "
    "PyTorch, and 6.90 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting "
    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation."
)

GIB = 1 << 30


def make(initialized=True, broken=False):
    torch = types.ModuleType("torch")
    torch.__version__ = "2.7.1+cu126"
    cuda = torch.cuda = types.ModuleType("torch.cuda")
    torch.OutOfMemoryError = cuda.OutOfMemoryError = OutOfMemoryError
    cuda.is_initialized = lambda: initialized
    cuda.current_device = lambda: 0

    def mem_get_info():
        if broken:
            raise RuntimeError("CUDA error: unspecified launch failure")
        return int(1.25 * GIB), int(23.5 * GIB)

    cuda.mem_get_info = mem_get_info
    cuda.memory_stats = lambda: {
        "allocated_bytes.all.current": int(14.75 * GIB), "reserved_bytes.all.current": int(21.65 * GIB),
        "allocated_bytes.all.peak": int(15.5 * GIB), "num_alloc_retries": 3,
    }
    sys.modules["torch"], sys.modules["torch.cuda"] = torch, cuda
    return torch
