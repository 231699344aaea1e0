// The Videohub client of the Debian package python3-pyatem, as a process.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { until } from '../until.ts'

const PYTHON = '/usr/bin/python3'
const PACKAGE = '/usr/lib/python3/dist-packages/pyatem/videohub.py'
const SCRIPT = new URL('pyatem-client.py', import.meta.url).pathname

interface Connected {
  event: 'connect'
  version: string
  model: string
  inputs: number
  outputs: number
  inputLabels: string[]
  outputLabels: string[]
  routes: number[]
}

type PyatemEvent =
  | Connected
  | { event: 'route'; output: number; input: number }
  | { event: 'label'; output: number; label: string }

export type TimedEvent = PyatemEvent & { /** Milliseconds of the monotonic clock. */ time: number }

export class PyatemClient {
  readonly events: TimedEvent[] = []
  readonly #process

  /** @throws if the package is not installed */
  constructor(port: number) {
    if (!existsSync(PACKAGE)) throw new Error('python3-pyatem is not installed: make/install.sh servers')
    this.#process = spawn(PYTHON, [SCRIPT, '127.0.0.1', String(port)], { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface(this.#process.stdout).on('line', (line) => {
      this.events.push({ ...JSON.parse(line), time: performance.now() })
    })
  }

  /** Waits for the end of the prelude. */
  async connected(): Promise<Connected> {
    return (await this.waitFor(({ event }) => event === 'connect', 'prelude')) as TimedEvent & Connected
  }

  async waitFor(matches: (event: TimedEvent) => boolean, what: string): Promise<TimedEvent> {
    await until(() => this.events.some(matches), what)
    return this.events.find(matches) as TimedEvent
  }

  route(output: number, input: number): void {
    this.#process.stdin.write(`${output} ${input}\n`)
  }

  close(): void {
    this.#process.kill()
  }
}
