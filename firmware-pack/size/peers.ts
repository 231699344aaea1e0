// Consoles that people use for comparable things, as npm has them: fetched once into a folder that is not kept in the repository.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readBundle } from '../bundle-files.ts'
import { measureFirstLoad, type LoadSize, measureWholeLoad } from './first-load.ts'

/** A version, so that the same is measured tomorrow, and where in the package the console is. */
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

/** @param folder of a built console */
export function measureConsole(name: string, folder: string): ConsoleSizes {
  const files = readBundle(folder)
  return { name, first: measureFirstLoad(files), whole: measureWholeLoad(files) }
}

/** Unpacks a package below `cache` unless it is there. @returns its folder. @throws when npm cannot get it */
function fetchPackage(name: string, version: string, cache: string): string {
  const folder = join(cache, `${name.replace('/', '-').replace('@', '')}-${version}`)
  if (existsSync(folder)) return join(folder, 'package')
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'fetching-'))
  try {
    const said = execFileSync('npm', ['pack', '--json', '--pack-destination', work, `${name}@${version}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit']
    })
    execFileSync('tar', ['-xzf', join(work, JSON.parse(said)[0].filename), '-C', work])
    const is = JSON.parse(readFileSync(join(work, 'package/package.json'), 'utf8')).version
    if (is !== version) throw new Error(`${name} came as ${is} in the place of ${version}`)
    renameSync(work, folder)
  } catch (error) {
    rmSync(work, { recursive: true, force: true })
    throw error
  }
  return join(folder, 'package')
}

/** All peers, measured. @param cache folder that keeps what was fetched */
export function measurePeers(cache: string): ConsoleSizes[] {
  return PEERS.map(([name, version, folder]) =>
    measureConsole(`${name} ${version}`, join(fetchPackage(name, version, cache), folder))
  )
}
