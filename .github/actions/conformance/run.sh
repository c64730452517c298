#!/usr/bin/env bash
# What the action does with the suite once it is built: runs it, and leaves what it found where GitHub shows it. The
# inputs are in the environment. Ends with 0; the exit code of the run is an output.
set -euo pipefail

# One option for each line of a text.
each() {
  while IFS= read -r line; do
    [ -z "$line" ] || arguments+=("$1" "$line")
  done <<< "$2"
}

arguments=(--impl "$IMPLEMENTATION" --tier "$TIER" --out "$OUT")
each --only "$ONLY"
each --skip "$SKIP"
each --target "$TARGET"
each --waivers "$WAIVERS"

# One from before would be taken for this run's.
report=$OUT/report.json
rm -f "$report"
code=0
"$CONFORMANCE" conformance "${arguments[@]}" || code=$?
echo "code=$code" >> "$GITHUB_OUTPUT"

if [ -f "$report" ]; then
  "$CONFORMANCE" report annotations "$report"
  "$CONFORMANCE" report markdown --most 900000 "$report" >> "$GITHUB_STEP_SUMMARY"
  "$CONFORMANCE" report html "$report" --out "$OUT/report.html"
else
  echo "::error title=PTX conformance::The run could not be made: the step's log says why."
fi
