// Simulated consoles that follow the device list like the real one: a WebSocket message announces a change, a poll
// fetches it.
import type { ListResponse, PageRequest } from '../contract/call.ts'
import { type Device, listDevices, setFavorite } from '../contract/device/device.ts'
import { type FeedListener, openFeed } from '../test/kit/hub/feed-listener.ts'
import type { HubProcess } from '../test/kit/hub/hub-process.ts'

/** Consoles that share a session, because the hub limits the sockets of a session. */
const CONSOLES_PER_SESSION = 10
/** Milliseconds between two changes. */
const CHANGE_INTERVAL = 1500

/** Milliseconds in which all consoles must have received a change. */
const CHANGE_TIMEOUT = 20_000
/** Number of polls of which the smallest response is taken. */
const POLLS = 20

interface Console {
  listener: FeedListener
  rev: number
  mark: string | undefined
  polling: boolean
  pollAgain: boolean
}

/** Polls the list. @returns the response and its size in bytes */
async function poll(hub: HubProcess, page: PageRequest, state?: Pick<Console, 'rev' | 'mark'>) {
  const since = state && { since: String(state.rev), ...(state.mark && { mark: state.mark }) }
  const query = new URLSearchParams({ start: String(page.start), count: String(page.count), ...since })
  const response = await fetch(`${hub.url}/api${listDevices.path}?${query}`, { headers: { cookie: hub.cookie() } })
  const text = await response.text()
  return { reply: JSON.parse(text) as ListResponse<Device>, bytes: Buffer.byteLength(text) }
}

/** Simulated consoles that show the same rows. */
class Consoles {
  readonly #hub: HubProcess
  readonly #page: PageRequest
  readonly #consoles: Console[] = []
  /** Sizes of the poll responses with one changed device. */
  readonly #bytes: number[] = []
  #device: Device | undefined
  #onDevice: (device: Device, console: Console) => void = () => {}

  constructor(hub: HubProcess, page: PageRequest) {
    this.#hub = hub
    this.#page = page
  }

  /** Opens `count` consoles. */
  async open(count: number): Promise<void> {
    const { reply } = await poll(this.#hub, this.#page)
    this.#device = reply.list[0]
    const port = Number(new URL(this.#hub.url).port)
    for (let index = 0; index < count; index++) {
      if (index % CONSOLES_PER_SESSION === 0 && index > 0) await this.#hub.signIn()
      const listener = await openFeed(port, { cookie: this.#hub.cookie() })
      const console: Console = { listener, rev: reply.rev ?? 0, mark: reply.mark, polling: false, pollAgain: false }
      listener.socket.on('message', (data) => {
        if (JSON.parse(String(data)).changed?.device !== undefined) this.#update(console).catch(() => {})
      })
      listener.subscribe('device')
      this.#consoles.push(console)
    }
  }

  /** Size of a poll response without changes, in bytes. */
  async unchanged(): Promise<number> {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < POLLS; round++) {
      const { reply } = await poll(this.#hub, this.#page)
      const next = await poll(this.#hub, this.#page, { rev: reply.rev ?? 0, mark: reply.mark })
      if (next.reply.partial && next.reply.list.length === 0) least = Math.min(least, next.bytes)
    }
    return least
  }

  /**
   * Changes a device several times. @returns milliseconds from each change to its arrival at each console, and the
   * sizes of the polls
   */
  async follow(changes: number): Promise<{ took: number[]; bytes: number[] }> {
    const took: number[] = []
    if (!this.#device) throw new Error('There is no device to change')
    const { sn } = this.#device
    for (let turn = 0; turn < changes; turn++) {
      const favorite = turn % 2 === 0
      const allReceived = this.#waitForChange(sn, favorite, took)
      await this.#hub.send(setFavorite, { sn: [sn], favorite })
      await allReceived
      await new Promise((resolve) => setTimeout(resolve, CHANGE_INTERVAL))
    }
    return { took, bytes: this.#bytes }
  }

  close(): void {
    for (const { listener } of this.#consoles) listener.socket.terminate()
  }

  /** Resolves when all consoles have received the change. @param took receives the milliseconds of each console */
  #waitForChange(serial: string, favorite: boolean, took: number[]): Promise<void> {
    const waiting = new Set(this.#consoles)
    const began = performance.now()
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${waiting.size} consoles did not receive the change`)),
        CHANGE_TIMEOUT
      )
      this.#onDevice = ({ sn, 'is-favorite': marked }, console) => {
        if (sn !== serial || (marked !== 0) !== favorite || !waiting.delete(console)) return
        took.push(performance.now() - began)
        if (waiting.size > 0) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Polls the changes for a console. A change that is announced during a poll causes another one. */
  async #update(console: Console): Promise<void> {
    if (console.polling) {
      console.pollAgain = true
      return
    }
    console.polling = true
    do {
      console.pollAgain = false
      const { reply, bytes } = await poll(this.#hub, this.#page, console)
      console.rev = reply.rev ?? console.rev
      console.mark = reply.mark
      if (reply.partial && reply.list.length === 1) this.#bytes.push(bytes)
      for (const device of reply.list) this.#onDevice(device, console)
    } while (console.pollAgain)
    console.polling = false
  }
}

/**
 * Opens `count` consoles.
 * @param page the rows that each shows
 */
export async function createConsoles(hub: HubProcess, count: number, page: PageRequest): Promise<Consoles> {
  const consoles = new Consoles(hub, page)
  await consoles.open(count)
  return consoles
}
