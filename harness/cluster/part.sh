#!/bin/sh
# One part of a run in a pod, which Kubernetes numbers from 0; the arguments are the run. State and report lie on the
# claim, so that the pod that takes its place goes on with it. Another job begins anew, whatever is there: it may have
# another image under the same name.
set -u
part=$((JOB_COMPLETION_INDEX + 1))
out=$PARTS_FOLDER/$part
mkdir -p "$out" || exit 2
if [ "$(cat "$out/job" 2> /dev/null)" != "$JOB" ]; then
  rm -f "$out/state.json" "$out/report.json" && echo "$JOB" > "$out/job" || exit 2
fi
set -- "$@" --shard "$part/$PARTS" --out "$out"
[ ! -s "$out/state.json" ] || set -- "$@" --resume
conformance "$@" &
run=$!
# What is stopped is no answer, whatever the run says of what it has so far.
trap 'kill -INT "$run"; wait "$run"; exit 143' TERM
wait "$run"
