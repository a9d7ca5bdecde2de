"""Adds the diagnosis to tests that memory made fail."""

import pytest

from ._report import diagnose
from ._watch import of_memory


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.excinfo is None or not of_memory(call.excinfo.value):
        return
    report = outcome.get_result()
    if not report.failed:
        return
    try:
        found = diagnose(call.excinfo.value)
        if found:
            report.sections.append(("oomdoc", str(found)))
    except Exception as trouble:
        report.sections.append(("oomdoc", "oomdoc: %s" % trouble))
