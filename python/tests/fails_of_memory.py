"""Two tests that fail, for the pytest plugin: one of memory."""

import stub_torch


def test_memory():
    raise stub_torch.OutOfMemoryError(stub_torch.MESSAGE)


def test_other():
    assert 1 == 2
