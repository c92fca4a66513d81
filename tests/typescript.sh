#!/bin/sh
# The types of the client are checked by TypeScript's compiler, which npm puts into the virtual environment given as $1.
# Without npm, or with AZULEJOS_INSTALL=0, that one test is skipped.
set -eu
place="$1/typescript"
if [ -x "$place/node_modules/.bin/tsc" ] || command -v tsc >/dev/null 2>&1; then exit 0; fi
if [ "${AZULEJOS_INSTALL:-1}" = 0 ] || ! command -v npm >/dev/null 2>&1; then
    echo "azulejos: no TypeScript compiler, so the client's types are not checked (install Node.js with npm for that)."
else
    echo "azulejos: installing the TypeScript compiler into $place (checks the client's types) ..."
    npm install --silent --no-audit --no-fund --no-save --prefix "$place" typescript@5.9.3
fi
