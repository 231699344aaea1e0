import type { Socket } from 'node:net'
import type { Processes } from '../interfaces/leg-parts.ts'
import { RetryTimer } from '../process/back-off.ts'
import { RelayHost } from '../relay/relay-host.ts'

/** Bytes that may wait for the relay, which reads all the time. More are dropped. */
const QUEUE_MAX = 4 << 20

/** The relay of an input switch, which JavaScript feeds with the spliced stream. */
export class SwitchRelay {
  readonly host: RelayHost
  readonly #context: Processes
  #hasStarted = false
  readonly #retryTimer = new RetryTimer(() => this.#open())
  #feed: Socket | undefined
  #openedAt = 0
  #isStopped = false

  /** @param onStart called when the relay has received the first key frame */
  constructor(context: Processes, onStart: () => void) {
    this.#context = context
    this.host = new RelayHost({
      launcher: context.launcher,
      onReport: ({ source }) => {
        if (this.#hasStarted || source.starts === 0) return
        this.#hasStarted = true
        onStart()
      },
      onExit: () => this.#retry()
    })
    void this.#open()
  }

  /** Whether the relay has received a key frame. */
  get hasStarted(): boolean {
    return this.#hasStarted
  }

  /** Sends a copy of the packets. */
  write(data: Buffer): void {
    if (this.#feed?.writable && this.#feed.writableLength < QUEUE_MAX) this.#feed.write(Buffer.from(data))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#retryTimer.cancel()
    this.#feed?.destroy()
    await this.host.stop()
  }

  async #open(): Promise<void> {
    this.#openedAt = this.#context.now()
    try {
      const relay = await this.host.open()
      const feed = await relay.openFeed()
      if (this.#isStopped) return void feed.destroy()
      this.#feed = feed.on('error', () => {})
    } catch {
      // A missing program is reported by the inputs, which need it too.
      this.#retry()
    }
  }

  #retry(): void {
    this.#feed?.destroy()
    this.#feed = undefined
    this.#retryTimer.cancel()
    if (!this.#isStopped) this.#retryTimer.schedule(this.#context.now() - this.#openedAt)
  }
}
