"""The package as it is installed from a wheel, with a stub in torch's place. Run by a test of packaging/."""

import html
import json
import os
import pathlib
import subprocess
import sys
import textwrap
import threading
import unittest
from unittest import mock

import stub_torch

import oomdoc
from oomdoc import _facts, _watch

LOGS = pathlib.Path(os.environ["OOMDOC_LOGS"])
START_UP = LOGS / "seed-002-startup-check" / "input.log"


def python(program, *arguments, **environment):
    """Runs a program in a Python of its own; returns status, standard output and standard error."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )
    return done.returncode, done.stdout, done.stderr


class Diagnose(unittest.TestCase):
    def test_inputs(self):
        for given in (START_UP, str(START_UP), START_UP.read_text()):
            d = oomdoc.diagnose(given)
            self.assertEqual(d.cause, "startup-free-memory")
            self.assertTrue(d)
            self.assertEqual(d.incident.severity, "failure")
            self.assertRegex(d.incident.remedies[0].command, r"gpu.memory.utilization.0\.86")
            self.assertIn(d.incident.remedies[0].verdict, ("fits", "borderline"))
            self.assertEqual(d.facts["gpu_memory_utilization"], 0.9)
            self.assertEqual(d.report["schema"], "oomdoc.report/v1")

    def test_shows(self):
        d = oomdoc.diagnose(START_UP)
        command = d.incident.remedies[0].command
        self.assertIn(command, str(d))
        self.assertIn("<code>%s</code>" % html.escape(command), d._repr_html_())

    def test_words_of_the_log_are_no_markup(self):
        d = oomdoc.diagnose(START_UP.read_text().replace("facebook/opt-125m", "<script>x</script>"))
        self.assertTrue(d)
        self.assertNotIn("<script>", d._repr_html_())

    def test_nothing(self):
        d = oomdoc.diagnose("all is well\n")
        self.assertFalse(d)
        self.assertIsNone(d.cause)
        self.assertIsNone(d.incident)
        self.assertIn("no memory failure", str(d) + d._repr_html_())

    def test_language(self):
        self.assertIn("显存", str(oomdoc.diagnose(START_UP, lang="zh")))
        with self.assertRaisesRegex(oomdoc.OomdocError, "lang"):
            oomdoc.diagnose(START_UP, lang="fr")

    def test_errors(self):
        with self.assertRaisesRegex(oomdoc.OomdocError, "none.log"):
            oomdoc.diagnose(pathlib.Path("none.log"))
        with self.assertRaisesRegex(TypeError, "not int"):
            oomdoc.diagnose(7)
        with self.assertRaisesRegex(oomdoc.OomdocError, "not there"):
            with mock.patch("os.path.isfile", return_value=False), mock.patch("shutil.which", return_value=None):
                oomdoc.find_program()

    def test_a_name_that_looks_like_a_flag(self):
        with self.assertRaisesRegex(oomdoc.OomdocError, "--help"):
            oomdoc.diagnose(pathlib.Path("--help"))

    def test_exception(self):
        stub_torch.make()
        try:
            try:
                raise stub_torch.OutOfMemoryError(stub_torch.MESSAGE)
            except RuntimeError as e:
                raise ValueError("the step failed") from e
        except ValueError as e:
            d = oomdoc.diagnose(e)
        finally:
            del sys.modules["torch"], sys.modules["torch.cuda"]
        self.assertEqual(d.cause, "fragmentation")
        self.assertEqual(d.incident.facts["oom_requested"], int(2.5 * stub_torch.GIB))
        self.assertEqual(d.incident.facts["torch_version"], "2.7.1")

    def test_fields_that_are_new(self):
        from oomdoc import _report

        report = json.loads(_report.run(["--format", "json", str(START_UP)]))
        report["tomorrow"] = report["incidents"][0]["tomorrow"] = report["incidents"][0]["remedies"][0]["tomorrow"] = 1
        self.assertEqual(_report._parse(json.dumps(report)).cause, "startup-free-memory")


class Facts(unittest.TestCase):
    def tearDown(self):
        sys.modules.pop("torch", None)
        sys.modules.pop("torch.cuda", None)

    def test_without_torch(self):
        self.assertNotIn("torch", sys.modules)
        self.assertEqual(_facts.line(), "")
        self.assertNotIn("torch", sys.modules)

    def test_with_torch(self):
        stub_torch.make()
        with mock.patch.dict(os.environ, WORLD_SIZE="8", PYTORCH_CUDA_ALLOC_CONF="expandable_segments:True"):
            got = _facts.collect()
        self.assertEqual(got["torch_allocated"], int(14.75 * stub_torch.GIB))
        self.assertEqual(got["torch_reserved_unallocated"], got["torch_reserved_total"] - got["torch_allocated"])
        self.assertEqual((got["world_size"], got["expandable_segments"], got["torch_version"]), (8, True, "2.7.1"))
        self.assertLessEqual(set(got), set(_facts.NAMES))

    def test_nothing_is_set_up_for_it(self):
        stub_torch.make(initialized=False)
        self.assertEqual(_facts.collect(), {"torch_version": "2.7.1"})

    def test_a_device_that_has_failed(self):
        stub_torch.make(broken=True)
        self.assertEqual(_facts.collect(), {"torch_version": "2.7.1"})

    def test_the_program_reads_the_line(self):
        stub_torch.make()
        self.addCleanup(_facts.settings.clear)
        _facts.settings.update(batch_size=8, eval_batch_size=16, gradient_accumulation_steps=2, gradient_checkpointing=True)
        with mock.patch.dict(os.environ, WORLD_SIZE="8", PYTORCH_ALLOC_CONF="expandable_segments:True"):
            known = _facts.collect()
            facts = oomdoc.diagnose(_facts.line() + "\n").facts
        self.assertEqual(set(known), set(_facts.NAMES))
        for name, value in known.items():
            self.assertEqual(facts.get(name), value, name)


RAISE = """
    import sys, stub_torch
    stub_torch.make()
    import oomdoc
    oomdoc.watch(); oomdoc.watch()
