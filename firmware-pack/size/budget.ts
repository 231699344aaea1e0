// Measures the size of a bundle, compressed in the same way as in a pack.
import { sync as brotliSize } from 'brotli-size'
import { type MeasuredSizes, measureFiles } from '../../pack/budget.ts'
import type { BundleFile } from '../bundle-files.ts'
import { gzip } from '../format/encodings.ts'

export function measure(files: readonly BundleFile[]): MeasuredSizes {
  return measureFiles(files, ({ bytes, gzip: packed = gzip(bytes) }) => ({
    raw: bytes.length,
    gzip: packed.length,
    brotli: brotliSize(bytes)
  }))
}
