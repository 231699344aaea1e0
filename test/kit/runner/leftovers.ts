// What a test file leaves in its process, so that a process runs another file only if it is as it was before.
import { membersOf } from '../system-processes.ts'

/** Turns of the event loop in which connections and processes that a file has closed may end. */
const TURNS_MAX = 20

/** Names and values of one kind, such as the globals. */
type Entries = ReadonlyMap<string, unknown>

function countNames(names: readonly string[]): Entries {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Globals that packages of the product keep for themselves. */
const PACKAGE_GLOBALS = /^(__zod_|nanostoresGlobal$)/

/** What a file can change in its process, by kind. Modules are not part of it. */
function readState(): Record<string, Entries> {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(
    ([name]) => !PACKAGE_GLOBALS.test(name)
  )
  return {
    global: new Map(globals.map(([name, { value, get }]) => [name, value ?? get])),
    listener: new Map(process.eventNames().map((name) => [String(name), process.listenerCount(name as string)])),
    environment: new Map(Object.entries(process.env)),
    process: new Map<string, unknown>([
      ['folder', process.cwd()],
      ['exit code', process.exitCode]
    ]),
    // Timers, sockets, processes and whatever else keeps the process running.
    resource: countNames(process.getActiveResourcesInfo())
  }
}

/** Names of the entries that are not equal, or are in one of both only. */
function differences(kind: string, before: Entries, after: Entries): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  const isSame = (name: string) => before.has(name) === after.has(name) && Object.is(before.get(name), after.get(name))
  return [...names].filter((name) => !isSame(name)).map((name) => `${kind} ${name}`)
}

/**
 * Remembers the state of this process.
 * @returns a function that resolves with what has changed since, such as `global fetch`; empty if nothing has
 */
export function watchLeftovers(): () => Promise<string[]> {
  const before = readState()
  const compare = () => {
    const after = readState()
    return Object.entries(before).flatMap(([kind, entries]) => differences(kind, entries, after[kind] ?? new Map()))
  }
  return async () => {
    let left = compare()
    for (let turn = 0; turn < TURNS_MAX && left.length; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      left = compare()
    }
    // This process leads the group of the processes that its tests start.
    const processes = membersOf(process.pid).filter((pid) => pid !== process.pid)
    return [...left, ...processes.map((pid) => `process ${pid}`)]
  }
}
