// Channels that a test breaks, each in its own way, and the verdicts on them that are then right.
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { addInput, addOutput, type TypedOutput } from '../../../contract/stream/source.ts'
import type { HubProcess } from '../hub/hub-process.ts'
import {
  createRtmpTarget,
  createSrtTarget,
  createTrackSource,
  createUdpSource,
  createUdpTarget,
  encodeAc3Clip,
  encodeHevcClip
} from './media.ts'

type Hub = Pick<HubProcess, 'send'>

export interface Fault {
  title: string
  channel: number
  cause(): Promise<void> | void
  mend(): Promise<void> | void
  /**
   * The verdicts on the channel and its outputs; several causes are equally right where the second one follows from the
   * first.
   */
  expected: { channel: string; input: string; outputs: readonly (readonly string[])[] }
  /** What else may be said until then. */
  meanwhile?: readonly string[]
  problem: string
  /** What the hub says for some time after `mend` of the channel, which is on air, and its words about the input. */
  mended?: { channel: string; message: RegExp }
}

/** Adds a channel and starts it. */
export async function startChannel(
  hub: Hub,
  name: string,
  url: string,
  outputs: readonly TypedOutput[]
): Promise<number> {
  const { id } = await hub.send(addChannel, { name })
  const { id: input } = await hub.send(addInput, { name: `${name} in`, config: { type: 1, url } })
  await hub.send(setChannelInput, { id, input })
  const ids: number[] = []
  for (const [index, output] of outputs.entries())
    ids.push((await hub.send(addOutput, { name: `${name} ${index}`, ...output })).id)
  await hub.send(addChannelOutputs, { id, outputs: ids })
  await hub.send(enableChannel, { id, enable: true })
  return id
}

const LOST = { channel: 'down: no-data', input: 'down: no-data', outputs: [['waiting: input-silent']] } as const
const ON_AIR = ['on-air']

async function breakInput(hub: Hub, title: string, kind: 'kill' | 'pause' | 'sendNoise'): Promise<Fault> {
  const source = await createUdpSource()
  return {
    title,
    channel: await startChannel(hub, title, source.url, [await createUdpTarget()]),
    cause: () => source[kind](),
    mend: () => (kind === 'pause' ? source.resume() : source.start()),
    expected: kind === 'sendNoise' ? { ...LOST, channel: 'down: not-media', input: 'down: not-media' } : LOST,
    problem: `channel bad: ${kind === 'sendNoise' ? 'not-media' : 'no-data'}`
  }
}

async function loseTrack(hub: Hub, title: string, kind: 'video' | 'audio'): Promise<Fault> {
  const source = await createTrackSource()
  return {
    title,
    channel: await startChannel(hub, title, source.url, [await createUdpTarget()]),
    cause: () => source.drop(kind),
    mend: () => source.restore(),
    expected: { channel: `degraded: ${kind}-lost`, input: `degraded: ${kind}-lost`, outputs: [ON_AIR] },
    problem: `channel warn: ${kind}-lost`
  }
}

/** The codec from before is another one again, which is shown for 30 s. */
const CHANGED_BACK = { mended: { channel: 'degraded: codecs-changed', message: /→ H\.264, AAC\.$/m } } as const

async function changeAudioCodec(hub: Hub): Promise<Fault> {
  const source = await createUdpSource()
  const [title, expected] = ['another audio codec', 'degraded: codecs-changed']
  return {
    title,
    channel: await startChannel(hub, title, source.url, [await createUdpTarget()]),
    cause: () => source.change(encodeAc3Clip()),
    mend: () => source.change(encodeAc3Clip().replace('.ac3.ts', '')),
    expected: { channel: expected, input: expected, outputs: [ON_AIR] },
    // The sender starts again, so packets are missing.
    meanwhile: ['degraded: discontinuities'],
    problem: 'channel warn: codecs-changed',
    ...CHANGED_BACK
  }
}

async function takeBackupForTrack(hub: Hub): Promise<Fault> {
  const [source, second] = [await createTrackSource(), await createUdpSource()]
  const title = 'main input without picture'
  const channel = await startChannel(hub, title, source.url, [await createUdpTarget()])
  const { id: backup } = await hub.send(addInput, { name: `${title} backup`, config: { type: 1, url: second.url } })
  const rule = { 'after-s': 1, back: 'first', 'back-after-s': 5 } as const
  await hub.send(setChannel, { id: channel, name: title, config: { backups: [backup], switch: rule } })
  return {
    title,
    channel,
    cause: () => source.drop('video'),
    mend: () => source.restore(),
    expected: { channel: 'degraded: main-video-lost', input: 'degraded: video-lost', outputs: [ON_AIR] },
    meanwhile: ['degraded: video-lost', 'output 1 waiting: input-silent'],
    problem: 'channel warn: main-video-lost'
  }
}

