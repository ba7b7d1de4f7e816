#!/bin/bash -l
#SBATCH --job-name=bert-image
#SBATCH --partition=cpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --time=00:15:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Build the BERT image on Demo cluster. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export APPTAINER_CACHEDIR="$SCRATCH/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                           # output appears at once
export COLUMNS=120                                  # wide tables are not wrapped
mkdir -p "$APPTAINER_CACHEDIR" results

built_bert_classifier="$SCRATCH/slipway/images/built/bert-classifier.sif"

# --fakeroot: root inside the build, an ordinary user outside.
begin build "Build the image"
mkdir -p "${built_bert_classifier%/*}" &&
    one_build "$built_bert_classifier" &&
    slipway_with_login apptainer build --force --fakeroot \
    --no-https "$built_bert_classifier.part" Definition.bert &&
    mv "$built_bert_classifier.part" "$built_bert_classifier" &&
    ls -lh "$built_bert_classifier" &&
    image_digest "$built_bert_classifier" keep
end || exit

begin help "The program's help"
srun apptainer exec "$built_bert_classifier" \
    bert_classifier.py -h
end || exit

begin size "How large it is"
bash image_report.sh "$built_bert_classifier"
end || exit
