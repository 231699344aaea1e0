// Supervises the processes of the fleet: starts them, collects their reports, ends them. A process that was killed is
// not restarted until its device is started, like a device that lost power.
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { BehaviourCommand } from '../behaviour.ts'
import { loadState, readJsonFile, writeFileAtomically } from '../device-storage.ts'
import type { Instruction } from '../instruction.ts'
import { createRoster, type RosterEntry } from '../roster.ts'
import type { Report } from '../simulated-device.ts'
import { spawnWithDeathSignal } from './child-process.ts'
import { groupSerials, isShared, startGradually } from './packing.ts'

/** Maximum size of the V8 heap in MB: of a process with one device, and of a process shared by thousands. */
const HEAP_MAX = { single: 96, shared: 512 } as const
/** Maximum size of a V8 semi-space in MB. */
const SEMI_SPACE_MAX = { single: 1, shared: 8 } as const
/**
 * Milliseconds between the starts of two processes, so that the fleet does not compete with the hub for the machine.
 */
const START_INTERVAL = 60
/** Milliseconds to wait for the first report of the first process. */
const FIRST_REPORT_TIMEOUT = 3000

interface SupervisorOptions {
  /** Number of devices. */
  count: number
  /** The fleet's folder. */
  folder: string
  /** `host:port` of the hub's registration port. */
  hubLink: string
  log(text: string): void
}

