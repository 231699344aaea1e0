// The free space of a file system. Space that is reserved for root is not counted.
import { statfs } from 'node:fs/promises'

/** Free bytes of the file system of a folder. */
export async function readFreeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
