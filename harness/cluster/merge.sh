#!/bin/sh
# The parts of a run become one report, if all of them are of one job; the arguments are options of the merge.
set -u
jobs=$(find "$PARTS_FOLDER" -mindepth 2 -maxdepth 2 -name job -exec cat {} + | sort -u | wc -l)
if [ "$jobs" -gt 1 ]; then
  echo "error: $PARTS_FOLDER has parts of $jobs jobs: some of the last one's have not begun" >&2
  exit 2
fi
exec conformance report merge "$PARTS_FOLDER" "$@"
