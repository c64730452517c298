"""Tests of what the clients of compilers share: python3 -m unittest test_compilers

They need no compiler, but for one that is skipped where libnvvm is not installed.
"""

import contextlib
import io
import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

import compilers
import installed
import tools
from folder import Rejected


class Fake:
    """A compiler that does as the source says."""

    name, release = "fake", "1"
    languages = ["cuda", "fake-bitcode"]
    targets, options = {"compute_90": "fake"}, {"-O{0|3}": "the level"}
    gives, remembers = "ptx", False

    def __init__(self):
        self.compilations = 0

    def compiled(self, source, options, target):
        self.compilations += 1
        if isinstance(source, bytes):
            return f"{len(source)} bytes"
        word, _, rest = source.partition(" ")
        if word == "refuse":
            raise Rejected(rest)
        if word == "signal":
            os.kill(os.getpid(), int(rest))
        if word == "exit":
            os.write(2, b"cannot\n select")
            os._exit(int(rest))
        if word == "start":
            subprocess.run(["sleep", rest], pass_fds=[self.held])
        if word == "program":
            raise compilers.Died(rest)
        if word == "raise":
            raise ValueError(rest)
        if word == "sleep":
            time.sleep(float(rest))
        if word == "print":
            sys.stdout.write("x" * int(rest))
            sys.stdout.flush()
        if word == "count":
            return self.compilations
        if word == "read":
            return os.read(0, 100).decode()
        if word == "allocate":
            return len(bytearray(int(rest)))
        if word == "second" and self.compilations > 1:
            os.abort()
        return f"{source} for {target} by {' '.join(options)}"


def request(number, source, **fields):
    plain = {"language": "cuda", "source": source, "options": [], "target": "compute_90", "want": "ptx"}
    return {"id": number, **plain, **fields}


