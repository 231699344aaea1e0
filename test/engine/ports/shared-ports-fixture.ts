// An engine with open shared ports on the loopback interface, and functions that start publishers and players for
// channel 1.
import type { Test } from 'uvu'
import type { EngineOptions } from '../../../engine/engine.ts'
import type { ChannelAccess, WantedChannel } from '../../../engine/interfaces/channel.ts'
import type { PortSettings } from '../../../engine/interfaces/ports.ts'
import { createFixture, type EngineFixture } from '../../kit/engine/engine-fixture.ts'
import {
  type Receiver,
  type RunningProcess,
  runProcess,
  sendClip,
  setUpMedia,
  startReceiver
} from '../../kit/engine/media.ts'
import { until } from '../../kit/until.ts'

export const PORT_SETTINGS: PortSettings = { srt: { port: 0, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: 0 } }
const ACCESS: ChannelAccess = { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1', srt: true, rtmp: true, 'allow-ip': [] }

/** Returns channel 1, whose input is the publisher at the shared ports. */
export const pushedChannel = (
  access: Partial<ChannelAccess> = {},
  overrides: Partial<WantedChannel> = {}
): WantedChannel => ({
  id: 1,
  name: 'Stage',
  enable: true,
  input: { id: 0, name: 'Stage', kind: 'pushed', channel: 1 },
  outputs: [],
  access: { ...ACCESS, ...access },
  ...overrides
})

export interface SharedPortsFixture extends EngineFixture {
  /** Opens both ports. */
  openPorts(settings?: Partial<PortSettings>): Promise<void>
  srtUrl(): string
  rtmpUrl(key: string): string
  /** Returns the clients of channel 1: its publishers, or its players. */
  listClients(isPublisher: boolean): { id: number; protocol: number; address: string; kbps: number }[]
  pushSrt(key?: string): RunningProcess
  pushRtmp(key?: string): RunningProcess
  /** Starts a player that only measures the received data. */
  playSrt(key?: string): Receiver
  playRtmp(key?: string): RunningProcess
  /** Starts a player that decodes, like `playRtmp`. */
  decodeSrt(key?: string): RunningProcess
}

export function createSharedPortsFixture(options: Partial<EngineOptions> = {}): SharedPortsFixture {
  const base = createFixture({ sharedHost: '127.0.0.1', ...options })
  const { engine } = base
  const srtUrl = () => `srt://127.0.0.1:${engine.observePorts().srt.port}?pkt_size=1316`
  const rtmpUrl = (key: string) => `rtmp://127.0.0.1:${engine.observePorts().rtmp.port}/live/${key}`
  return {
    ...base,
    srtUrl,
    rtmpUrl,
    async openPorts(settings = {}) {
      engine.configurePorts({ ...PORT_SETTINGS, ...settings })
      await until(
        () => engine.observePorts().srt.port !== undefined && engine.observePorts().rtmp.port !== undefined,
        () => `both ports are open: ${JSON.stringify(engine.observePorts())}`
      )
    },
    listClients: (isPublisher) =>
      (engine.observe(1).clients ?? []).filter((client) => client.isPublisher === isPublisher),
    pushSrt: (key = 'PUSH-1') => sendClip('mpegts', '-srt_streamid', key, srtUrl()),
    pushRtmp: (key = 'PUSH-1') => sendClip('flv', rtmpUrl(key)),
    playSrt: (key = 'PLAY-1') => startReceiver(srtUrl(), ['-srt_streamid', key]),
    decodeSrt: (key = 'PLAY-1') => runProcess(['-v', 'error', '-srt_streamid', key, '-i', srtUrl(), '-f', 'null', '-']),
    playRtmp: (key = 'PLAY-1') => runProcess(['-v', 'error', '-i', rtmpUrl(key), '-f', 'null', '-'])
  }
}

/** The fixture of the current test. */
export let fixture: SharedPortsFixture

/** Creates a new fixture before each test of a suite and closes its engine afterwards. Includes `setUpMedia`. */
export function fixtureForEach(test: Pick<Test, 'before' | 'after'>, options?: Partial<EngineOptions>): void {
  setUpMedia(test)
  test.before.each(() => {
    fixture = createSharedPortsFixture(options)
  })
  test.after.each(() => fixture.engine.close())
}
