# Sourced by tests that use npm packages: $node_folder with the packages of tests/node, or the test is skipped.
node_folder=$build/node
mkdir -p "$node_folder" && cp "$source"/tests/node/* "$node_folder"/
if ! cmp -s "$node_folder/package-lock.json" "$node_folder/installed.json"; then
    timeout 180 npm ci --prefix "$node_folder" --no-audit --no-fund >"$work/npm.log" 2>&1 || { echo "skipped: npm cannot get the packages"; exit 77; }
    cp "$node_folder/package-lock.json" "$node_folder/installed.json"
fi
