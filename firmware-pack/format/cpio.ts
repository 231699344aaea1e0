// Writes and reads cpio archives in the `newc` format (cpio(5)), which swupdate requires. They contain no data of the
// machine.

import { PackError } from '../../pack/pack-error.ts'
import type { TarEntry } from '../../pack/tar.ts'
import type { BundleFile } from '../bundle-files.ts'

const MAGIC = '070701'
const HEADER = 110
const END = 'TRAILER!!!'
const REGULAR = 0o100644

const field = (value: number) => value.toString(16).padStart(8, '0').toUpperCase()
const padded = (length: number) => Math.ceil(length / 4) * 4

function entry(path: string, bytes: Uint8Array, inode: number, mode: number, time: number): Buffer {
  const name = Buffer.from(`${path}\0`)
  // Inode, mode, uid, gid, nlink, mtime, size, dev major and minor, rdev major and minor, name length, checksum.
  const numbers = [inode, mode, 0, 0, 1, time, bytes.length, 0, 0, 0, 0, name.length, 0]
  const start = padded(HEADER + name.length)
  const block = Buffer.alloc(start + padded(bytes.length))
  block.write(MAGIC + numbers.map(field).join(''), 'latin1')
  name.copy(block, HEADER)
  block.set(bytes, start)
  return block
}

/** Creates an archive. @param time modification time of all entries, in seconds since 1970 */
export function createCpio(entries: readonly TarEntry[], time: number): Buffer {
  const blocks = entries.map(({ path, bytes }, index) => entry(path, bytes, index + 1, REGULAR, time))
  return Buffer.concat([...blocks, entry(END, new Uint8Array(), 0, 0, 0)])
}

/** Reads an archive. @throws PackError when it is truncated or not a cpio archive */
export function readCpio(archive: Buffer): BundleFile[] {
  const entries: BundleFile[] = []
  for (let offset = 0; ; ) {
    const header = archive.toString('latin1', offset, offset + HEADER)
    if (header.length < HEADER || !header.startsWith(MAGIC))
      throw new PackError('The archive is truncated or not a cpio archive.')
    const number = (index: number) => Number.parseInt(header.slice(6 + 8 * index, 14 + 8 * index), 16)
    const [size, nameLength] = [number(6), number(11)]
    const path = archive.toString('utf8', offset + HEADER, offset + HEADER + nameLength - 1)
    if (path === END) return entries
    const start = offset + padded(HEADER + nameLength)
    if (start + size > archive.length) throw new PackError(`The archive is truncated in ${path}.`)
    entries.push({ path, bytes: archive.subarray(start, start + size) })
    offset = start + padded(size)
  }
}
