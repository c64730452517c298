#!/usr/bin/env bash
# Submits the parts of a run, and the job that merges them. `cluster slurm` wrote this. With --continue it goes on
# from what the parts of an earlier submission have: they answer for what was tested then.
set -euo pipefail
PTX_FOLDER=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
export PTX_FOLDER
source "$PTX_FOLDER/settings.sh"

fail() {
  echo "error: $*" >&2
  exit 2
}

command -v sbatch > /dev/null || fail "there is no sbatch here: run $PTX_FOLDER/submit.sh where jobs of Slurm are submitted"
if [ "${1-}" != --continue ] && [ -e "$PTX_FOLDER/parts" ]; then
  fail "$PTX_FOLDER/parts is of an earlier submission: remove it to begin anew, or go on from it with --continue"
fi
# An array has indices below this; a larger run is several arrays.
most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
[[ $most =~ ^[1-9][0-9]*$ ]] || fail "Slurm's MaxArraySize is '$most': it has no arrays of jobs"
rm -rf "$PTX_FOLDER/merged"
mkdir -p "$PTX_FOLDER/logs" "$PTX_FOLDER/parts"
jobs=
said() { [ -z "$jobs" ] || echo "error: submitted already, without a merge: scancel${jobs//:/ }" >&2; }
trap said EXIT
for ((first = 1; first <= PARTS; first += most)); do
  last=$((PARTS - first < most ? PARTS - first : most - 1))
  job=$(PTX_FIRST=$first sbatch --parsable --export=ALL --array="0-$last" --output="$PTX_FOLDER/logs/%A_%a.log" \
    "${OPTIONS[@]}" "$PTX_FOLDER/part.sbatch")
  jobs+=:${job%%;*}
done
merge=$(sbatch --parsable --export=ALL --dependency="afterany$jobs" --output="$PTX_FOLDER/logs/merge.log" \
  "${OPTIONS[@]}" "$PTX_FOLDER/merge.sbatch")
trap - EXIT
echo "$PARTS parts: jobs ${jobs#:}; the report: job ${merge%%;*}, $PTX_FOLDER/merged/report.json"
