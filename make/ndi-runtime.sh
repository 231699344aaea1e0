#!/usr/bin/env bash
# Fetches an NDI runtime for the tests, into the user's cache: the library for this machine's processor, its headers and its licences. The
# licence of the runtime does not allow shipping it, so it is never in the project. Prints where the licences are.
set -euo pipefail
cd "$(dirname "$0")/.."
# npm must not run on the Node version of the lockfile.
PATH=${PATH//"$PWD/node_modules/.bin:"/}

# A published npm package with NDI 5.5.2, and the SHA-512 of its archive. test/kit/ndi/runtime.ts names the same folder.
package=grandiose-mac
version=0.0.6
sha512=sfmVUoyuZfxeQXPQYyMSkQO82JxyjIKP2381W80Hz5z0+80a7Y7uwuNRbkMD/uKcNMXobzYwyWpr0Q2Ur7QI8w==
folder=${XDG_CACHE_HOME:-$HOME/.cache}/headend/ndi-runtime-5.5.2

fail() {
  echo "The NDI runtime for tests cannot be fetched: $1" >&2
  exit 1
}

print_licences() {
  echo "The tests use the NDI runtime in $folder. Using it means accepting its licences, which are in $folder/licences:"
  ls "$folder/licences" | sed 's/^/  /'
}

if [ -e "$folder/libndi.so.5" ]; then
  print_licences
  exit 0
fi
case $(uname -sm) in
  'Linux x86_64') library=linux_x64 ;;
  'Linux aarch64') library=linux_arm64 ;;
  *) fail "the package has no library for $(uname -sm)." ;;
esac
command -v npm >/dev/null || fail 'npm is not installed.'
mkdir -p "$(dirname "$folder")"
new=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$new"' EXIT
# Runs no script of the package.
npm pack --silent --ignore-scripts --pack-destination "$new" "$package@$version" >/dev/null || fail "npm cannot load $package $version."
archive=$new/$package-$version.tgz
digest=$(node -e 'const { createHash } = require("crypto"), { readFileSync } = require("fs")
  console.log(createHash("sha512").update(readFileSync(process.argv[1])).digest("base64"))' "$archive")
[ "$digest" = "$sha512" ] || fail "the archive of $package $version has the SHA-512 $digest, not $sha512."
mkdir "$new/runtime" "$new/runtime/licences" "$new/package"
tar -xzf "$archive" -C "$new/package" --strip-components=1
mv "$new/package/lib/$library/libndi.so.5" "$new/package/include" "$new/runtime"
mv "$new/package/lib/NDI SDK License Agreement.txt" "$new/package/lib/libndi_licenses.txt" "$new/runtime/licences"
cp "$new/runtime/include/LICENSE" "$new/runtime/licences/LICENSE-headers"
# Another run may have put the same files there.
mv -T "$new/runtime" "$folder" 2>/dev/null || [ -e "$folder/libndi.so.5" ]
print_licences
