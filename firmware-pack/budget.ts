// What a browser downloads before the console works, weighed as it is packed.
import { sync as brotliSize } from 'brotli-size'
import { addUp, type Measured } from '../pack/budget.ts'
import type { BundleFile } from './bundle-files.ts'
import { gzip } from './encodings.ts'

export function measure(files: readonly BundleFile[]): Measured {
  return addUp(files, ({ bytes, gzip: packed = gzip(bytes) }) => ({
    raw: bytes.length,
    gzip: packed.length,
    brotli: brotliSize(bytes)
  }))
}