class Answers(unittest.TestCase):
    def answers(self, *sources, compiler=None, seconds=20):
        sent = []
        requests = [each if isinstance(each, dict) else request(0, each) for each in sources]
        requests = [{**each, "id": number} for number, each in enumerate(requests)]
        compilers.answered(compiler or Fake(), requests, seconds, sent.append)
        answers = [json.loads(line) for line in b"".join(sent).splitlines()]
        self.assertEqual([each.pop("id") for each in answers], list(range(len(sources))))
        return answers

    def test_nothing_is_compiled_by_what_has_refused_something(self):
        self.assertEqual(
            self.answers("a", "count", "refuse it", "count"),
            [{"ptx": "a for compute_90 by "}, {"ptx": 2}, {"refused": "it"}, {"ptx": 1}],
        )

    def test_what_compiles_is_answered_with_what_it_became(self):
        self.assertEqual(
            self.answers("a\n\"b\"", request(0, "c", options=["-O3", "-g"], target="sm_1")),
            [{"ptx": 'a\n"b" for compute_90 by '}, {"ptx": "c for sm_1 by -O3 -g"}],
        )

    def test_bitcode_is_sent_in_base64(self):
        sent = request(0, "QkPA3g==", language="fake-bitcode")
        self.assertEqual(self.answers(sent), [{"ptx": "4 bytes"}])

    def test_what_is_not_taken_is_refused(self):
        for asked, words in [
            ("refuse no f", "no f"),
            (request(0, "a", language="c"), "fake does not compile `c`"),
            (request(0, "a", want="code"), "fake gives ptx, not `code`"),
            (request(0, "*", language="c-bitcode"), "fake does not compile `c-bitcode`"),
            (request(0, "QUI", language="fake-bitcode"), "the source is not Base64: Incorrect padding"),
        ]:
            self.assertEqual(self.answers(asked), [{"refused": words}])

    def test_what_ends_the_compiler_has_died_and_nothing_else(self):
        answers = self.answers("a", "signal 11", "b", "exit 1", "exit 0", "raise it", "c")
        died = [each.get("died") for each in answers]
        ends = ["exit code 1: cannot select", "exit code 0: cannot select", "exit code 1: ValueError: it"]
        self.assertEqual(died, [None, "signal 11", None, *ends, None])

    def test_what_is_sent_to_the_client_is_not_read_by_what_compiles(self):
        before, (read, write) = os.dup(0), os.pipe()
        os.write(write, b"a request")
        os.close(write)
        try:
            os.dup2(read, 0)
            self.assertEqual(self.answers("read"), [{"ptx": ""}])
            self.assertEqual(os.read(0, 100), b"a request")
        finally:
            os.dup2(before, 0)
            os.close(before)
            os.close(read)

    def test_what_dies_of_those_before_it_is_tried_alone(self):
        self.assertEqual(self.answers("a", "second")[1], {"ptx": "second for compute_90 by "})

    def test_what_takes_too_long_has_died_and_the_next_has_its_own_time(self):
        start = time.monotonic()
        *slept, count, died, last = self.answers(
            "sleep 0.6", "sleep 0.6", "count", "sleep 100", "count", seconds=1
        )
        self.assertEqual([list(each) for each in slept], [["ptx"], ["ptx"]])
        # One process has compiled all that were in time.
        self.assertEqual([count, died, last], [{"ptx": 3}, {"died": "no answer in 1 s"}, {"ptx": 1}])
        self.assertLess(time.monotonic() - start, 10)

    def test_time_in_which_the_client_is_stopped_does_not_count(self):
        clock, calls = time.monotonic, []

        def jumps():
            calls.append(1)
            return clock() + (100 if len(calls) > 1 else 0)

        with unittest.mock.patch.object(compilers.time, "monotonic", jumps):
            self.assertEqual(list(self.answers("sleep 1.5", seconds=2)[0]), ["ptx"])

    def test_a_lower_limit_of_memory_stays(self):
        limits = []
        with (
            unittest.mock.patch.object(resource, "getrlimit", lambda kind: (5, 7)),
            unittest.mock.patch.object(resource, "setrlimit", lambda *limit: limits.append(limit)),
        ):
            compilers.limit(resource.RLIMIT_AS, 9)
            compilers.limit(resource.RLIMIT_AS, 6)
        self.assertEqual(limits, [(resource.RLIMIT_AS, (7, 7)), (resource.RLIMIT_AS, (6, 6))])

    def test_what_a_compiler_has_started_ends_with_it(self):
        reader, Fake.held = os.pipe()
        self.assertEqual(self.answers("start 1000", seconds=1), [{"died": "no answer in 1 s"}])
        os.close(Fake.held)
        # Nobody else has the other end, unless the program goes on.
        ready, _, _ = select.select([reader], [], [], 10)
        self.assertEqual(ready, [reader])
        os.close(reader)

    def test_the_end_of_a_program_is_told(self):
        self.assertEqual(self.answers("program x: signal 6"), [{"died": "x: signal 6"}])

    def test_a_compiler_that_prints_neither_waits_nor_is_taken_for_an_answer(self):
        self.assertEqual([list(each) for each in self.answers("print 1000000", "a")], [["ptx"], ["ptx"]])

    def test_memory_has_a_limit(self):
        [answer] = self.answers(f"allocate {compilers.MEMORY}")
        self.assertIn("MemoryError", answer["died"])

    def test_an_answer_may_be_larger_than_a_pipe(self):
        text = "x" * 1_000_000
        self.assertEqual(self.answers(text)[0]["ptx"][: len(text)], text)


class Conversation(unittest.TestCase):
    GREETING = {"protocol": compilers.PROTOCOL}

    def converse(self, *messages, compiler=None):
        reader, writer = os.pipe()
        with os.fdopen(writer, "wb") as stream:
            for each in messages:
                stream.write(each if isinstance(each, bytes) else compilers.line(each))
        sent = []
        try:
            compilers.converse(compiler or Fake(), reader, 20, sent.append)
        finally:
            os.close(reader)
        return [json.loads(line) for line in b"".join(sent).splitlines()]

    def test_an_introduction_comes_first(self):
        introduction, answer = self.converse(self.GREETING, request(7, "a"))
        self.assertEqual(introduction["targets"], [{"name": "compute_90", "compiler": "fake"}])
        self.assertEqual(introduction["options"], [{"name": "-O{0|3}", "what": "the level"}])
        self.assertEqual(answer, {"id": 7, "ptx": "a for compute_90 by "})

    def test_who_remembers_options_gets_others_in_another_process(self):
        class Remembers(Fake):
            remembers = True

            def compiled(self, source, options, target):
                self.compilations += 1
                return str(self.compilations)

        levels = ["-O3", "-O3", "-O0", "-O3"]
        requests = [request(number, "a", options=[level]) for number, level in enumerate(levels)]
        answers = self.converse(self.GREETING, *requests, compiler=Remembers())[1:]
        self.assertEqual([each["ptx"] for each in answers], ["1", "2", "1", "1"])

    def test_what_is_no_message_ends_the_client(self):
        whole = request(0, "a")
        for messages, words in [
            ([b"ptx-conformance 1\n"], "is not expected here"),
            ([{"protocol": "ptx-compiler 2"}], "only ptx-compiler 1"),
            ([self.GREETING, self.GREETING], "is not expected here"),
            ([self.GREETING, b"\xff\n"], "is not expected here"),
            ([self.GREETING, {**whole, "id": "0"}], "is not expected here"),
            ([self.GREETING, {**whole, "more": 1}], "is not expected here"),
            ([self.GREETING, {key: whole[key] for key in whole if key != "target"}], "is not expected here"),
            ([self.GREETING, compilers.line(whole)[:-1]], "in the middle of a message"),
        ]:
            with self.subTest(messages), self.assertRaisesRegex(SystemExit, words):
                self.converse(*messages)


