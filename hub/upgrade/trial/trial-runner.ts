// Runs the trial of a release: it starts the hub of that release as a child process, watches it, and goes back if it
// does not work. All decisions are made here, by the release before, which is known to work. It stays the release that
// the launcher starts until the trial has succeeded, so whatever ends this process, the next start continues the trial.
import type { TRIAL_CHECKS } from '../../../contract/update.ts'
import { logger } from '../../../process-log/logger.ts'
import { EXIT_CONFIG, EXIT_DATA_IN_USE, EXIT_DATA_REFUSED } from '../../data-folder/exit-status.ts'
import { lockDataFolder } from '../../data-folder/lock.ts'
import type { UpdaterClient } from '../updater-client.ts'
import { keepDatabase, keepFormer, replaceByFormer, restoreDatabase } from './trial-database.ts'
import { type Trial, UpgradeFiles } from './trial-files.ts'
import type { HubMessage } from './trial-messages.ts'
import { TrialProcess } from './trial-process.ts'

/** Seconds of a trial. */
export const TRIAL_SECONDS = 90
/** Starts of the release in one trial, power cuts included. */
const STARTS_MAX = 5
/** Milliseconds between two requests to the hub on trial, for one of them, and after which an answer is too old. */
const PROBE_INTERVAL = 2000
const PROBE_TIMEOUT = 4000
const ANSWER_LIFETIME = 8000
/** Milliseconds after which a report of the hub is too old. */
const REPORT_LIFETIME = 5000

/** Exit statuses after which another start is of no use. */
const FATAL: ReadonlySet<number | null> = new Set([EXIT_DATA_REFUSED, EXIT_DATA_IN_USE, EXIT_CONFIG])

type Check = (typeof TRIAL_CHECKS)[number]

export interface TrialOptions {
  /** The data folder. */
  data: string
  /** Version of the release of this process. */
  version: string
  updater: UpdaterClient
  /** For tests: seconds of the trial. */
  seconds?: number
}

/**
 * - `none`: there is no trial, or it has failed: this release runs the hub
 * - `ended`: the release on trial runs, or has run, the hub: this process ends, with the status
 */
export type TrialOutcome = { kind: 'none' } | { kind: 'ended'; status: number }

/**
 * Runs the trial that has begun, if there is one.
 * @throws DataInUseError when a hub uses the data folder
 */
export async function runPendingTrial(options: TrialOptions): Promise<TrialOutcome> {
  const files = new UpgradeFiles(options.data)
  const trial = files.read('trial')
  if (!trial) {
    files.remove('trial.json')
    return { kind: 'none' }
  }
  // The launcher starts a release on trial only once it was activated: the process before ended just then.
  if (trial.version === options.version) {
    finishTrial(files, trial)
    return { kind: 'none' }
  }
  const runner = new TrialRunner(options, files, trial)
  // A package was installed during the trial: its release goes on, with the data of before.
  return trial.from === options.version ? runner.run() : runner.abandon()
}

/** The release stays: its data is that of the hub, and the data before is kept for a roll back. */
function finishTrial(files: UpgradeFiles, { from, protocol }: Trial): void {
  keepFormer(files)
  files.write('former', { version: from, time: Date.now(), protocol })
  files.remove('trial.json', 'failure.json')
}

class TrialRunner {
  readonly #options: TrialOptions
  readonly #files: UpgradeFiles
  #trial: Trial
  readonly #process: TrialProcess
  readonly #seconds: number
  #report: { message: HubMessage & { kind: 'state' }; at: number } | undefined
  #answeredAt: number | undefined
  #isConfirmed = false
  /** Why the trial cannot succeed any more. */
  #fault: Check | undefined
  #isEnding = false
  #isPassed = false
  readonly #done = Promise.withResolvers<TrialOutcome>()
  readonly #timers: NodeJS.Timeout[] = []
  #ignoreSignals = () => {}

