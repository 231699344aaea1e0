// Names of the images with the whole hub. They are in build/, beside the Debian package from which they are made.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DebianPackage } from './debian-package.ts'
import { runTool } from './process/run-tool.ts'

/** Path of the package that `make deb` builds with the same VERSION and ARCH. */
export function debianPackagePath(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const { VERSION, ARCH } = process.env
  const architecture = ARCH || String(runTool('dpkg', ['--print-architecture'])).trim()
  return join(root, `build/headend_${VERSION || version}_${architecture}.deb`)
}

/** @param isDevelopment whether the public development key signs it, which its name shows */
export function outputPath(
  root: string,
  { version, architecture }: DebianPackage,
  extension: string,
  isDevelopment: boolean
): string {
  return join(root, `build/headend_${version}_${architecture}${isDevelopment ? '-development' : ''}.${extension}`)
}

/** Puts a complete file in the place of the previous one, and prints its name and size. */
export function installOutput(complete: string, path: string): void {
  renameSync(complete, path)
  console.log(`build/${basename(path)}  ${statSync(path).size.toLocaleString('en')} bytes`)
}

/** Writes a file; after an error the previous one is unchanged. */
export function writeOutput(path: string, bytes: Uint8Array): void {
  const incomplete = `${path}.new`
  writeFileSync(incomplete, bytes)
  installOutput(incomplete, path)
}
