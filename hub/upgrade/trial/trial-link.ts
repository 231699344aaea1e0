// The side of the hub on trial: it reports what works to the process that runs the trial (trial-runner.ts), and learns
// that it stays.
import { type HubMessage, TRIAL_VARIABLE, type TrialMessage } from './trial-messages.ts'

/** Milliseconds between two reports. */
const REPORT_INTERVAL = 1000

export interface TrialReport {
  carrying: number[]
  wanted: number[]
}

/** Sends a message to the process that started this one. */
export type SendMessage = (message: HubMessage) => void

export class TrialLink {
  readonly #send: SendMessage
  readonly #end: number
  readonly #listeners: (() => void)[] = []
  #isOnTrial = true
  #timer: NodeJS.Timeout | undefined

  /** @param seconds until the trial ends */
  constructor(send: SendMessage, seconds: number) {
    this.#send = send
    this.#end = performance.now() + seconds * 1000
  }

  get isOnTrial(): boolean {
    return this.#isOnTrial
  }

  /** Seconds until the trial ends. */
  secondsLeft(): number {
    return Math.max(0, Math.ceil((this.#end - performance.now()) / 1000))
  }

  /** Calls `listener` when the hub stays. */
  onPassed(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Reports what works from now on. @param url of the console on the loopback */
  report(url: string, read: () => TrialReport): void {
    const send = () => this.#send({ kind: 'state', url, ...read() })
    send()
    this.#timer = setInterval(send, REPORT_INTERVAL).unref()
  }

  /** A browser has loaded the console. */
  confirm(): void {
    this.#send({ kind: 'confirmed' })
  }

  receive(message: TrialMessage): void {
    if (message.kind !== 'passed' || !this.#isOnTrial) return
    this.#isOnTrial = false
    this.close()
    for (const listener of this.#listeners) listener()
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

/**
 * The link of this process to the one that runs its trial; undefined if it is not on trial.
 * @param onLost the other process has ended
 */
export function openTrialLink(onLost: () => void): TrialLink | undefined {
  const { [TRIAL_VARIABLE]: seconds } = process.env
  if (!seconds || !process.send) return undefined
  const send = process.send.bind(process)
  const link = new TrialLink((message) => void send(message), Number(seconds))
  process.on('message', (message) => link.receive(message as TrialMessage))
  process.on('disconnect', onLost)
  return link
}
