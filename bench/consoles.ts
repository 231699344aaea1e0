// Simulated consoles that follow the device list like the real one: a WebSocket message announces a change, a poll fetches it.
import type { ListResponse, PageRequest } from '../contract/call.ts'
import { type Device, listDevices, setFavorite } from '../contract/device/device.ts'
import { type FeedListener, openFeed } from '../test/kit/hub/feed-listener.ts'
import type { HubProcess } from '../test/kit/hub/hub-process.ts'

/** Consoles that share a session, because the hub limits the sockets of a session. */
const CONSOLES_PER_SESSION = 10
/** Milliseconds between two changes. */
const CHANGE_INTERVAL = 1500

interface Console {
  listener: FeedListener
  rev: number
  mark: string | undefined
  polling: boolean
  pollAgain: boolean
}

/** Polls the list. @returns the response and its size in bytes */
async function poll(hub: HubProcess, page: PageRequest, one?: Pick<Console, 'rev' | 'mark'>) {
  const since = one && { since: String(one.rev), ...(one.mark && { mark: one.mark }) }
  const query = new URLSearchParams({ start: String(page.start), count: String(page.count), ...since })
  const response = await fetch(`${hub.url}/api${listDevices.path}?${query}`, { headers: { cookie: hub.cookie() } })
  const text = await response.text()
  return { reply: JSON.parse(text) as ListResponse<Device>, bytes: Buffer.byteLength(text) }
}

/**
 * Opens `count` consoles.
 * @param page the rows that each shows
 */
export async function createConsoles(hub: HubProcess, count: number, page: PageRequest) {
  const port = Number(new URL(hub.url).port)
  const consoles: Console[] = []
  const bytes: number[] = []
  let onDevice: (device: Device, by: Console) => void = () => {}

  async function update(one: Console): Promise<void> {
    if (one.polling) {
      one.pollAgain = true
      return
    }
    one.polling = true
    do {
      one.pollAgain = false
      const { reply, bytes: size } = await poll(hub, page, one)
      one.rev = reply.rev ?? one.rev
      one.mark = reply.mark
      if (reply.partial && reply.list.length === 1) bytes.push(size)
      for (const device of reply.list) onDevice(device, one)
    } while (one.pollAgain)
    one.polling = false
  }

  const { reply: first } = await poll(hub, page)
  for (let index = 0; index < count; index++) {
    if (index % CONSOLES_PER_SESSION === 0 && index > 0) await hub.signIn()
    const listener = await openFeed(port, { cookie: hub.cookie() })
    const one: Console = { listener, rev: first.rev ?? 0, mark: first.mark, polling: false, pollAgain: false }
    listener.socket.on('message', (data) => {
      if (JSON.parse(String(data)).changed?.device !== undefined) update(one).catch(() => {})
    })
    listener.subscribe('device')
    consoles.push(one)
  }

  return {
    /** Size of a poll response without changes, in bytes. */
    async unchanged(): Promise<number> {
      let least = Number.POSITIVE_INFINITY
      for (let round = 0; round < 20; round++) {
        const { reply } = await poll(hub, page)
        const next = await poll(hub, page, { rev: reply.rev ?? 0, mark: reply.mark })
        if (next.reply.partial && next.reply.list.length === 0) least = Math.min(least, next.bytes)
      }
      return least
    },

    /** Changes a device several times. @returns milliseconds from each change to its arrival at each console, and the sizes of the polls */
    async follow(changes: number): Promise<{ took: number[]; bytes: number[] }> {
      const took: number[] = []
      const [device] = first.list
      if (!device) throw new Error('There is no device to change')
      for (let turn = 0; turn < changes; turn++) {
        const favorite = turn % 2 === 0
        const waiting = new Set(consoles)
        const began = performance.now()
        const all = new Promise<void>((resolve, reject) => {
          const timer = setTimeout(
            () => reject(new Error(`${waiting.size} consoles did not receive the change`)),
            20_000
          )
          onDevice = ({ sn, 'is-favorite': marked }, by) => {
            if (sn !== device.sn || (marked !== 0) !== favorite || !waiting.delete(by)) return
            took.push(performance.now() - began)
            if (waiting.size > 0) return
            clearTimeout(timer)
            resolve()
          }
        })
        await hub.send(setFavorite, { sn: [device.sn], favorite })
        await all
        await new Promise((resolve) => setTimeout(resolve, CHANGE_INTERVAL))
      }
      return { took, bytes }
    },

    close(): void {
      for (const { listener } of consoles) listener.socket.terminate()
    }
  }
}
