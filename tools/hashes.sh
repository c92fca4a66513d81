#!/bin/sh
# Writes the hashes of everything that the image (deploy/requirements.txt) and CI (deploy/requirements-ci.txt)
# install, in the versions of constraints.txt, for Linux and Python 3.11. Needs pip-tools: `pip install pip-tools`.
set -eu
cd "$(dirname "$0")/.."
hash() {
    file=$1; shift
    pip-compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header \
        --no-annotate --strip-extras --allow-unsafe --constraint constraints.txt --output-file "$file.new" "$@" pyproject.toml
    # not azulejos itself, which extras name
    sed -e '/^#/d' -e '/^$/d' -e '/^azulejos @/d' "$file.new" > "$file"
    rm "$file.new"
}
hash deploy/requirements.txt --extra web --extra postgres --build-deps-for wheel
hash deploy/requirements-ci.txt --extra all --extra dev
