// Creates and unpacks the SquashFS image, which a hub mounts read-only. The same files give the same bytes on every machine.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
 * Creates an image. All files belong to root and have the modification time `time`. Web servers derive ETags from it, so it must change with
 * the content.
 * @param time seconds since 1970
 */
export function createImage(files: readonly BundleFile[], time: number): Buffer {
  return withTemporaryFolder((folder) => {
    const tree = join(folder, 'tree')
    const image = join(folder, 'image')
    mkdirSync(tree)
    writeFiles(tree, files)
    const fixedMetadata = ['-all-root', '-no-xattrs', '-mkfs-time', String(time), '-all-time', String(time)]
    runTool('mksquashfs', [
      tree,
      image,
      '-comp',
      'zstd',
      '-Xcompression-level',
      '22',
      ...fixedMetadata,
      '-noappend',
      '-no-progress'
    ])
    return readFileSync(image)
  })
}

/** Unpacks an image into a temporary folder and calls `visit` with it. */
export function withImage<Result>(image: Uint8Array, visit: (folder: string) => Result): Result {
  return withTemporaryFolder((folder) => {
    writeFileSync(join(folder, 'image'), image)
    runTool('unsquashfs', ['-no-progress', '-no-xattrs', '-d', join(folder, 'tree'), join(folder, 'image')])
    return visit(join(folder, 'tree'))
  })
}
