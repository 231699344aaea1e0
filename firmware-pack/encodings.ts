// The encodings a browser may ask for, each made the same way on every machine: strongest setting, nothing of time or place in it.
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'

/** gzip -9. Node writes no name and no time into it. */
export function gzip(bytes: Uint8Array): Buffer {
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
