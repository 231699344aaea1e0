// Programs that receive messages of notifications in tests, as processes that end with the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from '../../until.ts'

export class ReceiverProcess {
  /** What it has written to standard output and standard error. */
  output = ''
  readonly #process: ChildProcess

  private constructor(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#process = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
    const collect = (chunk: Buffer) => {
      this.output += chunk
    }
    this.#process.stdout?.on('data', collect)
    this.#process.stderr?.on('data', collect)
  }

  /** Starts a program. @param ready matches the output of the program when it receives */
  static async start(
    program: string,
    args: readonly string[],
    ready: RegExp,
    env: Readonly<Record<string, string>> = {}
  ): Promise<ReceiverProcess> {
    const receiver = new ReceiverProcess(program, args, env)
    await once(receiver.#process, 'spawn')
    await until(
      () => ready.test(receiver.output) || receiver.#hasEnded,
      () => `${program} is ready: ${receiver.output}`
    )
    if (receiver.#hasEnded) throw new Error(`${program} ended: ${receiver.output}`)
    return receiver
  }

  get #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }
}
