// Creates and unpacks the SquashFS image, which a hub mounts read-only. The same files give the same bytes on every
// machine.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PackError } from '../../pack/pack-error.ts'
import { listCommand, sizeOfListing, UNPACKED_MAX, unpackCommand } from '../../pack/squashfs.ts'
import type { BundleFile } from '../bundle-files.ts'
import { runTool } from '../process/run-tool.ts'
import { withTemporaryFolder } from '../process/temporary-folder.ts'

/** Writes files with mode 0644 and folders with mode 0755, independent of the umask. */
export function writeFiles(folder: string, files: readonly BundleFile[]): void {
  for (const { path, bytes } of files) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    for (let parent = dirname(target); parent.length >= folder.length; parent = dirname(parent))
      chmodSync(parent, 0o755)
    writeFileSync(target, bytes)
    chmodSync(target, 0o644)
  }
}

/**
 * Creates an image of a folder. All files belong to root and have the modification time `time`. Web servers derive
 * ETags from it, so it must change with the content.
 * @param time seconds since 1970
 * @param level of the compression, from 1 to 22
 */
export function createFolderImage(tree: string, time: number, level = 22): Buffer {
  return withTemporaryFolder((folder) => {
    const image = join(folder, 'image')
    const fixedMetadata = ['-all-root', '-no-xattrs', '-mkfs-time', String(time), '-all-time', String(time)]
    const compression = ['-comp', 'zstd', '-Xcompression-level', String(level)]
    runTool('mksquashfs', [tree, image, ...compression, ...fixedMetadata, '-noappend', '-no-progress'])
    return readFileSync(image)
  })
}

/** Creates an image of files with mode 0644. @param time as above */
export function createImage(files: readonly BundleFile[], time: number): Buffer {
  return withTemporaryFolder((folder) => {
    writeFiles(folder, files)
    // The temporary folder is for its owner only.
    chmodSync(folder, 0o755)
    return createFolderImage(folder, time)
  })
}

/** Unpacks an image into a temporary folder and calls `visit` with it. */
export function withImage<Result>(image: Uint8Array, visit: (folder: string) => Result): Result {
  return withTemporaryFolder((folder) => {
    const [file, tree] = [join(folder, 'image'), join(folder, 'tree')]
    writeFileSync(file, image)
    const list = listCommand(file)
    const size = sizeOfListing(String(runTool(list.program, list.args)))
    if (size > UNPACKED_MAX) throw new PackError(`The image is too large: ${size} bytes, at most ${UNPACKED_MAX}.`)
    const unpack = unpackCommand(file, tree, UNPACKED_MAX)
    runTool(unpack.program, unpack.args)
    return visit(tree)
  })
}
