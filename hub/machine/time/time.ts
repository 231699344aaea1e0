// The clock of the machine: shows it with its synchronisation, and in manage mode changes it through systemd-timedated
// and chrony.
import { constants } from 'node:fs'
import { access, readlink } from 'node:fs/promises'
import { READ_ONLY, WRONG_STATE } from '../../../contract/codes.ts'
import type { MachineMode } from '../../../contract/machine/machine.ts'
import type { SetTimeRequest, TimeStatus, TimeSync } from '../../../contract/machine/time.ts'
import type { Language } from '../../messages/language.ts'
import type { ServiceObstacle, SystemService } from '../../messages/machine.ts'
import { describeAccess, readOnlyError } from '../machine-access.ts'
import { MachineError } from '../machine-error.ts'
import { BusError, type SystemBus } from '../system-bus.ts'
import { parseSource, parseTracking, syncStateOf } from './chrony-report.ts'
import { type ChronyAnswer, runChronyc } from './chronyc.ts'
import { ServerFile } from './server-file.ts'
import { TIMEDATED, Timedated } from './timedated.ts'

export async function readTimeZone(link = '/etc/localtime'): Promise<string> {
  const target = await readlink(link).catch(() => '')
  const [, zone] = /\/zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(target) ?? []
  // The zone with which this process started.
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

const CHRONY: SystemService = { name: 'chrony', package: 'chrony', unit: 'chrony' }

/** Milliseconds for which a report of chrony answers further requests. */
const REPORT_AGE = 1000

export interface TimeOptions {
  mode: MachineMode
  bus: SystemBus
  /** For tests. */
  chronyc?: string
  chronySocket?: string
  /** Folder of chrony for the time servers of the hub. */
  sourceFolder?: string
}

/** What the services say about the clock. */
interface ClockState {
  zone: string
  isSyncEnabled?: boolean
  obstacle?: ServiceObstacle
}

export class MachineTime {
  readonly #mode: MachineMode
  readonly #timedated: Timedated
  readonly #servers: ServerFile
  readonly #chronyc: string
  readonly #socket: string
  #report: { at: number; answer: Promise<ChronyAnswer> } | undefined

  constructor({ mode, bus, chronyc, chronySocket, sourceFolder }: TimeOptions) {
    this.#mode = mode
    this.#timedated = new Timedated(bus)
    this.#servers = new ServerFile(sourceFolder ?? '/etc/chrony/headend.d')
    this.#chronyc = chronyc ?? 'chronyc'
    this.#socket = chronySocket ?? '/run/chrony/chronyd.sock'
  }

  async read(language: Language): Promise<TimeStatus> {
    const { zone, isSyncEnabled, obstacle } = await this.#readClock()
    const sync = await this.#readSync(language, isSyncEnabled)
    return {
      time: Date.now(),
      zone,
      access: describeAccess(language, this.#mode, TIMEDATED, obstacle),
      sync
    }
  }

  /** In view mode timedated is not asked. */
  async #readClock(): Promise<ClockState> {
    if (this.#mode === 'view') return { zone: await readTimeZone() }
    if (!(await this.#timedated.isPresent())) return { zone: await readTimeZone(), obstacle: 'missing' }
    try {
      return await this.#timedated.read()
    } catch (error) {
      const obstacle = error instanceof BusError && error.isRefused ? 'refused' : 'stopped'
      return { zone: await readTimeZone(), obstacle }
    }
  }

  /** Every user of the machine may read the state of chrony, so it is shown in view mode, too. */
  async #readSync(language: Language, isEnabled: boolean | undefined): Promise<TimeSync> {
    const servers = await this.#servers.read()
    const answer = await this.#readReport()
    const obstacle = await this.#syncObstacle(answer, isEnabled)
    const head = {
      access: describeAccess(language, this.#mode, CHRONY, obstacle),
      ...(isEnabled !== undefined && { enabled: isEnabled }),
      servers
    }
    const [first = '', ...rest] = answer === 'missing' || !answer.isOk ? [] : answer.output.trim().split('\n')
    const tracking = parseTracking(first)
    if (isEnabled === false || !tracking)
      return { ...head, state: isEnabled === false ? 'off' : 'unknown', sources: [] }
    // chrony has several equal lines for a pool of servers whose name it cannot look up.
    const sources = [...new Set(rest)].flatMap((line) => parseSource(line, servers) ?? [])
    const state = syncStateOf(tracking, sources)
    if (state === 'waiting') return { ...head, state, sources }
    return { ...head, state, offset: tracking.offset, 'last-update': tracking.updatedAt, sources }
  }

  /** The time servers that the machine uses, at most two: those that users set, else the first ones of chrony. */
  async serversInUse(): Promise<string[]> {
    const servers = await this.#servers.read()
    if (servers.length > 0) return servers.slice(0, 2)
    const answer = await this.#readReport()
    const [, ...rest] = answer === 'missing' || !answer.isOk ? [] : answer.output.trim().split('\n')
    return [...new Set(rest.flatMap((line) => parseSource(line, [])?.name ?? []))].slice(0, 2)
  }

  /** One process answers all clients that ask within a second. */
  #readReport(): Promise<ChronyAnswer> {
    const now = performance.now()
    if (!this.#report || now - this.#report.at > REPORT_AGE)
      this.#report = { at: now, answer: runChronyc(this.#chronyc, ['tracking', 'sources -a']) }
    return this.#report.answer
  }

  /** Why the hub cannot set the time servers. With the synchronisation switched off, chrony does not run. */
  async #syncObstacle(answer: ChronyAnswer, isEnabled: boolean | undefined): Promise<ServiceObstacle | undefined> {
    if (answer === 'missing') return 'missing'
    if (!(await this.#servers.isWritable())) return 'unprepared'
    if (isEnabled === false) return undefined
    if (!answer.isOk) return 'stopped'
    const maySend = await access(this.#socket, constants.W_OK).catch(() => 'refused')
    return maySend === 'refused' ? 'unprepared' : undefined
  }

  /** @throws MachineError, BusError */
  async set({ zone, sync, server1 = '', server2 = '', time }: SetTimeRequest, language: Language): Promise<void> {
    const clock = await this.#readClock()
    const obstacle = this.#mode === 'view' ? 'view' : clock.obstacle
    if (obstacle) throw readOnlyError(language, obstacle, TIMEDATED)
    if (zone !== undefined) await this.#timedated.setZone(zone)
    if (time !== undefined) await this.#setClock(time, clock)
    if (sync !== undefined) await this.#setSync(sync, [server1, server2].filter(Boolean), clock, language)
    this.#report = undefined
  }

  async #setClock(time: number, { isSyncEnabled }: ClockState): Promise<void> {
    if (isSyncEnabled) throw new MachineError(WRONG_STATE, { field: 'time', refusal: 'synchronised' })
    await this.#timedated.setClock(time)
  }

  async #setSync(
    isEnabled: boolean,
    servers: readonly string[],
    { isSyncEnabled }: ClockState,
    language: Language
  ): Promise<void> {
    const obstacle = await this.#syncObstacle(await this.#readReport(), isSyncEnabled)
    // A chrony that is installed and does not run is started.
    if (obstacle && !(obstacle === 'stopped' && isEnabled)) throw readOnlyError(language, obstacle, CHRONY)
    const before = await this.#servers.read()
    this.#servers.write(servers)
    try {
      if (isEnabled !== isSyncEnabled || obstacle) await this.#timedated.setSync(isEnabled)
      if (isEnabled && isSyncEnabled && !obstacle) await this.#reloadSources()
    } catch (error) {
      this.#servers.write(before)
      throw error
    }
  }

  /** @throws MachineError if chrony does not take the servers */
  async #reloadSources(): Promise<void> {
    const answer = await runChronyc(this.#chronyc, ['reload sources'])
    if (answer === 'missing' || !answer.isOk) throw new MachineError(READ_ONLY, { refusal: 'chrony' })
  }
}
