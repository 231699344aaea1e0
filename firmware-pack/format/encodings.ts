// The encodings a browser may ask for, each made the same way on every machine: strongest setting, nothing of time or place in it.
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { zopfli } from '../../bundler/zopfli.ts'

/** gzip as small as it can be: 4 % below `quickGzip`, in some seconds for each megabyte. No name and no time are in it. */
export const gzip = (bytes: Uint8Array): Buffer => zopfli(bytes)

/** gzip -9, for what is only compared, or large. Node writes no name and no time into it. */
export function quickGzip(bytes: Uint8Array): Buffer {
  return gzipSync(bytes, { level: zlib.Z_BEST_COMPRESSION, memLevel: 9 })
}

/** brotli -11. */
export function brotli(bytes: Uint8Array): Buffer {
  return brotliCompressSync(bytes, {
    params: {
      [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
      [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length
    }
  })
}
