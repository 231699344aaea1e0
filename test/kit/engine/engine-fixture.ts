// An engine on the loopback interface, with simulated devices that push a clip when the engine orders it.
import type { Test } from 'uvu'
import type { PushOrder } from '../../../contract/device/link.ts'
import { Engine, type EngineOptions } from '../../../engine/engine.ts'
import type { StreamEvent } from '../../../engine/interfaces/channel.ts'
import { until } from '../until.ts'
import { type RunningProcess, sendClip, setUpMedia } from './media.ts'

export interface EngineFixture {
  engine: Engine
  /** All events of the engine, oldest first. */
  events: StreamEvent[]
  /** All push orders to devices, oldest first. */
  orders: { sn: string; order: PushOrder }[]
  /** Serial numbers of the devices whose orders were cancelled. */
  cancelledOrders: string[]
  /** The process that pushes for a device, by the device's serial number. */
  pushingProcesses: Map<string, RunningProcess>
  setOnline(sn: string, online: boolean): void
  /** IDs of the channels that the engine has reported as changed. */
  changedChannels: number[]
  /** Waits until a leg of a channel has a connection state: an output, or without `output` the input. */
  waitForState(id: number, connState: number, output?: number): Promise<void>
}

export function createFixture(options: Partial<EngineOptions> = {}): EngineFixture {
  const offline = new Set<string>()
  const pushingProcesses = new Map<string, RunningProcess>()
  const events: StreamEvent[] = []
  const orders: EngineFixture['orders'] = []
  const cancelledOrders: string[] = []
  const changedChannels: number[] = []
  const engine = new Engine({
    pushHost: '127.0.0.1',
    outputHost: '127.0.0.1',
    async orderPush(sn, order) {
      orders.push({ sn, order })
      await pushingProcesses.get(sn)?.kill()
      const target = `srt://127.0.0.1:${order.port}?mode=caller&pkt_size=1316`
      const id = order['stream-id']
      pushingProcesses.set(sn, sendClip('mpegts', '-passphrase', order.passphrase, '-srt_streamid', id, target))
    },
    async cancelOrder(sn) {
      cancelledOrders.push(sn)
      await pushingProcesses.get(sn)?.kill()
    },
    orderPlayback: async () => {},
    cancelPlayback: async () => {},
    isDeviceOnline: (sn) => !offline.has(sn),
    onUpdate: ({ channels }) => changedChannels.push(...channels.filter(({ isMinor }) => !isMinor).map(({ id }) => id)),
    onEvent: (event) => events.push(event),
    ...options
  })
  const leg = (id: number, output?: number) => {
    const channel = engine.observe(id)
    return output === undefined ? channel.input : channel.outputs.get(output)
  }
  return {
    engine,
    events,
    orders,
    cancelledOrders,
    pushingProcesses,
    changedChannels,
    setOnline(sn, online) {
      if (online) offline.delete(sn)
      else offline.add(sn)
      engine.notifyDeviceChange(sn)
    },
    waitForState: (id, connState, output) =>
      until(
        () => leg(id, output)?.connState === connState,
        () => `channel ${id}, output ${output} has state ${connState}: ${JSON.stringify(leg(id, output))}`
      )
  }
}

/** The fixture of the current test. */
export let fixture: EngineFixture

/** Creates a new fixture before each test of a suite and closes its engine afterwards. Includes `setUpMedia`. */
export function fixtureForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<EngineOptions>): void {
  setUpMedia(test)
  test.before.each(() => {
    fixture = createFixture(options)
  })
  test.after.each(() => fixture.engine.close())
}

/** Closes the engine of the current test and replaces the fixture with one that has other options. */
export async function replaceFixture(options: Partial<EngineOptions>): Promise<void> {
  await fixture.engine.close()
  fixture = createFixture(options)
}
