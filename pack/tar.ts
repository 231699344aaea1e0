// Writes and reads ustar archives (POSIX.1-1988) in which nothing depends on the machine: no owner, fixed modes, one time, the given order.
import { Refusal } from './refusal.ts'

export interface TarEntry {
  /** At most 100 bytes, with `/`. */
  path: string
  bytes: Uint8Array
}

/** A file as it was found. */
export interface TarFile {
  path: string
  bytes: Buffer
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

/**
 * Reads what `tar` writes: files alone, whole.
 * @throws Refusal when it is cut short or something else
 */
export function untar(archive: Buffer): TarFile[] {
  const entries: TarFile[] = []
  for (let at = 0; ; ) {
    const block = archive.subarray(at, at + BLOCK)
    if (block.length < BLOCK) throw new Refusal('The archive is cut short.', 'cut-short')
    if (block.every((byte) => byte === 0)) return entries
    const text = (from: number, length: number) => block.toString('utf8', from, from + length).replace(/\0.*$/s, '')
    const [path, size] = [text(0, 100), Number.parseInt(text(124, 12), 8)]
    if (text(257, 5) !== 'ustar' || text(156, 1) !== '0' || !(size >= 0))
      throw new Refusal('This is no archive of a pack.', 'not-a-pack')
    const start = at + BLOCK
    if (start + size > archive.length) throw new Refusal(`The archive is cut short in ${path}.`, 'cut-short')
    entries.push({ path, bytes: archive.subarray(start, start + size) })
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
}
