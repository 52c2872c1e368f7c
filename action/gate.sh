#!/usr/bin/env bash
# Compares the checkout with the commit at which it left BASE; its exit code is that of `assay gate`.
#   BASE        a branch of origin; empty: the one that the pull request goes to, else main
#   ARGUMENTS   more words for `assay gate`
# No token is used and nothing is written but the summary, the outputs and a folder of results.
set -euo pipefail

base="${BASE:-${GITHUB_BASE_REF:-main}}"
results="$(mktemp -d "${RUNNER_TEMP:-/tmp}/assay-gate-XXXXXX")"
read -ra more <<< "$ARGUMENTS"

# The gate needs the commit at which the branch left BASE, and a checkout has one commit only.
git config --get remote.origin.url > /dev/null || { echo "::error::this folder was not checked out"; exit 2; }
deep=()
[ "$(git rev-parse --is-shallow-repository)" = true ] && deep=(--unshallow)
git fetch --quiet --no-tags "${deep[@]}" origin "+refs/heads/$base:refs/remotes/origin/$base"

code=0
assay gate "origin/$base" "${more[@]}" --quiet \
  --output "$results/gate.json" --markdown "$results/gate.md" --junit "$results/gate.xml" || code=$?

if [ ! -s "$results/gate.md" ]; then
  echo "assay gate gave no result (exit code $code); the log says why." > "$results/gate.md"
fi
# Of which pull request this is: the workflow that comments checks it against GitHub's own word.
python3 - "$results" << 'END'
import json, os, pathlib, sys
event = json.loads(pathlib.Path(os.environ["GITHUB_EVENT_PATH"]).read_text())
number = event.get("pull_request", {}).get("number", 0)
pathlib.Path(sys.argv[1], "pull-request.json").write_text(json.dumps({"number": number}))
END
cat "$results/gate.md" >> "$GITHUB_STEP_SUMMARY"
{ echo "exit-code=$code"; echo "results=$results"; } >> "$GITHUB_OUTPUT"
exit "$code"