class Tools(unittest.TestCase):
    """Programs, of which others stand in for NVIDIA's."""

    def tool(self, script):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "tool")
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(path, 0o755)
        return path

    def run_as(self, script, function, *arguments):
        path = self.tool(script)
        with unittest.mock.patch.dict(os.environ, {"PTXAS": path, "NVDISASM": path}):
            return function(*arguments)

    def test_what_a_program_says_is_told_and_what_it_refuses_is_rejected(self):
        self.assertEqual(self.run_as('echo "$@"', tools.said, "ptxas", "a", "b"), "a b\n")
        with self.assertRaisesRegex(Rejected, "^no such thing$"):
            self.run_as("echo no such >&2; echo thing >&2; exit 255", tools.said, "ptxas")
        with self.assertRaisesRegex(compilers.Died, "ptxas: signal 11"):
            self.run_as("kill -11 $$", tools.said, "ptxas")

    def test_a_file_that_is_named_and_is_none_is_not_replaced_by_a_package_s(self):
        packaged = Path(self.tool(""))
        with unittest.mock.patch.dict(os.environ, {"THING": ""}):
            self.assertEqual(installed.located("THING", [packaged], "thing"), str(packaged))
        with unittest.mock.patch.dict(os.environ, {"THING": "/no/thing"}):
            with self.assertRaisesRegex(SystemExit, "^THING is set to /no/thing, which is not a library$"):
                installed.located("THING", [packaged], "thing")
        with unittest.mock.patch.dict(os.environ, {"THING": str(packaged)}):
            with self.assertRaisesRegex(SystemExit, "cannot be loaded as a library"):
                installed.library("THING", [], "thing")
        with self.assertRaisesRegex(SystemExit, "^thing is missing: "):
            installed.located("NOTHING", [packaged.with_name("other")], "thing")

    def test_what_the_disassembler_does_not_take_was_not_refused_by_the_compiler(self):
        self.assertEqual(self.run_as('cat "$3"', tools.disassembled, b"code"), "code")
        with self.assertRaisesRegex(compilers.Died, "nvdisasm: no cubin"):
            self.run_as("echo no cubin; exit 1", tools.disassembled, b"code")


class Libnvvm(unittest.TestCase):
    """The library itself, which segfaults on some functions."""

    def test_a_crash_is_one_answer_among_others(self):
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                from nvvm_compiler import Compiler

                compiler = Compiler()
        except SystemExit as missing:
            self.skipTest(str(missing))
        good = "define float @f(float %a) {\n  %d = fdiv float 1.0, %a\n  ret float %d\n}"
        call = "declare float @llvm.NAME.f32(float)\ndefine float @f(float %a) {\n  \
                %d = call float @llvm.NAME.f32(float %a)\n  ret float %d\n}"
        sources = [good, *(call.replace("NAME", name) for name in ("exp", "log", "log2", "log10")), good]
        requests = [request(at, source, language="nvvm-ir") for at, source in enumerate(sources)]
        sent = []
        compilers.answered(compiler, requests, 20, sent.append)
        answers = [json.loads(each) for each in b"".join(sent).splitlines()]
        self.assertEqual([each.get("died") for each in answers], [None, *["signal 11"] * 4, None])
        self.assertIn("rcp.rn.f32", answers[0]["ptx"])


if __name__ == "__main__":
    unittest.main()
