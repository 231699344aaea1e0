// The free space of a file system, without what is reserved for root.
import { statfs } from 'node:fs/promises'

/** Free bytes of the file system of a folder. */
export async function readFreeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
