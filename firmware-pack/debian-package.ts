// The Debian package of `make deb`, from which the images with the whole hub are made.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PackError } from '../pack/pack-error.ts'
import { runTool } from './process/run-tool.ts'

export interface DebianPackage {
  path: string
  version: string
  /** Debian's name, for example `amd64`. */
  architecture: string
}

/** @throws PackError when the file is missing or not a Debian package */
export function readDebianPackage(path: string): DebianPackage {
  if (!existsSync(path)) throw new PackError(`There is no ${path}. Run make deb first.`)
  const fields = String(runTool('dpkg-deb', ['--field', path, 'Version', 'Architecture']))
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(fields)?.[1] ?? ''
  return { path, version: field('Version'), architecture: field('Architecture') }
}

/** A field of the package, for example `Depends`. */
export const packageField = ({ path }: DebianPackage, field: string): string =>
  String(runTool('dpkg-deb', ['--field', path, field]))

/** Names of the packages in a field of relations, without versions. */
export const packageNames = (relations: string): string[] =>
  relations.split(',').flatMap((relation) => /^\s*([\w.+-]+)/.exec(relation)?.[1] ?? [])

export const relatedPackages = (debianPackage: DebianPackage, field: string): string[] =>
  packageNames(packageField(debianPackage, field))

/** Unpacks the release of the package. @param folder a temporary folder @returns the folder of the release */
export function unpackRelease({ path }: DebianPackage, folder: string): string {
  runTool('dpkg-deb', ['--extract', path, folder])
  return join(folder, 'usr/lib/headend/package')
}
