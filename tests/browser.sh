#!/bin/sh
# The browser tests need a Chromium. As root on Debian or Ubuntu one is installed, and the command is shown first;
# AZULEJOS_INSTALL=0 installs nothing, and the browser tests are skipped.
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
install="apt-get update && apt-get install -y chromium"
if [ "${AZULEJOS_INSTALL:-1}" = 0 ]; then
    echo "azulejos: no Chromium was found and AZULEJOS_INSTALL=0, so the browser tests are skipped."
elif command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "azulejos: the browser tests need Chromium, so this system package is installed now:"
    echo "    $install"
    echo "(a minute; stop with Ctrl-C, and 'make test AZULEJOS_INSTALL=0' does without)"
    apt-get update -qq && apt-get install -y -qq chromium >/dev/null
else
    echo "azulejos: the browser tests need Chromium, and none was found. Install it (Debian, Ubuntu: as root" >&2
    echo "    $install" >&2
    echo "), or run 'make test AZULEJOS_INSTALL=0' to skip them." >&2
    exit 1
fi
