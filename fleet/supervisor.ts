// Keeps the processes of the fleet: starts them, hears what becomes of them, ends them. A device that was killed stays down until
// someone starts it, as a box without power would.
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Order } from './behaviour.ts'
import { spawnGuarded } from './child-process.ts'
import { loadSaved, readJson, writeWhole } from './device-storage.ts'
import type { Instruction } from './instruction.ts'
import { groupsOf, isShared, startSlowly } from './packing.ts'
import { type Entry, roster } from './roster.ts'
import type { Report } from './simulated-device.ts'

/** Megabytes that V8 may hold in a process: of one device, which holds next to nothing, and of thousands. */
const HEAP = { own: 96, shared: 512 } as const
/** Milliseconds between starting two of them, so that the hub and the fleet do not fight for the machine. */
const APART = 60
/** Milliseconds that the first one is waited for. */
const FIRST_WORD = 3000

export interface FleetOptions {
  count: number
  /** The fleet's folder. */
  folder: string
  /** `host:port` of the hub's registration port. */
  hubLink: string
  log(text: string): void
}

/** A device as the control socket lists it. */
export interface Listed {
  sn: string
  name: string
  model: string
  /** Of its process; 0 when it has none. */
  pid: number
  /** State of its link; `off` when it was switched off, `ended` when its process was killed or is about to come. */
  state: string
  behaviour: string
  registration?: number
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export type Supervisor = ReturnType<typeof createSupervisor>

export function createSupervisor({ count, folder, hubLink, log }: FleetOptions) {
  const entries = roster(count)
  const known = new Map(entries.map((entry) => [entry.sn, entry]))
  const offFile = join(folder, 'off.json')
  const off = new Set(([readJson(offFile)].flat() as unknown[]).filter((sn): sn is string => known.has(sn as string)))
  const groups = groupsOf(entries.map(({ sn }) => sn))
  const groupOf = new Map(groups.flatMap((group) => group.map((sn) => [sn, group] as const)))
  const children = new Map<string[], ChildProcess>()
  const reports = new Map<string, Report>()
  let closing = false
  /** What is off is about to be written. */
  let keeping = false

  /** Starts the process of a group with some of its devices. */
  function spawnGroup(group: string[], serials: string[]): void {
    const shared = isShared(group)
    const child = spawnGuarded(
      process.execPath,
      [
        // Small heaps: a device holds next to nothing. Source is read once and kept compiled.
        ...[`--max-semi-space-size=${shared ? 8 : 1}`, `--max-old-space-size=${shared ? HEAP.shared : HEAP.own}`],
        ...['--v8-pool-size=1', '--no-warnings'],
        ...[join(import.meta.dirname, 'device.ts'), ...serials]
      ],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: {
          ...process.env,
          FLEET: String(count),
          HUB_LINK: hubLink,
          FLEET_FOLDER: folder,
          NODE_COMPILE_CACHE: join(folder, 'cache'),
          UV_THREADPOOL_SIZE: '1'
        }
      }
    )
    children.set(group, child)
    child.on('message', (report: Report) => reports.set(report.sn, report))
    child.on('error', (error) => log(`A device could not be started: ${error.message}`))
    child.on('exit', (code, signal) => {
      if (children.get(group) === child) children.delete(group)
      for (const sn of group) reports.delete(sn)
      if (!closing && (signal || code))
        log(`The process of ${shared ? `${group.length} devices` : group[0]} ended (${signal ?? `status ${code}`}).`)
    })
  }

  function send(sn: string, instruction: Omit<Instruction, 'sn'>): boolean {
    const child = children.get(groupOf.get(sn) ?? [])
    if (!child?.connected) return false
    // A process that is just going does not hear any more, and need not.
    child.send({ ...instruction, sn }, () => {})
    return true
  }

  /** Once for all that are switched at once. */
  function keepOff(): void {
    if (keeping) return
    keeping = true
    queueMicrotask(() => {
      keeping = false
      writeWhole(offFile, JSON.stringify([...off]))
    })
  }

  function entryOf(sn: string): Entry {
    const entry = known.get(sn)
    if (!entry) throw new Error(`no device has the serial number ${sn}`)
    return entry
  }

  const isOn = (sn: string) => !off.has(sn)

  async function startAll(): Promise<void> {
    for (const [index, group] of groups.entries()) {
      // Those that share a process follow it.
      const serials = group.filter(isOn).slice(0, 1)
      if (closing) return
      if (serials.length > 0 && !children.has(group)) spawnGroup(group, serials)
      // The first one leaves its compiled source for the others, which saves each of them 20 MB and half a second.
      if (index === 0 && serials[0]) await firstWord(serials[0])
      else await wait(APART)
    }
    const light = groups.filter(isShared).map((group) => group.filter(isOn).slice(1))
    await startSlowly(
      light,
      (sn) => isOn(sn) && send(sn, { act: 'start' }),
      () => !closing
    )
  }

  async function firstWord(sn: string): Promise<void> {
    for (let waited = 0; !reports.has(sn) && !closing && waited < FIRST_WORD; waited += APART) await wait(APART)
  }

  void startAll()

  return {
    entries,

    /** Switches a device on, or makes one that is on dial the hub at once. @throws Error for an unknown one */
    start(sn: string): void {
      entryOf(sn)
      if (off.delete(sn)) keepOff()
      if (!send(sn, { act: 'start' })) spawnGroup(groupOf.get(sn) ?? [], [sn])
    },

    /** Switches a device off; it stays off over restarts. @throws Error for an unknown one */
    stop(sn: string): void {
      entryOf(sn)
      off.add(sn)
      keepOff()
      reports.delete(sn)
      send(sn, { act: 'stop' })
    },

    /** @throws Error for an unknown device, or one that is off */
    tell(sn: string, order: Order): void {
      entryOf(sn)
      if (off.has(sn) || !send(sn, { act: 'tell', order })) throw new Error(`${sn} is off`)
    },

    /**
     * Who is meant: a serial, `all`, or a share such as `30%`, evenly spread over the fleet.
     * @throws Error for an unknown device
     */
    meant(word: string): string[] {
      const share = word === 'all' ? 100 : Number(/^(\d{1,3})%$/.exec(word)?.[1] ?? Number.NaN)
      if (Number.isNaN(share)) return [entryOf(word).sn]
      const before = (index: number) => Math.floor((index * Math.min(100, share)) / 100)
      return entries.filter((_, index) => before(index + 1) > before(index)).map(({ sn }) => sn)
    },

    isOn,

    list(serials: readonly string[] = [...known.keys()]): Listed[] {
      return serials.map(entryOf).map(({ sn, name, model }) => {
        const report = off.has(sn) ? undefined : reports.get(sn)
        const saved = report ? undefined : loadSaved(folder, sn)
        return {
          sn,
          name: report?.name ?? saved?.name ?? name,
          model: model.name,
          pid: report ? (children.get(groupOf.get(sn) ?? [])?.pid ?? 0) : 0,
          state: report?.link ?? (off.has(sn) ? 'off' : 'ended'),
          behaviour: report?.behaviour ?? saved?.behaviour ?? 'normal',
          ...(report?.registration !== undefined && { registration: report.registration })
        }
      })
    },

    /** Ends every process. */
    async close(): Promise<void> {
      closing = true
      const ending = [...children.values()].map((child) => {
        if (child.exitCode !== null || child.signalCode !== null) return undefined
        const gone = new Promise((resolve) => child.once('exit', resolve))
        // What devices keep is written whole at once, so there is nothing to wait for.
        child.kill('SIGKILL')
        return gone
      })
      await Promise.all(ending)
    }
  }
}
