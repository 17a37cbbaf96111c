# Copies between S3 and the container: with the AWS CLI where the image has it, else with s3fs from PyPI.
export AWS_ACCESS_KEY_ID="${AWS_ACCESS_KEY_ID:-${ACCESS_KEY:-}}"
export AWS_SECRET_ACCESS_KEY="${AWS_SECRET_ACCESS_KEY:-${SECRET_KEY:-}}"
export AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-${CLOUD_REGION:-us-east-1}}"
export AWS_EC2_METADATA_DISABLED=true
if [ -n "${S3_ENDPOINT_URL:-}" ]; then
  export AWS_ENDPOINT_URL="$S3_ENDPOINT_URL"
fi

# copy file|folder FROM TO
copy() {
  if command -v aws >/dev/null; then
    if [ "$1" = folder ]; then
      aws s3 cp --recursive --only-show-errors "$2" "$3"
    else
      aws s3 cp --only-show-errors "$2" "$3"
    fi
    return
  fi
  python3 -c 'import s3fs' 2>/dev/null || python3 -m pip install --quiet s3fs >&2 || return 1
  python3 - "$@" <<'PYTHON'
import os
import sys

import s3fs

kind, source, target = sys.argv[1:]
store = s3fs.S3FileSystem(endpoint_url=os.environ.get("AWS_ENDPOINT_URL"))
folder = kind == "folder"
if folder:
    source = source.rstrip("/") + "/"
    target = target.rstrip("/") + "/"
if target.startswith("s3://"):
    store.put(source, target, recursive=folder)
else:
    store.get(source, target, recursive=folder)
PYTHON
}
