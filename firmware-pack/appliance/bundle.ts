// The RAUC bundle with the root image. The image in it has the same bytes in each build; RAUC's salt and signature
// differ.
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from '../process/run-tool.ts'
import { COMPATIBLE } from './disk-layout.ts'

export const BUNDLE_IMAGE = 'rootfs.img'

/** PEM files of the signing key and its certificate. */
export interface BundleKey {
  key: string
  certificate: string
}

/** @param folder for temporary files, on the file system of `image` */
export function createBundle(
  image: string,
  version: string,
  { key, certificate }: BundleKey,
  folder: string,
  path: string
): void {
  const content = join(folder, 'bundle')
  mkdirSync(content)
  linkSync(image, join(content, BUNDLE_IMAGE))
  const manifest = [
    '[update]',
    `compatible=${COMPATIBLE}`,
    `version=${version}`,
    '[bundle]',
    'format=verity',
    '[image.rootfs]',
    `filename=${BUNDLE_IMAGE}`,
    ''
  ]
  writeFileSync(join(content, 'manifest.raucm'), manifest.join('\n'))
  rmSync(path, { force: true })
  runTool('rauc', [`--cert=${certificate}`, `--key=${key}`, 'bundle', content, path])
  rmSync(content, { recursive: true })
}
