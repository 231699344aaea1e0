// A channel that carries the frame counter from a UDP port to another one.
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE, HTTP, UDP } from '../../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../../contract/stream/source.ts'
import { sendFrameCounter, UdpRecorder } from '../engine/frame-counter.ts'
import { freeUdpPort } from '../net/free-port.ts'
import { until } from '../until.ts'
import type { HubProcess } from './hub-process.ts'

export interface CountedChannel {
  id: number
  /** Receives the UDP output. */
  recorder: UdpRecorder
}

/** Stream key of its HLS output. */
export const HLS_KEY = 'HLS-1'

/**
 * Adds the channel with a UDP output and an HLS output, starts it, and waits until both are connected.
 * @param suffix of its names and its stream key, for a second one
 */
export async function startCountedChannel(hub: Pick<HubProcess, 'send'>, suffix = ''): Promise<CountedChannel> {
  const [from, to] = [await freeUdpPort(), await freeUdpPort()]
  const recorder = await UdpRecorder.open(to)
  const { id } = await hub.send(addChannel, { name: `Counter${suffix}` })
  const config = { type: 1 as const, url: `udp://127.0.0.1:${from}` }
  const { id: input } = await hub.send(addInput, { name: `In${suffix}`, config })
  await hub.send(setChannelInput, { id, input })
  const target = { 'dst-ip': '127.0.0.1', 'dst-port': to }
  const { id: output } = await hub.send(addOutput, { name: `Out${suffix}`, protocol: UDP, config: target })
  const web = await hub.send(addOutput, {
    name: `Web${suffix}`,
    protocol: HTTP,
    config: { key: HLS_KEY + suffix, 'seg-duration': 1 }
  })
  await hub.send(addChannelOutputs, { id, outputs: [output, web.id] })
  await hub.send(enableChannel, { id, enable: true })
  sendFrameCounter(`udp://127.0.0.1:${from}?pkt_size=1316`)
  await until(async () => {
    const { channel } = await hub.send(queryChannel, { id })
    return channel.outputs.list.every((leg) => leg['conn-state'] === CONNECTION_STATE.connected)
  }, 'the channel is connected')
  return { id, recorder }
}
