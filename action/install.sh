#!/usr/bin/env bash
# Installs Assay into a folder that is cached between runs, and puts it on PATH.
#   INSTALL          what pip installs; empty: Assay is built of the folder ACTION
#   ACTION_VERSION   which version of the action this is
set -euo pipefail

home="$HOME/.local/share/assay-action"
# shellcheck disable=SC2086 # a pattern such as ./assay-*.whl names a file
wanted="${INSTALL:-built of ${ACTION_VERSION:-$ACTION}} $(sha256sum ${INSTALL:-} < /dev/null 2> /dev/null || true) $(python3 --version)"

if [ "$(cat "$home/installed" 2> /dev/null)" != "$wanted" ]; then
  rm -rf "$home"
  python3 -m venv "$home"
  if [ -z "$INSTALL" ] && command -v apt-get > /dev/null; then
    packages=(g++ cmake ninja-build libbenchmark-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libpfm4-dev)
    sudo apt-get update
    sudo apt-get install -y --no-install-recommends "${packages[@]}"
  fi
  # shellcheck disable=SC2086 # a pattern such as ./assay-*.whl names a file
  "$home/bin/pip" install --quiet --disable-pip-version-check ${INSTALL:-"$ACTION"}
  echo "$wanted" > "$home/installed"
fi
"$home/bin/assay" --version
echo "$home/bin" >> "$GITHUB_PATH"
