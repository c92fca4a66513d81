#!/bin/sh
# Make sure that a Chromium is there for the browser tests; say what is happening.
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "azulejos: installing Chromium for the browser tests (a minute) ..."
    apt-get update -qq && apt-get install -y -qq chromium >/dev/null
else
    echo "azulejos: the browser tests need Chromium; install it (Debian: apt install chromium)." >&2
    exit 1
fi
