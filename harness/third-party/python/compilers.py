"""The suite's protocol for compilers (harness/protocol/compilers.md), for the clients of this folder.

A compiler has a `name`, its `release`, its `languages`, the compiler behind each of its `targets`, what each
of its `options` is, and `compiled(source, options, target)`, which gives the text of a module as PTX or code,
as `gives` says, or raises `Rejected` or `Died`. One whose options hold for a whole process `remembers` them.
A source is a text, or bytes where its language is bitcode.
"""

import argparse
import base64
import contextlib
import itertools
import json
import os
import resource
import selectors
import signal
import sys
import time

from folder import Rejected

PROTOCOL = "ptx-compiler 1"
# The fields of the suite's messages.
GREETING = {"protocol": str}
REQUEST = {"id": int, "language": str, "source": str, "options": list, "target": str, "want": str}
# What is read at a time.
CHUNK = 1 << 20
# What is kept of what a compiler prints: the end.
WORDS = 400
# How many seconds are waited at a time, and how many more are no waiting.
SLICE, JUMP = 1, 1
# What a process may map. The libraries alone are some hundred megabytes.
MEMORY = 8 << 30


# How the names of languages end whose sources are bytes.
BITCODE = "-bitcode"


class Died(Exception):
    """How a program ended that a compiler runs."""


def source(request):
    """The source of a request: bitcode is sent in Base64."""
    if not request["language"].endswith(BITCODE):
        return request["source"]
    try:
        return base64.b64decode(request["source"], validate=True)
    except ValueError as error:
        raise Rejected(f"the source is not Base64: {error}") from error


def answer(compiler, request):
    """The answer to a request."""
    try:
        if request["language"] not in compiler.languages:
            raise Rejected(f"{compiler.name} does not compile `{request['language']}`")
        if request["want"] != compiler.gives:
            raise Rejected(f"{compiler.name} gives {compiler.gives}, not `{request['want']}`")
        text = compiler.compiled(source(request), request["options"], request["target"])
        return {"id": request["id"], compiler.gives: text}
    except Rejected as rejected:
        return {"id": request["id"], "refused": str(rejected)}
    except Died as died:
        return {"id": request["id"], "died": str(died)}


def line(message):
    """A message as it is sent."""
    return json.dumps(message).encode() + b"\n"


def limit(kind, most):
    """Allows this process so much, or what it is allowed already if that is less."""
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def work(compiler, requests, sink):
    """Answers some requests, and ends this process: after one that is refused, since libnvvm keeps the options of
    such a one for the next."""
    code = 1
    try:
        limit(resource.RLIMIT_AS, MEMORY)
        limit(resource.RLIMIT_CORE, 0)
        with open(sink, "wb") as stream:
            for request in requests:
                answered = answer(compiler, request)
                stream.write(line(answered))
                stream.flush()
                if "refused" in answered:
                    break
        code = 0
    except BaseException as error:  # nothing of this copy may go on as the client
        os.write(2, f"{type(error).__name__}: {error}".encode())
    os._exit(code)


def copy(compiler, requests):
    """A copy of this process that answers some requests: its number, and the streams of its answers and of
    what it prints."""
    answers, said = os.pipe(), os.pipe()
    process = os.fork()
    # A group of its own, so that the programs that it runs end with it; whoever comes first makes it.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.setpgid(process, process)
    if process == 0:
        # The protocol's streams are the parent's.
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for stream in (1, 2):
            os.dup2(said[1], stream)
        work(compiler, requests, answers[1])
    os.close(answers[1])
    os.close(said[1])
    return process, answers[0], said[0]