/** A device as listed by the control socket. */
export interface DeviceListing {
  sn: string
  name: string
  model: string
  /** Process id; 0 if the device has no process. */
  pid: number
  /** State of the link. `off`: the device is switched off. `ended`: its process was killed, or has not reported yet. */
  state: string
  behaviour: string
  registration?: number
}

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly entries: readonly RosterEntry[]
  readonly #entriesBySerial: ReadonlyMap<string, RosterEntry>
  /** Groups of serial numbers. Each group has one process. */
  readonly #groups: string[][]
  readonly #groupsBySerial: ReadonlyMap<string, string[]>
  readonly #offFile: string
  readonly #off: Set<string>
  readonly #children = new Map<string[], ChildProcess>()
  readonly #reports = new Map<string, Report>()
  #isClosing = false
  #isSaveScheduled = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.entries = createRoster(options.count)
    this.#entriesBySerial = new Map(this.entries.map((entry) => [entry.sn, entry]))
    this.#groups = groupSerials(this.entries.map(({ sn }) => sn))
    this.#groupsBySerial = new Map(this.#groups.flatMap((group) => group.map((sn) => [sn, group] as const)))
    this.#offFile = join(options.folder, 'off.json')
    const off = [readJsonFile(this.#offFile)].flat() as unknown[]
    this.#off = new Set(off.filter((sn): sn is string => this.#entriesBySerial.has(sn as string)))
    void this.#startAll()
  }

  /** Switches a device on. A device that is on connects to the hub at once. @throws Error for an unknown device */
  start(sn: string): void {
    this.#requireEntry(sn)
    if (this.#off.delete(sn)) this.#scheduleSave()
    if (!this.#send(sn, { act: 'start' })) this.#spawnGroup(this.#groupsBySerial.get(sn) ?? [], [sn])
  }

  /** Switches a device off. It stays off when the fleet restarts. @throws Error for an unknown device */
  stop(sn: string): void {
    this.#requireEntry(sn)
    this.#off.add(sn)
    this.#scheduleSave()
    this.#reports.delete(sn)
    this.#send(sn, { act: 'stop' })
  }

  /** @throws Error for an unknown device, or one that is off */
  sendCommand(sn: string, command: BehaviourCommand): void {
    this.#requireEntry(sn)
    if (this.#off.has(sn) || !this.#send(sn, { act: 'tell', order: command })) throw new Error(`${sn} is off`)
  }

  /**
   * Selects devices by a serial number, `all`, or a share such as `30%`, which is spread evenly over the fleet.
   * @throws Error for an unknown device
   */
  selectSerials(selection: string): string[] {
    const share = selection === 'all' ? 100 : Number(/^(\d{1,3})%$/.exec(selection)?.[1] ?? Number.NaN)
    if (Number.isNaN(share)) return [this.#requireEntry(selection).sn]
    const countBefore = (index: number) => Math.floor((index * Math.min(100, share)) / 100)
    return this.entries.filter((_, index) => countBefore(index + 1) > countBefore(index)).map(({ sn }) => sn)
  }

  /** Whether a device is switched on. */
  isOn(sn: string): boolean {
    return !this.#off.has(sn)
  }

  /** @throws Error for an unknown device */
  list(serials: readonly string[] = [...this.#entriesBySerial.keys()]): DeviceListing[] {
    return serials.map((sn) => this.#describe(this.#requireEntry(sn)))
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.#isClosing = true
    const exits = [...this.#children.values()].map((child) => {
      if (child.exitCode !== null || child.signalCode !== null) return undefined
      const exit = new Promise((resolve) => child.once('exit', resolve))
      // Devices write their state atomically, so they can be killed at any time.
      child.kill('SIGKILL')
      return exit
    })
    await Promise.all(exits)
  }

  #requireEntry(sn: string): RosterEntry {
    const entry = this.#entriesBySerial.get(sn)
    if (!entry) throw new Error(`no device has the serial number ${sn}`)
    return entry
  }

  #describe({ sn, name, model }: RosterEntry): DeviceListing {
    const isOff = this.#off.has(sn)
    const report = isOff ? undefined : this.#reports.get(sn)
    const saved = report ? undefined : loadState(this.#options.folder, sn)
    return {
      sn,
      name: report?.name ?? saved?.name ?? name,
      model: model.name,
      pid: report ? (this.#children.get(this.#groupsBySerial.get(sn) ?? [])?.pid ?? 0) : 0,
      state: report?.link ?? (isOff ? 'off' : 'ended'),
      behaviour: report?.behaviour ?? saved?.behaviour ?? 'normal',
      ...(report?.registration !== undefined && { registration: report.registration })
    }
  }

  async #startAll(): Promise<void> {
    for (const [index, group] of this.#groups.entries()) {
      // A shared process starts with one device; the others follow below.
      const serials = group.filter((sn) => this.isOn(sn)).slice(0, 1)
      if (this.#isClosing) return
      if (serials.length > 0 && !this.#children.has(group)) this.#spawnGroup(group, serials)
      // The first process fills the compile cache, which saves each other process 20 MB and half a second.
      if (index === 0 && serials[0]) await this.#waitForReport(serials[0])
      else await delay(START_INTERVAL)
    }
    const followers = this.#groups.filter(isShared).map((group) => group.filter((sn) => this.isOn(sn)).slice(1))
    await startGradually(
      followers,
      (sn) => this.isOn(sn) && this.#send(sn, { act: 'start' }),
      () => !this.#isClosing
    )
  }

  async #waitForReport(sn: string): Promise<void> {
    for (let waited = 0; waited < FIRST_REPORT_TIMEOUT; waited += START_INTERVAL) {
      if (this.#reports.has(sn) || this.#isClosing) return
      await delay(START_INTERVAL)
    }
  }

  /** Starts the process of a group with some of its devices. */
  #spawnGroup(group: string[], serials: string[]): void {
    const { count, folder, hubLink, log } = this.#options
    const size = isShared(group) ? 'shared' : 'single'
    const child = spawnWithDeathSignal(
      process.execPath,
      [
        `--max-semi-space-size=${SEMI_SPACE_MAX[size]}`,
        `--max-old-space-size=${HEAP_MAX[size]}`,
        '--v8-pool-size=1',
        '--no-warnings',
        join(import.meta.dirname, 'device.ts'),
        ...serials
      ],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: {
          ...process.env,
          FLEET: String(count),
          HUB_LINK: hubLink,
          FLEET_FOLDER: folder,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'cache'),
          UV_THREADPOOL_SIZE: '1'
        }
      }
    )
    this.#children.set(group, child)
    child.on('message', (report: Report) => this.#reports.set(report.sn, report))
    child.on('error', (error) => log(`A device process could not be started: ${error.message}`))
    child.on('exit', (code, signal) => {
      if (this.#children.get(group) === child) this.#children.delete(group)
      for (const sn of group) this.#reports.delete(sn)
      if (this.#isClosing || !(signal || code)) return
      const devices = isShared(group) ? `${group.length} devices` : group[0]
      log(`The process of ${devices} ended (${signal ?? `status ${code}`}).`)
    })
  }

  /** @returns false if the device has no process */
  #send(sn: string, instruction: Omit<Instruction, 'sn'>): boolean {
    const child = this.#children.get(this.#groupsBySerial.get(sn) ?? [])
    if (!child?.connected) return false
    // Errors are ignored: they occur only if the process is about to end.
    child.send({ ...instruction, sn }, () => {})
    return true
  }

  /** Saves the set of devices that are off. Changes within one task are written together. */
  #scheduleSave(): void {
    if (this.#isSaveScheduled) return
    this.#isSaveScheduled = true
    queueMicrotask(() => {
      this.#isSaveScheduled = false
      writeFileAtomically(this.#offFile, JSON.stringify([...this.#off]))
    })
  }
}
