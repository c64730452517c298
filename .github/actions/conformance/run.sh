#!/usr/bin/env bash
# What the action does with the suite once it is built: runs it, and leaves what it found where GitHub shows it. The
# inputs are in the environment. Ends with 0; the exit code of the run is an output.
set -euo pipefail

# One option for each line of a text.
each() {
  while IFS= read -r line; do
    [[ $line =~ ^[[:space:]]*$ ]] || arguments+=("$1" "$line")
  done <<< "$2"
}

if [ -z "$OUT" ]; then
  echo "::error title=PTX conformance::The input out is empty: leave it out, or name a folder."
  echo "code=2" >> "$GITHUB_OUTPUT"
  exit 0
fi
# Nothing takes it for an option.
case $OUT in -*) OUT=./$OUT ;; esac
arguments=(--impl "$IMPLEMENTATION" --tier "$TIER" --out "$OUT")
each --only "$ONLY"
each --skip "$SKIP"
each --target "$TARGET"
each --waivers "$WAIVERS"

# Those from before would be taken for this run's.
report=$OUT/report.json
rm -f "$report" "$OUT/report.html"
# What is tested may print what GitHub takes for commands: until this word comes again, it takes none.
word=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
echo "::stop-commands::$word"
code=0
"$CONFORMANCE" conformance "${arguments[@]}" || code=$?
echo "::$word::"
echo "code=$code" >> "$GITHUB_OUTPUT"

if [ -f "$report" ]; then
  "$CONFORMANCE" report annotations "$report"
  "$CONFORMANCE" report markdown --most 900000 "$report" >> "$GITHUB_STEP_SUMMARY"
  "$CONFORMANCE" report html "$report" --out "$OUT/report.html"
else
  echo "::error title=PTX conformance::The run could not be made: the step's log says why."
fi
