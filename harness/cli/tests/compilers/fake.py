"""A client of the suite's protocol for compilers that does as its argument says. What it compiles a request to
is the request, so that a test sees what came."""

import json
import sys
import time


def send(message):
    print(json.dumps(message) if isinstance(message, dict) else message, flush=True)


def outcome(request):
    """What a line of the source says, and PTX unless one says something else."""
    for line in request["source"].splitlines():
        kind, _, words = line.partition(" ")
        if kind in ("code", "refused", "died"):
            return {"id": request["id"], kind: words}
    asked = [request[key] for key in ("language", "source", "options", "target", "want")]
    return {"id": request["id"], "ptx": json.dumps(asked)}


manner = sys.argv[1]
introduction = {
    "protocol": "ptx-compiler 1",
    "name": "fake",
    "version": "1 of 2026",
    "languages": ["cuda"],
    "targets": [{"name": "compute_90", "compiler": "old"}, {"name": "compute_100", "compiler": "new"}],
    "options": [{"name": "-O{0|3}", "what": "the level"}],
}
assert json.loads(input()) == {"protocol": "ptx-compiler 1"}
if manner == "mute":
    time.sleep(1000)
if manner == "old":
    introduction["protocol"] = "ptx-compiler 0"
if manner == "short":
    del introduction["targets"]
send(introduction)

held = []
for line in sys.stdin:
    answer = outcome(json.loads(line))
    if manner == "right":
        send(answer)
    elif manner == "backwards":
        # Two at a time, the second first.
        held.append(answer)
        if len(held) == 2:
            send(held.pop())
            send(held.pop())
    elif manner == "garbage":
        send("no JSON \x1b[2J")
    elif manner == "both":
        send({**answer, "refused": "and this"})
    elif manner == "neither":
        send({"id": answer["id"]})
    elif manner == "more":
        send({**answer, "bytes": 3})
    elif manner == "wide":
        send({**answer, "x" * (1 << 20): 3})
    elif manner == "other":
        send({**answer, "id": 1000})
    elif manner == "twice":
        send({**answer, "id": 0})
    elif manner == "negative":
        send({**answer, "id": -1})
    elif manner == "list":
        send(json.dumps([answer]))
    elif manner == "deep":
        send("[" * 100000)
    elif manner == "ahead":
        send(answer)
        send(answer)
    elif manner == "long":
        while True:
            sys.stdout.write("x" * (1 << 20))
    elif manner == "ends":
        if answer["id"] == 1:
            sys.exit("no more of this")
        send(answer)
    elif manner == "hangs":
        time.sleep(1000)
