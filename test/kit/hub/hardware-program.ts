// Programs for hardware updates: the demonstration, and small ones that misbehave.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Test } from 'uvu'
import { until } from '../until.ts'

const DEMONSTRATION = resolve('fleet/hardware-update.sh')

/** A component line, and a state line, of the protocol. */
export const COMPONENT =
  '{"component":"capture-1","name":"Capture card 1","version":"2.0.3","offered":"2.1.0","interrupts":["B313210600001"]}'
export const stateLine = (state: number, fields: object = {}) => JSON.stringify({ state, ...fields })

/** A command of a shell that prints lines. */
export const print = (...lines: string[]) => `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}`

/** A command that never ends. */
export const HANG = 'tail -f /dev/null'

export const IDLE = print(COMPONENT, stateLine(0))

let folder = ''
let count = 0

/** Makes a folder for the programs of a test file. */
export function programFolder(test: Pick<Test, 'before' | 'after'>): void {
  test.before(() => {
    folder = mkdtempSync(join(tmpdir(), 'headend-hardware-'))
  })
  test.after(() => rmSync(folder, { recursive: true, force: true }))
}

function writeScript(script: string): string {
  const path = join(folder, `program-${++count}`)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

/** A program that runs commands of a shell. Its commands can use files of `$folder`. @returns its path */
export function writeProgram({ status = IDLE, update = '', cancel = '' }): string {
  const cases = Object.entries({ status, update, cancel }).map(([name, command]) => `${name})\n${command}\n;;`)
  return writeScript([`folder=${folder}`, 'case $1 in', ...cases, 'esac'].join('\n'))
}

/** Path of a file that programs of `writeProgram` find in `$folder`. */
export const programFile = (name: string) => join(folder, name)

/** Texts in the states of the demonstration, for `holdAt`. */
export const DOWNLOAD = '"state":4'
export const FRONT_PANEL = '"component":"front-panel"'
export const CAPTURE_CARD = '"component":"capture-1"'

export interface Demonstration {
  path: string
  /** Writes a file that changes what happens; see the program. */
  set(name: 'fail' | 'interrupts', content?: string): void
  /** Lets the next update wait in the state that contains this text, instead of where it waits now. */
  holdAt(text: string): void
  /** Lets the update go on to its end. */
  release(): void
  /** Id of the process that makes the update; undefined before the first one. */
  worker(): number | undefined
  /** Waits until no update runs. */
  whenEnded(): Promise<void>
}

/** The demonstration, with a state of its own. */
export function startDemonstration(): Demonstration {
  const state = join(folder, `demonstration-${++count}`)
  mkdirSync(state)
  const file = (name: string) => join(state, name)
  writeFileSync(file('step'), '0.01')
  const worker = () => (existsSync(file('worker')) ? Number(readFileSync(file('worker'), 'utf8')) : undefined)
  const isRunning = (pid: number | undefined) => pid !== undefined && existsSync(`/proc/${pid}`)
  return {
    path: writeScript(`HARDWARE_DEMO=${state} exec ${DEMONSTRATION} "$@"`),
    set: (name, content = '') => writeFileSync(file(name), content),
    holdAt: (text) => writeFileSync(file('hold'), text),
    release: () => rmSync(file('hold')),
    worker,
    whenEnded: () => until(() => !isRunning(worker()), 'the end of the update')
  }
}
