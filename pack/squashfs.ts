// Commands that unpack a SquashFS image with bounds. 471 KB of an image can hold 900 MB of zeros, so its listing is
// checked before anything is unpacked, and no file can grow beyond the limit while it is.
import { PackError } from './pack-error.ts'

/** Bytes of all files of a console. The largest one so far has 1 MB. */
export const UNPACKED_MAX = 64 << 20
/** Files and folders of an image. */
export const ENTRIES_MAX = 4096
/** Bytes of the output that a program may write, for example the listing of `ENTRIES_MAX` entries. */
export const OUTPUT_MAX = 2 << 20

/** Bytes of a block of `ulimit -f` (POSIX). */
const BLOCK = 512

export interface Command {
  program: string
  args: string[]
}

/**
 * One thread for the decompression. By default there is one for each processor, and the unit of the update service
 * limits them (`TasksMax`).
 */
const ONE_THREAD = ['-processors', '1']

/** Lists an image. The program has to be ended when it writes more than `OUTPUT_MAX`. */
export function listCommand(image: string): Command {
  return { program: 'unsquashfs', args: [...ONE_THREAD, '-no-progress', '-lln', image] }
}

/** Unpacks an image. @param maxBytes largest size of a file; the system ends the program when it writes more */
export function unpackCommand(image: string, target: string, maxBytes: number): Command {
  const script = 'ulimit -f "$1" && shift && exec unsquashfs "$@"'
  const blocks = Math.ceil(maxBytes / BLOCK)
  const options = [...ONE_THREAD, '-no-progress', '-no-xattrs', '-d', target]
  return { program: 'sh', args: ['-c', script, 'sh', `${blocks}`, ...options, image] }
}

/** A line of the listing: type and mode, owner, size, date. */
const LINE = /^([-a-z])[-rwxsStT]{9} \d+\/\d+ +(\d+) \d{4}-/

/**
 * Bytes of all files in a listing.
 * @throws PackError if it has too many entries, or others than files, folders and links
 */
export function sizeOfListing(listing: string): number {
  let bytes = 0
  let entries = 0
  for (const line of listing.split('\n')) {
    const [, type = '', size = '0'] = LINE.exec(line) ?? []
    if (type === '') continue
    if (!'-dl'.includes(type)) throw new PackError('The image contains device files.', 'format')
    if (type === '-') bytes += Number(size)
    if (++entries > ENTRIES_MAX) throw new PackError(`The image has more than ${ENTRIES_MAX} files.`, 'format')
  }
  return bytes
}
