#!/bin/sh
# Builds, serves and tests pcpscope. Needs Go; see internal/dev for the work.
cd "$(dirname "$0")" || exit 1
exec go run ./internal/dev "$@"
