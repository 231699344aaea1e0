// A channel at the shared ports of an engine on the loopback, and who pushes and plays there.
import type { Test } from 'uvu'
import type { EngineOptions } from '../../../engine/engine.ts'
import type { Door, Wanted } from '../../../engine/interfaces/channel.ts'
import type { PortSettings } from '../../../engine/ports/shared-ports.ts'
import { type Bench, createBench } from '../bench.ts'
import { mediaFor, type Running, receive, run, send, until } from '../media.ts'

export const PORTS: PortSettings = { srt: { port: 0, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: 0 } }
const DOOR: Door = { pushKey: 'PUSH-1', playKey: 'PLAY-1', srt: true, rtmp: true, allowIp: [] }

/** Channel 1, whose input is whoever pushes. */
export const stage = (door: Partial<Door> = {}, more: Partial<Wanted> = {}): Wanted => ({
  id: 1,
  name: 'Stage',
  enable: true,
  input: { id: 0, name: 'Stage', kind: 'pushed', channel: 1 },
  outputs: [],
  door: { ...DOOR, ...door },
  ...more
})

export interface SharedBench extends Bench {
  /** Opens both ports. */
  open(settings?: Partial<PortSettings>): Promise<void>
  srt(): string
  rtmp(key: string): string
  /** Who is connected to channel 1: publishers, or players. */
  clients(sends: boolean): { id: number; protocol: number; address: string; kbps: number }[]
  pushSrt(key?: string): Running
  pushRtmp(key?: string): Running
  watchSrt(key?: string): ReturnType<typeof receive>
  watchRtmp(key?: string): Running
  /** Plays as `watchRtmp` does. */
  takeSrt(key?: string): Running
}

export function createSharedBench(options: Partial<EngineOptions> = {}): SharedBench {
  const bench = createBench({ sharedHost: '127.0.0.1', ...options })
  const { engine } = bench
  const srt = () => `srt://127.0.0.1:${engine.ports().srt.port}?pkt_size=1316`
  const rtmp = (key: string) => `rtmp://127.0.0.1:${engine.ports().rtmp.port}/live/${key}`
  return {
    ...bench,
    srt,
    rtmp,
    async open(settings = {}) {
      engine.usePorts({ ...PORTS, ...settings })
      await until(
        () => `both ports are open: ${JSON.stringify(engine.ports())}`,
        () => engine.ports().srt.port !== undefined && engine.ports().rtmp.port !== undefined
      )
    },
    clients: (sends) => (engine.observe(1).clients ?? []).filter((one) => one.sends === sends),
    pushSrt: (key = 'PUSH-1') => send('mpegts', '-srt_streamid', key, srt()),
    pushRtmp: (key = 'PUSH-1') => send('flv', rtmp(key)),
    watchSrt: (key = 'PLAY-1') => receive(srt(), ['-srt_streamid', key]),
    takeSrt: (key = 'PLAY-1') => run(['-v', 'error', '-srt_streamid', key, '-i', srt(), '-f', 'null', '-']),
    watchRtmp: (key = 'PLAY-1') => run(['-v', 'error', '-i', rtmp(key), '-f', 'null', '-'])
  }
}

/** The bench of the test that runs. */
export let bench: SharedBench

/** Has each test of a suite begin with a new bench, whose engine is closed afterwards; and what `mediaFor` does. */
export function benchForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<EngineOptions>): void {
  mediaFor(test)
  test.before.each(() => {
    bench = createSharedBench(options)
  })
  test.after.each(() => bench.engine.close())
}
