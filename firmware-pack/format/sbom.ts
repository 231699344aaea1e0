// Software bills of materials (CycloneDX 1.6): the third-party packages in the console, which `legal.txt` of its build
// lists, those that hub and stream engine run with, which the lockfile lists, and both with Node for the Debian
// package. The lockfile contains their hashes.
import { createHash } from 'node:crypto'
import type { Manifest } from '../../pack/manifest.ts'

export interface Component {
  name: string
  version: string
  licence: string
}

/** Returns the packages with a heading in `legal.txt`. */
export function componentsIn(legal: string): Component[] {
  const headings = legal.matchAll(/^-- (?<name>\S+) (?<version>\S+) \((?<licence>[^)]+)\)$/gm)
  return [...headings].map(({ groups }) => ({ ...groups }) as unknown as Component)
}

export interface LockedPackages {
  packages: Record<
    string,
    { version?: string; integrity?: string; dev?: boolean; optional?: boolean; license?: string }
  >
}

interface Listed {
  type: 'library' | 'application'
  'bom-ref': string
  name: string
  version: string
  hashes?: { alg: string; content: string }[]
  licenses?: ReturnType<typeof licenceChoice>[]
  /** Under which vulnerabilities are listed. */
  cpe?: string
  purl: string
}

function component({ name, version, licence }: Component, { integrity = '' }: { integrity?: string } = {}): Listed {
  const sha512 = /^sha512-(.+)$/.exec(integrity)?.[1]
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    ...(licence && { licenses: [licenceChoice(licence)] }),
    purl
  }
}

/** One licence by its SPDX id, or several as an expression: `(MIT OR Apache-2.0)`. */
const licenceChoice = (licence: string) =>
  /\s/.test(licence) ? { expression: licence.replace(/^\((.*)\)$/, '$1') } : { license: { id: licence } }

/** Serial number of the SBOM: a UUID version 8 derived from its content, so that it is reproducible. */
function serialNumber({ version, commit }: Described, name: string, components: readonly Listed[]): string {
  const content = [name, version, commit, ...components.map(({ purl }) => purl)]
  const hash = createHash('sha256').update(content.join(' ')).digest('hex')
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32)
  ]
  return `urn:uuid:${parts.join('-')}`
}

/** What a document says about the software itself. */
type Described = Pick<Manifest, 'name' | 'version' | 'commit' | 'time'>

/** @param components third-party packages, in the order of the document */
function toDocument(manifest: Described, name: string, components: Listed[]): Buffer {
  const { version, commit, time } = manifest
  const own = `pkg:generic/${name}@${version}`
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber(manifest, name, components),
    version: 1,
    metadata: {
      timestamp: time,
      component: {
        type: 'application',
        'bom-ref': own,
        name,
        version,
        licenses: [{ license: { id: 'MIT' } }],
        purl: own,
        properties: [{ name: 'headend:commit', value: commit }]
      }
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map(({ purl }) => purl) }]
  }
  return Buffer.from(`${JSON.stringify(sbom, undefined, 2)}\n`)
}

const consoleComponents = (legal: string, lock: LockedPackages) =>
  componentsIn(legal).map((notice) => component(notice, lock.packages[`node_modules/${notice.name}`]))

export function createSbom(manifest: Manifest, legal: string, lock: LockedPackages): Buffer {
  return toDocument(manifest, manifest.name, consoleComponents(legal, lock))
}

/** The metadata of an installed package. Older ones have `licenses` in place of `license`. */
export interface PackageFile {
  license?: string
  licenses?: { type: string }[]
}

type ReadPackage = (path: string) => PackageFile | undefined

/** @param path of the package in the lockfile */
function lockedComponent(path: string, lock: LockedPackages, readPackage: ReadPackage): Listed {
  const locked = lock.packages[path] ?? {}
  // What is optional is not installed on every machine, and the document must be the same on all.
  const { license = locked.license, licenses } = (locked.optional ? undefined : readPackage(path)) ?? {}
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return component({ name, version: locked.version ?? '', licence: license ?? licenses?.[0]?.type ?? '' }, locked)
}

/**
 * The packages with which the hub runs: all of the lockfile that are not for development only.
 * @param readPackage reads the package.json of a package by its path in the lockfile; undefined if it is not installed
 */
export function createHubSbom(manifest: Manifest, lock: LockedPackages, readPackage: ReadPackage): Buffer {
  const paths = Object.keys(lock.packages).filter((path) => path !== '' && !lock.packages[path]?.dev)
  return toDocument(
    manifest,
    'headend-hub',
    paths.map((path) => lockedComponent(path, lock, readPackage))
  )
}

/**
 * The parts of others in a release for one architecture: the packages in the console, those with which its programs
 * run, and Node.
 * @param paths of the programs' packages in the lockfile
 * @param nodePath of the package with Node
 */
export function createReleaseSbom(
  release: Described,
  legal: string,
  lock: LockedPackages,
  { paths, nodePath, readPackage }: { paths: readonly string[]; nodePath: string; readPackage: ReadPackage }
): Buffer {
  const node = lockedComponent(nodePath, lock, readPackage)
  const cpe = `cpe:2.3:a:nodejs:node.js:${node.version}:*:*:*:*:*:*:*`
  return toDocument(release, release.name, [
    { ...node, type: 'application', cpe },
    ...consoleComponents(legal, lock),
    ...paths.map((path) => lockedComponent(path, lock, readPackage))
  ])
}
