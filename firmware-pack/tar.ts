// Writes ustar archives (POSIX.1-1988) in which nothing depends on the machine: no owner, fixed modes, one time, the given order.

export interface TarEntry {
  /** At most 100 bytes, with `/`. */
  path: string
  bytes: Uint8Array
}

const BLOCK = 512

/** An octal field of `length` bytes, the last one NUL. */
function octal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, '0')}\0`
}

function header(path: string, size: number, time: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`path too long for ustar: ${path}`)
  const block = Buffer.alloc(BLOCK)
  block.write(path, 0)
  block.write(octal(0o644, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(time, 12), 136)
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  let sum = 0
  for (const byte of block) sum += byte
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** @param time seconds since 1970, for every entry */
export function tar(entries: readonly TarEntry[], time: number): Buffer {
  const blocks: Uint8Array[] = []
  for (const { path, bytes } of entries) {
    const padding = (BLOCK - (bytes.length % BLOCK)) % BLOCK
    blocks.push(header(path, bytes.length, time), bytes, Buffer.alloc(padding))
  }
  const size = blocks.reduce((sum, { length }) => sum + length, 0) + 2 * BLOCK
  // tar rounds an archive up to records of 20 blocks.
  const records = Math.ceil(size / (20 * BLOCK)) * 20 * BLOCK
  return Buffer.concat(blocks, records)
}
