// What one device keeps when it has no power: its name, its firmware and how it behaves.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { versionOf } from '../contract/mwf.ts'
import { type Behaviour, isBehaviour } from './behaviour.ts'

export interface Saved {
  name?: string
  /** Version that was installed; the model's own where it never was. */
  firmware?: string
  behaviour: Behaviour
}

const fileOf = (folder: string, sn: string) => join(folder, 'devices', `${sn}.json`)

/** Writes a small file whole or not at all. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const part = `${path}.${process.pid}.part`
  writeFileSync(part, text)
  renameSync(part, path)
}

/** Parsed JSON of a file, or undefined where there is none that can be read. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** What the device with this serial kept in the fleet's `folder`; what cannot be read counts as never kept. */
export function loadSaved(folder: string, sn: string): Saved {
  const { name, firmware, behaviour } = (readJson(fileOf(folder, sn)) ?? {}) as Record<string, unknown>
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof firmware === 'string' && versionOf(firmware) && { firmware }),
    behaviour: isBehaviour(behaviour) ? behaviour : 'normal'
  }
}

export function save(folder: string, sn: string, saved: Saved): void {
  writeWhole(fileOf(folder, sn), JSON.stringify(saved))
}
