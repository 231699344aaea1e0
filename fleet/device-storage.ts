// Persistent state of a device: name, firmware version and behaviour.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseVersion } from '../contract/mwf.ts'
import { type Behaviour, isBehaviour } from './behaviour.ts'

export interface SavedState {
  name?: string
  /** Installed version; absent: the version that the model comes with. */
  firmware?: string
  behaviour: Behaviour
}

const fileOf = (folder: string, sn: string) => join(folder, 'devices', `${sn}.json`)

/** Writes a small file atomically: a reader sees either the old or the new contents. */
export function writeFileAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const part = `${path}.${process.pid}.part`
  writeFileSync(part, text)
  renameSync(part, path)
}

/** Contents of a JSON file; undefined if it does not exist or cannot be read. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** State of a device in the fleet's folder. Values that cannot be read are absent. */
export function loadState(folder: string, sn: string): SavedState {
  const { name, firmware, behaviour } = (readJsonFile(fileOf(folder, sn)) ?? {}) as Record<string, unknown>
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof firmware === 'string' && parseVersion(firmware) && { firmware }),
    behaviour: isBehaviour(behaviour) ? behaviour : 'normal'
  }
}

export function saveState(folder: string, sn: string, saved: SavedState): void {
  writeFileAtomically(fileOf(folder, sn), JSON.stringify(saved))
}
