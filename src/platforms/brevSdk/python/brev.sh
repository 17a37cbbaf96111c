#!/bin/sh
# `brev` on the TAO SDK's PATH: the adapter, by the interpreter that runs the SDK and without its packages.
exec "$BREV_ADAPTER_PYTHON" -E -s -S "$BREV_ADAPTER_HOME/adapter.py" "$@"
