// Comparable consoles from npm, downloaded once into a cache folder outside version control.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readBundle } from '../bundle-files.ts'
import { type LoadSize, measureFirstLoad, measureWholeLoad } from './first-load.ts'

/** Name and fixed version of a package, and the folder with its console. */
const PEERS: readonly (readonly [name: string, version: string, folder: string])[] = [
  ['zigbee2mqtt-windfront', '2.15.0', 'dist'],
  ['@signalk/server-admin-ui', '2.32.0', 'public'],
  ['homebridge-config-ui-x', '5.28.0', 'public'],
  ['zigbee2mqtt-frontend', '0.9.21', 'dist']
]

export interface ConsoleSizes {
  name: string
  first: LoadSize
  whole: LoadSize
}

/** Measures a built console. @param folder with its index.html */
export function measureConsole(name: string, folder: string): ConsoleSizes {
  const files = readBundle(folder)
  return { name, first: measureFirstLoad(files), whole: measureWholeLoad(files) }
}

/**
 * Downloads and unpacks a package into `cache` unless it exists. @returns its folder @throws Error when npm cannot
 * download it
 */
function fetchPackage(name: string, version: string, cache: string): string {
  const folder = join(cache, `${name.replace('/', '-').replace('@', '')}-${version}`)
  if (existsSync(folder)) return join(folder, 'package')
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'fetching-'))
  try {
    const output = execFileSync('npm', ['pack', '--json', '--pack-destination', work, `${name}@${version}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit']
    })
    execFileSync('tar', ['-xzf', join(work, JSON.parse(output)[0].filename), '-C', work])
    const downloaded = JSON.parse(readFileSync(join(work, 'package/package.json'), 'utf8')).version
    if (downloaded !== version) throw new Error(`npm returned ${name} ${downloaded} instead of ${version}`)
    renameSync(work, folder)
  } catch (error) {
    rmSync(work, { recursive: true, force: true })
    throw error
  }
  return join(folder, 'package')
}

/** Measures all peers. @param cache folder for downloaded packages */
export function measurePeers(cache: string): ConsoleSizes[] {
  return PEERS.map(([name, version, folder]) =>
    measureConsole(`${name} ${version}`, join(fetchPackage(name, version, cache), folder))
  )
}
