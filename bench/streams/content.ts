// Content checks of ten channels: 1080p25 of 5 Mbps with a key frame every two seconds, and stereo AAC. CPU time of the
// engine with all its processes is measured with the checks off and on, of the pictures alone and with the sound.
// CONTENT_SECONDS changes the duration.

import { DEFAULT_CONTENT_SETTINGS } from '../../contract/stream/content-settings.schema.ts'
import { channel, urlInput } from '../../test/kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../test/kit/net/free-port.ts'
import type { Measurement } from '../measurement.ts'
import { megabytesOf, preciseCpuSecondsOf, processTreeOf } from '../process-usage.ts'
import { endEngine, startEngine } from './engine-child.ts'
import { closePeers, compilePeer, encodeClip, loop, startFfmpeg, startPeer } from './peers.ts'

const CHANNELS = 10
const SECONDS = Number(process.env.CONTENT_SECONDS ?? 60)
/** kbit/s of the video. */
const RATE = 5000
/** Milliseconds until streams and checks have started. */
const SETTLE = 10_000
/** Highest CPU time that the pictures of a channel may take, in percent of a core. */
const PICTURES_MAX = 0.5

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface Usage {
  /** Percent of a core. */
  cpu: number
  megabytes: number
}

/** @param hasSound whether the clip is sent with its sound @param isChecked whether the checks are on */
async function measure(clip: string, peer: string, hasSound: boolean, isChecked: boolean): Promise<Usage> {
  const ports: number[] = []
  while (ports.length <= CHANNELS) ports.push(await freeUdpPort())
  const [relay = 0, ...inputs] = ports
  const engine = startEngine(
    inputs.map((port, index) => ({
      ...channel(index + 1, urlInput(1000 + index, `udp://127.0.0.1:${port}`)),
      ...(isChecked && { content: DEFAULT_CONTENT_SETTINGS })
    }))
  )
  const sender = startPeer(peer, ['copy', relay, ...inputs])
  const source = startFfmpeg([
    ...loop(clip),
    ...(hasSound ? [] : ['-an']),
    ...['-f', 'mpegts', `udp://127.0.0.1:${relay}?pkt_size=1316`]
  ])
  try {
    await wait(SETTLE)
    const processes = processTreeOf(engine.pid ?? 0)
    const used = () => processes.reduce((sum, pid) => sum + preciseCpuSecondsOf(pid), 0)
    const [before, began] = [used(), performance.now()]
    await wait(SECONDS * 1000)
    return {
      cpu: (100 * (used() - before)) / ((performance.now() - began) / 1000),
      megabytes: processes.reduce((total, pid) => total + megabytesOf(pid), 0)
    }
  } finally {
    await endEngine(engine)
    for (const child of [sender, source]) child.kill()
  }
}

export async function measureContent(): Promise<Measurement[]> {
  try {
    const [peer, clip] = [compilePeer(), encodeClip(RATE, 'aac', { size: '1920x1080', keyDistance: 50 })]
    const costs = async (hasSound: boolean) => {
      const [off, on] = [await measure(clip, peer, hasSound, false), await measure(clip, peer, hasSound, true)]
      return { cpu: (on.cpu - off.cpu) / CHANNELS, megabytes: (on.megabytes - off.megabytes) / CHANNELS }
    }
    const [pictures, all] = [await costs(false), await costs(true)]
    const value = { referenceName: '', reference: Number.NaN }
    return [
      {
        name: 'content checks of pictures: CPU a channel',
        unit: '% of a core',
        ours: pictures.cpu,
        referenceName: 'limit',
        reference: PICTURES_MAX,
        most: 1
      },
      { name: 'content checks: CPU a channel', unit: '% of a core', ours: all.cpu, ...value },
      { name: 'content checks: memory a channel', unit: 'MB', ours: all.megabytes, ...value }
    ]
  } finally {
    await closePeers()
  }
}
