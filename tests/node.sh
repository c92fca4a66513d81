#!/bin/sh
# Two programs from npm, put into the virtual environment given as $1: TypeScript's compiler checks the types of the client,
# axe looks for barriers on its pages. Without npm, or with AZULEJOS_INSTALL=0, these checks are skipped.
set -eu
place="$1/node"
if [ -x "$place/node_modules/.bin/tsc" ] && [ -f "$place/node_modules/axe-core/axe.min.js" ]; then exit 0; fi
if [ "${AZULEJOS_INSTALL:-1}" = 0 ] || ! command -v npm >/dev/null 2>&1; then
    echo "azulejos: the client's types and barriers are not checked (install Node.js with npm for that)."
else
    echo "azulejos: installing TypeScript and axe into $place (they check the client) ..."
    npm install --silent --no-audit --no-fund --no-save --prefix "$place" typescript@5.9.3 axe-core@4.14.0
fi
