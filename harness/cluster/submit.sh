#!/usr/bin/env bash
# Submits the parts of a run, and the job that merges them. `cluster slurm` wrote this.
set -euo pipefail
PTX_FOLDER=$(cd "$(dirname "$0")" && pwd)
export PTX_FOLDER
source "$PTX_FOLDER/settings.sh"

if ! command -v sbatch > /dev/null; then
  echo "error: there is no sbatch here: run $PTX_FOLDER/submit.sh where jobs of Slurm are submitted" >&2
  exit 2
fi
# An array has indices below this; a larger run is several arrays.
most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
mkdir -p "$PTX_FOLDER/logs"
jobs=
for ((first = 1; first <= PARTS; first += most)); do
  last=$((PARTS - first < most ? PARTS - first : most - 1))
  job=$(PTX_FIRST=$first sbatch --parsable --export=ALL --array="0-$last" --output="$PTX_FOLDER/logs/%A_%a.log" \
    "${OPTIONS[@]}" "$PTX_FOLDER/part.sbatch")
  jobs+=:${job%%;*}
done
merge=$(sbatch --parsable --export=ALL --dependency="afterany$jobs" --output="$PTX_FOLDER/logs/merge.log" \
  "${OPTIONS[@]}" "$PTX_FOLDER/merge.sbatch")
echo "$PARTS parts: jobs ${jobs#:}; the report: job ${merge%%;*}, $PTX_FOLDER/merged/report.json"
