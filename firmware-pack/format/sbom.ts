// Software bill of materials (CycloneDX 1.6): the third-party packages in the console. `legal.txt`, which the build
// writes, lists them. The lockfile contains their hashes.
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
  packages: Record<string, { version?: string; integrity?: string }>
}

function component({ name, version, licence }: Component, lock: LockedPackages) {
  const { integrity = '' } = lock.packages[`node_modules/${name}`] ?? {}
  const sha512 = /^sha512-(.+)$/.exec(integrity)?.[1]
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    licenses: [{ license: { id: licence } }],
    purl
  }
}

/** Serial number of the SBOM: a UUID version 8 derived from the commit, so that it is reproducible. */
function serialNumber({ name, commit }: Manifest): string {
  const hash = createHash('sha256').update(`${name} ${commit}`).digest('hex')
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32)
  ]
  return `urn:uuid:${parts.join('-')}`
}

export function createSbom(manifest: Manifest, legal: string, lock: LockedPackages): Buffer {
  const { name, version, commit, time } = manifest
  const own = `pkg:generic/${name}@${version}`
  const components = componentsIn(legal).map((notice) => component(notice, lock))
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber(manifest),
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
