// NDI discovery: which sources the network announces. Runs while a client polls the list, plus 60 s. The NDI runtime
// finds the sources, or without it DNS-SD.
import { setTimeout as sleep } from 'node:timers/promises'
import { NdiUnavailableError } from '../interfaces/errors.ts'
import type { Launcher, Process } from '../interfaces/launcher.ts'
import type { Ndi, NdiSources } from '../interfaces/ndi.ts'
import { DnsSdBrowser } from './dns-sd.ts'
import { type MachineAnswers, type MachineWatch, machineOf } from './machine-answers.ts'

/** Milliseconds that the first request waits, because sources are announced one after the other. */
const FIRST_WAIT = 1000
/** Milliseconds for which discovery continues after the last request. */
const LINGER = 60_000
/** Maximum number of sources. */
const SOURCES_MAX = 1000

interface NdiDiscoveryOptions {
  ndi: Ndi
  launcher: Pick<Launcher, 'run'>
  machines: Pick<MachineAnswers, 'watch'>
  /** Called when a source appears or disappears, or its machine answers or does not answer any more. */
  onChange(): void
  /** Whether sources are searched by DNS-SD while there is no runtime. Default: true. */
  dnsSd?: boolean | undefined
}

export class NdiDiscovery {
  readonly #ndi: Ndi
  readonly #launcher: Pick<Launcher, 'run'>
  readonly #onChange: () => void
  readonly #dnsSd: DnsSdBrowser | undefined
  readonly #machines: MachineWatch
  /** Resolves when the sources have had time to answer to DNS-SD. */
  #browsed: Promise<void> | undefined
  readonly #sources = new Map<string, string>()
  #process: Process | undefined
  #version: string | undefined
  /** Resolves when the first sources have had time to be announced. */
  #started: Promise<void> | undefined
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  /** Number of stops, so that a start that was waiting for the runtime can notice one. */
  #stops = 0

  constructor({ ndi, launcher, machines, onChange, dnsSd = true }: NdiDiscoveryOptions) {
    this.#ndi = ndi
    this.#launcher = launcher
    this.#onChange = onChange
    this.#dnsSd = dnsSd ? new DnsSdBrowser({ onChange: () => this.#sourcesChanged() }) : undefined
    this.#machines = machines.watch(onChange)
  }

  async findSources(): Promise<NdiSources> {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.stop(), LINGER).unref()
    this.#started ??= this.#start()
    const started = this.#started
    try {
      await started
    } catch (error) {
      if (this.#started === started) this.#started = undefined
      if (!(error instanceof NdiUnavailableError)) throw error
      const sources = this.#dnsSd ? await this.#browse(this.#dnsSd) : new Map<string, string>()
      return { sources, answers: this.#answersOf(sources), failure: error.failure }
    }
    this.#stopBrowsing()
    const sources = this.#sources
    return {
      sources,
      answers: this.#answersOf(sources),
      ...(this.#version !== undefined && { version: this.#version })
    }
  }

  /** Starts again with the current configuration if it runs. */
  restart(): void {
    const isRunning = this.#started !== undefined
    this.stop()
    // The list is empty until the sources have been announced again.
    if (isRunning) void this.findSources().then(this.#onChange, () => {})
  }

  stop(): void {
    this.#stops++
    clearTimeout(this.#idleTimer)
    this.#machines.set([])
    this.#stopBrowsing()
    this.#process?.stop()
    this.#process = undefined
    this.#started = undefined
    this.#sources.clear()
  }

  /** The sources that are found without the runtime. The first call waits, because they answer one after the other. */
  async #browse(dnsSd: DnsSdBrowser): Promise<Map<string, string>> {
    dnsSd.start()
    this.#browsed ??= sleep(FIRST_WAIT, undefined, { ref: false })
    await this.#browsed
    return dnsSd.sources()
  }

  #stopBrowsing(): void {
    this.#dnsSd?.stop()
    this.#browsed = undefined
  }

  async #start(): Promise<void> {
    const stops = this.#stops
    const runtime = await this.#ndi.findRuntime()
    if (stops !== this.#stops) return
    const waited = Promise.withResolvers<void>()
    this.#version = runtime.version
    const process = this.#launcher.run({
      program: runtime.program,
      args: ['find', runtime.library, '', ''],
      ...this.#ndi.openConfig({ role: 'find', name: '' }),
      onMessage: (text) => {
        if (this.#process === process) this.#handleMessage(text)
      },
      onEnd: () => {
        if (this.#process === process) this.stop()
        waited.resolve()
      }
    })
    this.#process = process
    const timer = setTimeout(waited.resolve, FIRST_WAIT)
    await waited.promise
    clearTimeout(timer)
  }

  #handleMessage(text: string): void {
    const { found: addedName, gone: removedName, url = '' } = JSON.parse(text)
    if (removedName !== undefined) this.#sources.delete(removedName)
    else if (addedName !== undefined && this.#sources.size < SOURCES_MAX) this.#sources.set(addedName, url)
    this.#sourcesChanged()
  }

  #sourcesChanged(): void {
    const sources = this.#browsed && this.#dnsSd ? this.#dnsSd.sources() : this.#sources
    this.#machines.set([...sources.values()].map(machineOf))
    this.#onChange()
  }

  /** Whether the machine of each source answers, by the name of the source. */
  #answersOf(sources: ReadonlyMap<string, string>): Map<string, boolean> {
    const answers = [...sources].flatMap(([name, address]) => {
      const isAnswering = this.#machines.answers(machineOf(address))
      return isAnswering === undefined ? [] : [[name, isAnswering] as const]
    })
    return new Map(answers)
  }
}
