// An engine on the loopback with devices that push when they are asked to.
import type { Test } from 'uvu'
import type { PushOrder } from '../../contract/device/link.ts'
import { createEngine, type Engine, type EngineOptions, type StreamEvent } from '../../engine/engine.ts'
import { mediaFor, type Running, send, until } from './media.ts'

export interface Bench {
  engine: Engine
  events: StreamEvent[]
  orders: { sn: string; order: PushOrder }[]
  ended: string[]
  /** What a device runs to push. */
  pushing: Map<string, Running>
  setOnline(sn: string, online: boolean): void
  changes: number[]
  /** Waits until a leg has this connection state; the input without `output`. */
  reaches(id: number, connState: number, output?: number): Promise<void>
}

export function createBench(options: Partial<EngineOptions> = {}): Bench {
  const offline = new Set<string>()
  const pushing = new Map<string, Running>()
  const events: StreamEvent[] = []
  const orders: Bench['orders'] = []
  const ended: string[] = []
  const changes: number[] = []
  const engine = createEngine({
    pushHost: '127.0.0.1',
    outputHost: '127.0.0.1',
    async order(sn, order) {
      orders.push({ sn, order })
      await pushing.get(sn)?.kill()
      const target = `srt://127.0.0.1:${order.port}?mode=caller&pkt_size=1316`
      const id = order['stream-id']
      pushing.set(sn, send('mpegts', '-passphrase', order.passphrase, '-srt_streamid', id, target))
    },
    async endOrder(sn) {
      ended.push(sn)
      await pushing.get(sn)?.kill()
    },
    play: async () => {},
    endPlay: async () => {},
    deviceOnline: (sn) => !offline.has(sn),
    changed: (id) => changes.push(id),
    event: (event) => events.push(event),
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
    ended,
    pushing,
    changes,
    setOnline(sn, online) {
      if (online) offline.delete(sn)
      else offline.add(sn)
      engine.deviceChanged(sn)
    },
    reaches: (id, connState, output) =>
      until(
        () => `state ${connState} of channel ${id}, output ${output}: ${JSON.stringify(leg(id, output))}`,
        () => leg(id, output)?.connState === connState
      )
  }
}

/** The bench of the test that runs. */
export let bench: Bench

/** Has each test of a suite begin with a new bench, whose engine is closed afterwards; and what `mediaFor` does. */
export function benchForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<EngineOptions>): void {
  mediaFor(test)
  test.before.each(() => {
    bench = createBench(options)
  })
  test.after.each(() => bench.engine.close())
}

/** Closes the engine of the test, and puts another bench in the place of its bench. */
export async function replaceBench(options: Partial<EngineOptions>): Promise<void> {
  await bench.engine.close()
  bench = createBench(options)
}
