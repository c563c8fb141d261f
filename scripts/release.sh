#!/usr/bin/env bash
# Makes a release of what is committed: scripts/release.sh VERSION, or make release VERSION=1.1.0
#
# In a clone, commits the version (package.json has it, and everything else reads it there) and docs/changes.md cut at it, and
# builds release/hindsight-VERSION.tgz, hindsight-check-VERSION.tgz and both clients with SHA256SUMS from that. Then the
# commit is taken over here. A failure changes nothing. No tag is made and nothing is pushed.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "release: $1" >&2; exit 1; }
version="${1:-}"
archive="hindsight-$version.tgz"
now="$(node -p 'require("./package.json").version')"

[[ "$version" =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] || fail "\"$version\" is not a version such as 1.1.0"
[ "$(printf '%s\n' "$version" "$now" | sort -V | tail -n 1)" != "$now" ] || fail "$version does not come after $now"
[ -z "$(git status --porcelain)" ] || fail "there is something that is not committed"
! git rev-parse -q --verify "refs/tags/v$version" > /dev/null || fail "there is a tag v$version"
grep -A2 '^## Unreleased$' docs/changes.md | grep -q '^- ' || fail "docs/changes.md has nothing under \"Unreleased\""

to="$PWD/release"
clone="$(mktemp -d)"
trap 'rm -rf "$clone"' EXIT
git clone -q --depth 1 -c user.name="$(git config user.name)" -c user.email="$(git config user.email)" "file://$PWD" "$clone"
cd "$clone"
npm ci --silent --no-audit --no-fund
npm version --silent --no-git-tag-version "$version" > /dev/null
sed -i -e "s/^## Unreleased\$/## $version\n\nReleased on $(date -u +%F)./" -e "s/^\(| release  *| \)$now /\1$version /" docs/changes.md
sed -i -e "s/\"version\": \"$now\"/\"version\": \"$version\"/" server.json
npx oxfmt docs/changes.md > /dev/null
git commit -qam "release: $version"
npm run --silent build
mv package-lock.json npm-shrinkwrap.json # the name under which an archive holds its packages to their versions
.ci/client-tools "$clone/client-tools"
mkdir -p "$to"
npm pack --silent --pack-destination "$to" > /dev/null
(cd dist/hindsight-check && npm pack --silent --pack-destination "$to" > /dev/null)
clients/build "$clone/client-tools" "$to"

cd "$to"
sha256sum "$archive" "hindsight-check-$version.tgz" "hindsight-backtests-$version.tgz" hindsight_backtests-"$version"-*.whl | tee SHA256SUMS
git -C .. fetch -q "$clone" && git -C .. merge -q --ff-only FETCH_HEAD
echo "once CI has passed: git tag -a v$version -m 'Hindsight $version' && git push --follow-tags"