async function changeCodec(hub: Hub): Promise<Fault> {
  const [source, target] = [await createUdpSource(), await createRtmpTarget()]
  const [title, hevc] = ['another codec', encodeHevcClip()]
  return {
    title,
    channel: await startChannel(hub, title, source.url, [target.output, await createUdpTarget()]),
    cause: () => source.change(hevc),
    mend: () => source.change(hevc.replace('.hevc.ts', '')),
    expected: {
      channel: 'degraded: outputs-failed',
      input: 'degraded: codecs-changed',
      outputs: [['down: wrong-format'], ON_AIR]
    },
    // The sender starts again, so packets are missing.
    meanwhile: ['output 1 starting', 'degraded: discontinuities', 'degraded: codecs-changed'],
    problem: 'output warn: wrong-format',
    ...CHANGED_BACK
  }
}

async function breakOutput(
  hub: Hub,
  title: string,
  kind: 'kill' | 'pause',
  createTarget: typeof createRtmpTarget,
  causes: readonly string[]
): Promise<Fault> {
  const [source, target] = [await createUdpSource(), await createTarget()]
  return {
    title,
    channel: await startChannel(hub, title, source.url, [target.output, await createUdpTarget()]),
    cause: () => target[kind](),
    mend: () => (kind === 'kill' ? target.start() : target.resume()),
    expected: { channel: 'degraded: outputs-failed', input: 'on-air', outputs: [causes, ON_AIR] },
    problem: `output warn: ${causes.map((cause) => cause.replace('down: ', '')).join('|')}`
  }
}

async function takeBackup(hub: Hub): Promise<Fault> {
  const [source, second] = [await createUdpSource(), await createUdpSource()]
  const title = 'main input lost'
  const channel = await startChannel(hub, title, source.url, [await createUdpTarget()])
  const { id: backup } = await hub.send(addInput, { name: 'backup', config: { type: 1, url: second.url } })
  const rule = { 'after-s': 1, back: 'first', 'back-after-s': 5 } as const
  await hub.send(setChannel, { id: channel, name: title, config: { backups: [backup], switch: rule } })
  return {
    title,
    channel,
    cause: () => source.kill(),
    mend: () => source.start(),
    expected: { channel: 'degraded: on-backup', input: 'down: no-data', outputs: [ON_AIR] },
    // The backup begins with its next key frame.
    meanwhile: ['output 1 waiting: input-silent'],
    problem: 'channel warn: on-backup'
  }
}

async function breakAllOutputs(hub: Hub): Promise<Fault> {
  const [source, rtmp, srt] = [await createUdpSource(), await createRtmpTarget(), await createSrtTarget()]
  const title = 'all outputs gone'
  const targets = [rtmp, srt]
  return {
    title,
    channel: await startChannel(hub, title, source.url, [rtmp.output, srt.output]),
    cause: async () => void (await Promise.all(targets.map((target) => target.kill()))),
    mend() {
      for (const target of targets) target.start()
    },
    expected: { channel: 'down: outputs-failed', input: 'on-air', outputs: [CLOSED, KILLED] },
    meanwhile: ['degraded: outputs-failed'],
    problem: 'channel bad: outputs-failed'
  }
}

/** A stalled RTMP target takes no data. It has one connection, so it refuses the next one. */
const STALLED = ['down: target-silent', 'down: refused']
/** An RTMP target that was killed closes the connection, and then refuses the next one. */
const CLOSED = ['down: disconnected', 'down: refused']
/** The port of an SRT target that was killed is closed, that of one that hangs is not. */
const KILLED = ['down: refused']
const FROZEN = ['down: target-silent', 'down: unreachable']

const FAULTS: Readonly<Record<string, (hub: Hub) => Promise<Fault>>> = {
  'input killed': (hub) => breakInput(hub, 'input killed', 'kill'),
  'source stopped': (hub) => breakInput(hub, 'source stopped', 'pause'),
  garbage: (hub) => breakInput(hub, 'garbage', 'sendNoise'),
  'another codec': changeCodec,
  'another audio codec': changeAudioCodec,
  'picture lost': (hub) => loseTrack(hub, 'picture lost', 'video'),
  'sound lost': (hub) => loseTrack(hub, 'sound lost', 'audio'),
  'main input without picture': takeBackupForTrack,
  'output refused': (hub) => breakOutput(hub, 'output refused', 'kill', createRtmpTarget, CLOSED),
  'output silent': (hub) => breakOutput(hub, 'output silent', 'kill', createSrtTarget, KILLED),
  'RTMP stalled': (hub) => breakOutput(hub, 'RTMP stalled', 'pause', createRtmpTarget, STALLED),
  'SRT stalled': (hub) => breakOutput(hub, 'SRT stalled', 'pause', createSrtTarget, FROZEN),
  'main input lost': takeBackup,
  'all outputs gone': breakAllOutputs
}

/** Titles of all faults. */
export const FAULT_TITLES = Object.keys(FAULTS)

/** Adds a channel for each fault, and starts it. Its name is the title. */
export async function createFaults(hub: Hub, titles: readonly string[] = FAULT_TITLES): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const title of titles) {
    const fault = await FAULTS[title]?.(hub)
    if (fault) faults.push(fault)
  }
  return faults
}
