#!/usr/bin/env bash
# A run as an array of Slurm jobs: every task plays one shard into a database of its own.
#
#   sbatch --array=0-15 slurm.sh EXPERIMENT.toml 16 FOLDER
#   warroom runs merge latest FOLDER/part-*.sqlite --db whole.sqlite
#   warroom runs missing latest --db whole.sqlite
#
# If shards are missing, play them again with the same number of shards and merge again:
#
#   sbatch --array=3,7 slurm.sh EXPERIMENT.toml 16 FOLDER
#
#SBATCH --job-name=warroom
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -euo pipefail
experiment=${1:?expected an experiment, a .toml file}
shards=${2:?expected the number of shards}
folder=${3:?expected a folder for the databases of the shards}
shard=${SLURM_ARRAY_TASK_ID:?expected an array job: sbatch --array=0-N}
mkdir -p "$folder"
exec "${WARROOM:-warroom}" run "$experiment" --shard "$shard/$shards" --quiet \
  --threads "${SLURM_CPUS_PER_TASK:-1}" --db "$folder/part-$shard.sqlite"
