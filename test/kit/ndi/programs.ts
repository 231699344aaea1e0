// The programs that send and receive NDI on the machines: compiled against the headers of the runtime, and killed or
// frozen by tests.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from '../until.ts'
import type { NdiMachine, NdiMachines } from './machines.ts'
import { NDI_RUNTIME_FOLDER } from './runtime.ts'

/** The luma of the bars of the pattern, from left to right. */
export const BAR_LUMA = [180, 162, 131, 112, 84, 65, 35, 16] as const

interface Average {
  mean: number
  worst: number
  count: number
}

/** What a receiver has measured since its start, or since `reset`. Times in milliseconds. */
export interface ReceiverFigures {
  seconds: number
  /** How often it was reset before. */
  resets: number
  frames: number
  samples: number
  /** Frames by the pattern's counter that did not arrive, that arrived twice, and that arrived after later ones. */
  lost: number
  repeated: number
  backward: number
  maxGap: number
  /** Time since the last frame; -1 before the first one. */
  silence: number
  /** Number of the source in the picture; -1 before the first frame. */
  id: number
  counter: number
  /** How much the beep comes after the flash. */
  syncByArrival: Average
  syncByTimestamp: Average
  syncByTimecode: Average
  /** How much the timecodes are ahead of the wall clock. */
  timecodeAhead: Average
  luma: number[]
}

/**
 * A switch to another source: milliseconds without frames, and the time of the first frame in seconds of
 * CLOCK_MONOTONIC.
 */
export interface SourceSwitch {
  from: number
  to: number
  gap: number
  at: number
}

class NdiProgram {
  readonly child: ChildProcess
  /** Number of connections; -1 before the program has told it. */
  connections = -1

  constructor(machine: NdiMachine, ...program: string[]) {
    const [command = '', ...rest] = [...machine.wrapper, ...program]
    this.child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => this.handle(JSON.parse(line)))
  }

  protected handle(message: { connections?: number }): void {
    if (message.connections !== undefined) this.connections = message.connections
  }

  hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Stops the process without an end of its connections. */
  freeze(): void {
    this.child.kill('SIGSTOP')
  }

  thaw(): void {
    this.child.kill('SIGCONT')
  }

  /** SIGTERM ends the connections; SIGKILL does not. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.hasEnded()) return
    const exit = once(this.child, 'exit')
    this.child.kill(signal)
    await exit
  }
}

/** Sends the pattern. */
export class TestSource extends NdiProgram {
  /** Name under which it is announced; '' before that. */
  name = ''

  protected override handle(message: { connections?: number; name?: string }): void {
    super.handle(message)
    if (message.name) this.name = message.name
  }
}

/** Receives and measures the pattern. */
export class TestReceiver extends NdiProgram {
  figures: ReceiverFigures | undefined
  /** Number of figures that have arrived. */
  #reports = 0
  readonly switches: SourceSwitch[] = []
  readonly gaps: number[] = []

  protected override handle(message: {
    connections?: number
    figures?: ReceiverFigures
    switch?: SourceSwitch
    gap?: number
  }): void {
    super.handle(message)
    if (message.figures) {
      this.figures = message.figures
      this.#reports++
    }
    if (message.switch) this.switches.push(message.switch)
    if (message.gap !== undefined) this.gaps.push(message.gap)
  }

  /** Measures from now on. Figures that are on their way are not of this measurement. */
  async reset(): Promise<void> {
    const { resets } = await this.nextFigures()
    this.child.kill('SIGUSR1')
    await until(() => (this.figures?.resets ?? 0) > resets, 'the receiver measures anew')
  }

  /** Figures that the receiver has reported from now on, twice a second. */
  async nextFigures(): Promise<ReceiverFigures> {
    // One report may be on its way.
    const reports = this.#reports + 2
    return until(() => (this.#reports < reports ? undefined : this.figures), 'the receiver reports figures')
  }

  /** Whether a frame of a source arrived in the last 200 ms. Figures arrive twice a second. */
  receives(id: number): boolean {
    const { figures } = this
    return figures?.id === id && figures.silence < 200
  }

  /** Waits until frames arrive. */
  async receiving(id: number): Promise<void> {
    const state = () => `a receiver gets source ${id}: ${JSON.stringify(this.figures)}`
    await until(() => this.receives(id), state)
  }
}

export interface SourceOptions {
  /** Number in the picture, 0-15. */
  id: number
  width?: number
  height?: number
  fps?: number
  format?: 'uyvy' | 'uyva'
  groups?: string
}

/**
 * Starts a source, and waits until it is announced. Sources get the ports 5961, 5962, ... of their machine in the order
 * of their start.
 */
export async function startSource(
  machines: NdiMachines,
  machine: NdiMachine,
  name: string,
  { id, width = 640, height = 360, fps = 25, format = 'uyvy', groups = '' }: SourceOptions
): Promise<TestSource> {
  const args = [name, id, width, height, fps, format, groups].map(String)
  const source = new TestSource(machine, compile(machines, 'ndi-source'), ...args)
  await until(() => source.name !== '' || source.hasEnded(), `the source ${name} is announced`)
  if (source.name === '') throw new Error(`The runtime refuses the source ${name}: is the name in use?`)
  return source
}

/** @param name full name of the source: `SRC (Camera)` */
export function startReceiver(
  machines: NdiMachines,
  machine: NdiMachine,
  name: string,
  { address = '', groups = '' } = {}
): TestReceiver {
  return new TestReceiver(machine, compile(machines, 'ndi-receiver'), name, address, groups)
}

/** Compiles a program once for each pair of machines. @returns its path */
function compile({ folder }: NdiMachines, name: string): string {
  const path = join(folder, name)
  if (existsSync(path)) return path
  const source = join(import.meta.dirname, 'programs', `${name}.c`)
  const options = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror', '-isystem', join(NDI_RUNTIME_FOLDER, 'include')]
  const { status, stderr } = spawnSync('cc', [...options, source, '-o', path, '-ldl', '-lm'], {
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(`Cannot compile ${name}: ${stderr}`)
  return path
}
