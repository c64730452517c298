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

# Ends without a verdict, and says why.
refuse() {
  echo "::error title=PTX conformance::$1"
  echo "code=2" >> "$GITHUB_OUTPUT"
  exit 0
}

[ -n "$OUT" ] || refuse "The input out is empty: leave it out, or name a folder."
[ -n "$IMPLEMENTATION${JUDGE:-}" ] || refuse "Give one of the inputs implementation and judge."
# Nothing takes it for an option.
case $OUT in -*) OUT=./$OUT ;; esac
suite=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
if [ -n "${JUDGE:-}" ]; then
  arguments=(judge --out "$(realpath -m -- "$OUT")" -- "$(realpath -m -- "$JUDGE")")
  # Compilers are found in the suite's folder.
  folder=$suite
else
  arguments=(conformance --impl "$IMPLEMENTATION" --tier "$TIER" --out "$OUT")
  each --only "$ONLY"
  each --skip "$SKIP"
  each --target "$TARGET"
  each --waivers "$WAIVERS"
  folder=.
fi

# Lists the reports of a kind: each judgement has a folder of its own.
reports() {
  if [ -n "${JUDGE:-}" ]; then
    find "$OUT" -mindepth 2 -type f -name "report.$1" 2> /dev/null | sort -V
  elif [ -f "$OUT/report.$1" ]; then
    printf '%s\n' "$OUT/report.$1"
  fi
}

# Those from before would be taken for this run's.
for end in json html; do
  while IFS= read -r old; do rm -f -- "$old"; done < <(reports "$end")
done
# What is tested may print what GitHub takes for commands: until this word comes again, it takes none.
word=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
echo "::stop-commands::$word"
code=0
if [ -n "${SETUP:-}" ]; then
  read -r -d '' -a names <<< "$SETUP" || true
  [ "${#names[@]}" = 0 ] || (cd "$suite" && "$CONFORMANCE" setup "${names[@]}") || code=2
fi
if [ "$code" = 0 ]; then
  (cd "$folder" && "$CONFORMANCE" "${arguments[@]}") || code=$?
fi
# The last line of the run may have no end.
printf '\n::%s::\n' "$word"
echo "code=$code" >> "$GITHUB_OUTPUT"

found=
while IFS= read -r report; do
  found=1
  "$CONFORMANCE" report annotations "$report"
  "$CONFORMANCE" report markdown --most 900000 "$report" >> "$GITHUB_STEP_SUMMARY"
  "$CONFORMANCE" report html "$report" --out "${report%.json}.html"
done < <(reports json)
[ -n "$found" ] || echo "::error title=PTX conformance::The run could not be made: the step's log says why."