  constructor(options: TrialOptions, files: UpgradeFiles, trial: Trial) {
    this.#options = options
    this.#files = files
    this.#trial = trial
    this.#seconds = options.seconds ?? TRIAL_SECONDS
    this.#process = new TrialProcess({
      folder: trial.folder,
      seconds: this.#seconds,
      onMessage: (message) => this.#receive(message),
      onExit: (status, signal) => this.#handleExit(status, signal)
    })
  }

  async run(): Promise<TrialOutcome> {
    if (this.#trial.phase === 'failed') return this.#goBack()
    const { version, from, revert } = this.#trial
    try {
      this.#prepareData()
    } catch (error) {
      logger.error('The data could not be copied for the trial', error)
      return this.#fail('process', [`The data could not be copied: ${(error as Error).message}`])
    }
    try {
      // The engine has to be started from the release before, whose protocol may be another one.
      if (revert) await this.#options.updater.activate(version, { keep: [from] })
    } catch (error) {
      return this.#fail('activation', [(error as Error).message])
    }
    if (!this.#countStart()) return this.#fail('process')
    logger.info('Release on trial', { version, from })
    this.#followSignals()
    this.#process.start()
    this.#timers.push(
      setTimeout(() => void this.#decide(), this.#seconds * 1000),
      setInterval(() => void this.#probe(), PROBE_INTERVAL)
    )
    return this.#done.promise
  }

  /**
   * Keeps a copy of the data, and gives the release before the data that it had. The copy is recorded first: a trial
   * that is interrupted here must not take the data of the release before for that of this one.
   */
  #prepareData(): void {
    const { data } = this.#options
    if (this.#trial.phase === 'begun') {
      this.#withLock(() => keepDatabase(data, this.#files))
      this.#store({ phase: 'running' })
    }
    if (this.#trial.revert && this.#trial.starts === 0) this.#withLock(() => replaceByFormer(data, this.#files))
  }

  /** Ends a trial that another release has begun. */
  abandon(): Promise<TrialOutcome> {
    logger.warn('The trial was abandoned', { version: this.#trial.version, from: this.#trial.from })
    return this.#goBack()
  }

  #store(changes: Partial<Trial>): void {
    this.#trial = { ...this.#trial, ...changes }
    this.#files.write('trial', this.#trial)
  }

  /** @returns whether the release may be started once more */
  #countStart(): boolean {
    this.#store({ starts: this.#trial.starts + 1 })
    return this.#trial.starts <= STARTS_MAX
  }

  #receive(message: HubMessage): void {
    if (message.kind === 'confirmed') this.#isConfirmed = true
    if (message.kind === 'state') {
      this.#report = { message, at: performance.now() }
      if (this.#answeredAt === undefined) void this.#probe()
    }
    this.#passIfConfirmed()
  }

  /** Ends the trial once a browser has loaded the console and all checks succeed. */
  #passIfConfirmed(): void {
    if (this.#isConfirmed && this.#failingCheck() === undefined) void this.#pass()
  }

  /** Asks the hub as a browser does. */
  async #probe(): Promise<void> {
    const url = this.#report?.message.url
    if (!url || this.#isPassed) return
    try {
      const response = await fetch(`${url}/healthz/live`, { signal: AbortSignal.timeout(PROBE_TIMEOUT) })
      if (response.ok) this.#answeredAt = performance.now()
    } catch {
      // It counts as no answer.
    }
    this.#passIfConfirmed()
  }

  #failingCheck(): Check | undefined {
    const now = performance.now()
    const isRecent = (time: number | undefined, lifetime: number) => time !== undefined && now - time < lifetime
    if (this.#fault) return this.#fault
    if (!isRecent(this.#report?.at, REPORT_LIFETIME)) return 'process'
    if (!isRecent(this.#answeredAt, ANSWER_LIFETIME)) return 'answer'
    return this.#silentChannels().length > 0 ? 'channels' : undefined
  }

  /** The channels that were on air, are to run, and carry no stream. */
  #silentChannels(): Trial['channels'] {
    const { carrying = [], wanted = [] } = this.#report?.message ?? {}
    return this.#trial.channels.filter(({ id }) => wanted.includes(id) && !carrying.includes(id))
  }

  async #decide(): Promise<void> {
    const check = this.#failingCheck()
    if (check) this.#end(await this.#fail(check))
    else await this.#pass()
  }

  /** @returns whether the process is started again */
  #handleExit(status: number | null, signal: NodeJS.Signals | null): boolean {
    if (this.#isPassed) {
      this.#end({ kind: 'ended', status: status ?? 1 })
      return false
    }
    if (this.#isEnding || this.#fault) return false
    logger.warn('The hub on trial has ended', { cause: signal ?? `status ${status}` })
    this.#report = undefined
    this.#answeredAt = undefined
    if (!FATAL.has(status) && this.#countStart()) return true
    this.#fault = 'process'
    void this.#decide()
    return false
  }

  /** Makes the release the one that is started from now on. */
  async #pass(): Promise<void> {
    if (this.#isPassed || this.#isEnding) return
    this.#isPassed = true
    const { version, from, engine } = this.#trial
    try {
      await this.#options.updater.activate(version, { keep: engine && engine !== from ? [from, engine] : [from] })
    } catch (error) {
      this.#isPassed = false
      logger.error('The release could not be activated', error)
      return this.#end(await this.#fail('activation', [(error as Error).message]))
    }
    for (const timer of this.#timers) clearTimeout(timer)
    finishTrial(this.#files, this.#trial)
    logger.info('The release stays', { version })
    this.#process.send({ kind: 'passed' })
  }

  /** Ends the hub on trial, and notes why. */
  async #fail(check: Check, moreLines: readonly string[] = []): Promise<TrialOutcome> {
    this.#isEnding = true
    for (const timer of this.#timers) clearTimeout(timer)
    const channels = this.#silentChannels().map(({ name }) => name)
    await this.#process.stop()
    const { version } = this.#trial
    logger.error('The release on trial has failed', undefined, { version, check })
    this.#files.write('failure', {
      version,
      time: Date.now(),
      check,
      ...(check === 'channels' && { channels }),
      lines: [...this.#process.lines, ...moreLines]
    })
    return this.#goBack()
  }

  async #goBack(): Promise<TrialOutcome> {
    const hadData = this.#trial.phase !== 'begun'
    this.#store({ phase: 'failed' })
    if (hadData) this.#withLock(() => restoreDatabase(this.#options.data, this.#files, this.#trial.revert ?? false))
    const { version, from, revert } = this.#trial
    try {
      if (revert) await this.#options.updater.activate(from, { keep: [version] })
      else await this.#options.updater.reject(version, { reason: 'its trial failed' })
    } catch (error) {
      // It keeps the mark of a trial, and is not started.
      logger.warn('The failed release could not be removed', { reason: (error as Error).message })
    }
    this.#files.remove('trial.json')
    return { kind: 'none' }
  }

  /** @throws DataInUseError when a hub uses the data folder */
  #withLock(work: () => void): void {
    const lock = lockDataFolder(this.#options.data, 'upgrade')
    try {
      work()
    } finally {
      lock.release()
    }
  }

  #end(outcome: TrialOutcome): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#ignoreSignals()
    this.#done.resolve(outcome)
  }

  /** Signals of the supervisor go to the hub. SIGUSR2 restarts it, others end it and this process. */
  #followSignals(): void {
    const restart = () => this.#process.kill('SIGUSR2')
    const stop = async (signal: NodeJS.Signals) => {
      this.#isEnding = true
      await this.#process.stop(signal)
      this.#end({ kind: 'ended', status: 0 })
    }
    process.on('SIGUSR2', restart)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
    this.#ignoreSignals = () => {
      process.off('SIGUSR2', restart)
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, stop)
    }
  }
}
