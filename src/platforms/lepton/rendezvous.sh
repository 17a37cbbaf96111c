# Lepton's own variables in the names that torchrun and TAO read. TAO starts one torchrun on each node; WORLD_SIZE is
# its number of nodes, which torchrun replaces for the processes that it starts.
export NNODES="${LEPTON_JOB_TOTAL_WORKERS:-1}"
export NODE_RANK="${LEPTON_JOB_WORKER_INDEX:-0}"
export MASTER_ADDR="${LEPTON_JOB_SERVICE_PREFIX:-${LEPTON_JOB_NAME:-}}-0.${LEPTON_SUBDOMAIN:-}"
export MASTER_PORT="${MASTER_PORT:-29400}"
export WORLD_SIZE="$NNODES"
export NUM_GPU_PER_NODE="${LEPTON_RESOURCE_ACCELERATOR_NUM:-1}"
