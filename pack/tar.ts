// Writes and reads reproducible ustar archives (POSIX.1-1988): no owner, fixed mode, one modification time, order of
// the caller.
import { PackError } from './pack-error.ts'

export interface TarEntry {
  /** At most 100 bytes, with `/`. */
  path: string
  bytes: Uint8Array
}

/** A file of an archive. */
export interface TarFile {
  path: string
  bytes: Buffer
}

export const BLOCK = 512

/** An octal header field of `length` bytes, terminated by NUL. */
function octalField(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, '0')}\0`
}

export function encodeHeader(path: string, size: number, time: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`Path too long for ustar, at most 100 bytes: ${path}`)
  const block = Buffer.alloc(BLOCK)
  block.write(path, 0)
  block.write(octalField(0o644, 8), 100)
  block.write(octalField(0, 8), 108)
  block.write(octalField(0, 8), 116)
  block.write(octalField(size, 12), 124)
  block.write(octalField(time, 12), 136)
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  let sum = 0
  for (const byte of block) sum += byte
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** Bytes of a file with its padding. */
export const paddedSize = (size: number) => Math.ceil(size / BLOCK) * BLOCK

/** Bytes of an archive with files of these sizes: padded to records of 20 blocks, like those of tar. */
export function archiveSize(sizes: readonly number[]): number {
  const size = sizes.reduce((sum, bytes) => sum + BLOCK + paddedSize(bytes), 0) + 2 * BLOCK
  return Math.ceil(size / (20 * BLOCK)) * 20 * BLOCK
}

/** Creates an archive. @param time modification time of all entries in seconds since the epoch */
export function createTar(entries: readonly TarEntry[], time: number): Buffer {
  const blocks: Uint8Array[] = []
  for (const { path, bytes } of entries) {
    blocks.push(encodeHeader(path, bytes.length, time), bytes, Buffer.alloc(paddedSize(bytes.length) - bytes.length))
  }
  return Buffer.concat(blocks, archiveSize(entries.map(({ bytes }) => bytes.length)))
}

/**
 * Reads the header of a file.
 * @returns undefined at the end of the archive
 * @throws PackError if it is no header of a regular file
 */
export function readHeader(block: Buffer): { path: string; size: number } | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  const text = (from: number, length: number) => block.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const [path, size] = [text(0, 100), Number.parseInt(text(124, 12), 8)]
  if (text(257, 5) !== 'ustar' || text(156, 1) !== '0' || !(size >= 0))
    throw new PackError('Not an archive of a pack.', 'not-a-pack')
  return { path, size }
}

/**
 * Reads an archive that `createTar` wrote. It has regular files only.
 * @throws PackError if the archive is truncated or has another format
 */
export function readTar(archive: Buffer): TarFile[] {
  const entries: TarFile[] = []
  for (let offset = 0; ; ) {
    const block = archive.subarray(offset, offset + BLOCK)
    if (block.length < BLOCK) throw new PackError('The archive is truncated.', 'cut-short')
    const header = readHeader(block)
    if (!header) return entries
    const { path, size } = header
    const start = offset + BLOCK
    if (start + size > archive.length) throw new PackError(`The archive is truncated in ${path}.`, 'cut-short')
    entries.push({ path, bytes: archive.subarray(start, start + size) })
    offset = start + paddedSize(size)
  }
}
