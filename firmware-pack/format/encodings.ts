// The content encodings of a pack, at the highest level. The result is the same on every machine and contains no time
// and no name.
import { gzipSync, constants as zlib } from 'node:zlib'
import { zopfli } from '../../bundler/zopfli.ts'

export { brotli } from '../../bundler/compressed-files.ts'

/** gzip by zopfli: 4 % smaller than `quickGzip`, takes a few seconds per megabyte. */
export const gzip = (bytes: Uint8Array): Buffer => zopfli(bytes)

/** gzip -9, for large files and for comparisons. */
export function quickGzip(bytes: Uint8Array): Buffer {
  return gzipSync(bytes, { level: zlib.Z_BEST_COMPRESSION, memLevel: 9 })
}
