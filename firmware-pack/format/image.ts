// The SquashFS image: a file system that a hub mounts read-only, the same bytes from the same files anywhere.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BundleFile } from '../bundle-files.ts'
import { runTool } from '../process/run-tool.ts'
import { withTemporaryFolder } from '../process/temporary-folder.ts'

/** Writes files, and sets modes that the umask would narrow. */
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
 * Everything in it is owned by root and carries `time`: servers make ETags of it, so it must change with the content.
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

/** Unpacks an image and looks at what was in it. */
export function withImage<Result>(image: Uint8Array, visit: (folder: string) => Result): Result {
  return withTemporaryFolder((folder) => {
    writeFileSync(join(folder, 'image'), image)
    runTool('unsquashfs', ['-no-progress', '-no-xattrs', '-d', join(folder, 'tree'), join(folder, 'image')])
    return visit(join(folder, 'tree'))
  })
}