"""


class Watch(unittest.TestCase):
    def test_uncaught(self):
        status, out, err = python(RAISE + "    raise stub_torch.OutOfMemoryError(stub_torch.MESSAGE)")
        self.assertEqual((status, out), (1, ""))
        trace, facts, cause = err.find("Traceback"), err.find("oomdoc.facts/v1 {"), err.find("cause fragmentation")
        self.assertTrue(0 <= trace < facts < cause, err)
        self.assertEqual(err.count("cause fragmentation"), 1)
        # Read again, as a log, it says the same.
        again = oomdoc.diagnose(err)
        self.assertEqual((again.cause, len(again.incidents)), ("fragmentation", 1))

    def test_other_exceptions_stay_alone(self):
        plain = python("raise KeyError('x')")
        self.assertEqual(python("import oomdoc; oomdoc.watch(); raise KeyError('x')")[0], plain[0])
        status, out, err = python(RAISE + "    raise KeyError('x')")
        self.assertNotIn("oomdoc.facts", err)
        self.assertEqual(python("import oomdoc; oomdoc.watch(); raise SystemExit(7)")[0], 7)

    def test_thread(self):
        status, _, err = python(RAISE + """
    import threading
    def work(): raise stub_torch.OutOfMemoryError(stub_torch.MESSAGE)
    t = threading.Thread(target=work); t.start(); t.join()
""")
        self.assertEqual(status, 0)
        self.assertIn("cause fragmentation", err)

    def test_hooks_before_it_are_called(self):
        status, _, err = python("""
    import sys
    before = sys.excepthook
    def hook(*a): print("mine", file=sys.stderr)
    sys.excepthook = hook
    import oomdoc
    oomdoc.watch()
    try:
        raise MemoryError("out of memory")
    except MemoryError as e:
        sys.excepthook(type(e), e, e.__traceback__)
    oomdoc.unwatch()
    assert sys.excepthook is hook
    sys.excepthook = before
""")
        self.assertEqual(status, 0, err)
        self.assertTrue(err.startswith("mine\n"), err)

    def test_the_program_is_gone(self):
        status, _, err = python(RAISE + "    import oomdoc._program as p; p.find_program = lambda: '/nowhere/oomdoc'\n    raise stub_torch.OutOfMemoryError('CUDA out of memory')")
        self.assertEqual(status, 1)
        self.assertIn("oomdoc: ", err)
        self.assertNotIn("During handling", err)

    def test_torch_is_not_imported(self):
        status, out, _ = python("import sys, oomdoc; oomdoc.watch(); print('torch' in sys.modules, 'numpy' in sys.modules)")
        self.assertEqual((status, out), (0, "False False\n"))

    def test_of_memory(self):
        self.assertTrue(_watch.of_memory(stub_torch.OutOfMemoryError("x")))
        self.assertTrue(_watch.of_memory(RuntimeError("CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate")))
        self.assertFalse(_watch.of_memory(RuntimeError("shape mismatch")))
        a, b = ValueError("a"), ValueError("b")
        a.__cause__, b.__cause__ = b, a  # a circle ends
        self.assertFalse(_watch.of_memory(a))


class Module(unittest.TestCase):
    def test_is_the_program(self):
        done = subprocess.run([sys.executable, "-m", "oomdoc", str(START_UP)], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("cause startup-free-memory", done.stdout)


class Callbacks(unittest.TestCase):
    """With stubs in the places of Lightning and transformers, whose only part here is the base class."""

    def stub(self, name, attribute):
        import types

        parts = name.split(".")
        for i in range(len(parts)):
            sys.modules[".".join(parts[: i + 1])] = types.ModuleType(".".join(parts[: i + 1]))
        setattr(sys.modules[name], attribute, type(attribute, (), {}))
        self.addCleanup(lambda: [sys.modules.pop(".".join(parts[: i + 1]), None) for i in range(len(parts))])

    def test_lightning(self):
        self.stub("lightning.pytorch.callbacks", "Callback")
        import io

        from oomdoc.lightning import OOMDoctor

        with mock.patch("sys.stderr", io.StringIO()) as err:
            OOMDoctor().on_exception(None, None, stub_torch.OutOfMemoryError(stub_torch.MESSAGE))
            OOMDoctor().on_exception(None, None, KeyError("x"))
        self.assertEqual(err.getvalue().count("cause fragmentation"), 1)

    def test_transformers(self):
        self.stub("transformers", "TrainerCallback")
        from oomdoc.transformers import OOMDoctor

        args = mock.Mock(spec=["per_device_train_batch_size", "gradient_checkpointing"])
        args.per_device_train_batch_size, args.gradient_checkpointing = 8, False
        self.addCleanup(oomdoc.unwatch)
        self.addCleanup(_facts.settings.clear)
        OOMDoctor().on_train_begin(args, None, None)
        self.assertEqual(_facts.settings, {"batch_size": 8, "gradient_checkpointing": False})
        self.assertIs(sys.excepthook, _watch._uncaught)
        self.assertIs(threading.excepthook, _watch._uncaught_in_thread)


if __name__ == "__main__":
    unittest.main(verbosity=1)