def stop(process):
    """Ends a copy and all that it has started, before it is waited for and its number is another's."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)


def ending(process, words):
    """How a process has ended, and what it printed last."""
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return ": ".join(filter(None, [how, " ".join(words.decode(errors="replace").split())]))


def apart(compiler, requests, seconds, send):
    """Has a copy of this process answer some requests, for each of which it has so long: how many it has
    answered, and how it ended."""
    process, answers, said = copy(compiler, requests)
    rest = words = b""
    done, left, late = 0, seconds, False
    with selectors.DefaultSelector() as streams:
        for stream in (answers, said):
            streams.register(stream, selectors.EVENT_READ)
        while streams.get_map():
            start = time.monotonic()
            ready = streams.select(None if late else min(left, SLICE))
            passed = time.monotonic() - start
            # Who waited so much longer was stopped meanwhile, and its copy perhaps with it.
            left = seconds if passed > SLICE + JUMP else max(0, left - passed)
            if not ready and not left:
                stop(process)
                late = True
            for stream in (key.fd for key, _ in ready):
                chunk = os.read(stream, CHUNK)
                if not chunk:
                    streams.unregister(stream)
                    os.close(stream)
                elif stream == said:
                    words = (words + chunk)[-WORDS:]
                elif b"\n" in chunk:
                    whole, _, rest = (rest + chunk).rpartition(b"\n")
                    send(whole + b"\n")
                    done += whole.count(b"\n") + 1
                    left = seconds
                else:
                    rest += chunk
    stop(process)
    ended = ending(process, words)
    return done, f"no answer in {seconds} s" if late else ended


def answered(compiler, requests, seconds, send):
    """Answers some requests. What a copy ends on is the first thing that the next one is asked for; what that
    ends on as well has died."""
    while requests:
        done, ended = apart(compiler, requests, seconds, send)
        if not done:
            send(line({"id": requests[0]["id"], "died": ended}))
        requests = requests[max(done, 1) :]


def messages(stream):
    """The lines of a stream, as many at a time as have come."""
    rest = b""
    while chunk := os.read(stream, CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        if lines:
            yield lines
    if rest:
        sys.exit("the suite stopped in the middle of a message")


def introduced(compiler):
    """What a compiler is and takes."""
    return {
        "protocol": PROTOCOL,
        "name": compiler.name,
        "version": compiler.release,
        "languages": compiler.languages,
        "targets": [{"name": name, "compiler": behind} for name, behind in compiler.targets.items()],
        "options": [{"name": name, "what": what} for name, what in compiler.options.items()],
    }


def fits(message, kinds):
    """Whether a message has these fields, of these kinds, and no others."""
    return (
        isinstance(message, dict)
        and message.keys() == kinds.keys()
        and all(isinstance(message[name], kind) for name, kind in kinds.items())
    )


def read(text, kinds):
    """A message of the suite's."""
    try:
        message = json.loads(text)
    except ValueError:
        message = None
    if not fits(message, kinds):
        sys.exit(f"this message of {PROTOCOL} is not expected here: {text[:WORDS]!r}")
    return message


def converse(compiler, stream, seconds, send):
    """Answers until there are no more messages."""
    greeted = False
    for lines in messages(stream):
        if not greeted:
            if read(lines.pop(0), GREETING)["protocol"] != PROTOCOL:
                sys.exit(f"this compiler speaks only {PROTOCOL}")
            send(line(introduced(compiler)))
            greeted = True
        requests = [read(each, REQUEST) for each in lines]
        together = (lambda each: each["options"]) if compiler.remembers else (lambda each: None)
        for _, group in itertools.groupby(requests, together):
            answered(compiler, list(group), seconds, send)


def send(message):
    """Sends a message to the suite."""
    sys.stdout.buffer.write(message)
    sys.stdout.buffer.flush()


def serve(compiler_of):
    """Is the client of a compiler."""
    parser = argparse.ArgumentParser(description=f"{compiler_of.name} as a compiler")
    parser.add_argument("--seconds", type=int, default=60, help="how long a compilation may take")
    seconds = parser.parse_args().seconds
    converse(compiler_of(), sys.stdin.fileno(), seconds, send)
