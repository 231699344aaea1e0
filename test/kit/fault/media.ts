// Sources and targets of a channel that tests break and mend: real senders and receivers as processes.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { RTMP, SRT, UDP } from '../../../contract/stream/protocols.ts'
import type { TypedOutput } from '../../../contract/stream/source.ts'
import { clipPath, type RunningProcess, runProcess } from '../engine/media.ts'
import { freeTcpPort, freeUdpPort } from '../net/free-port.ts'

/** Something that a test breaks and mends. */
export interface Peer {
  /** Ends it at once, as a power failure does. */
  kill(): Promise<void>
  /** Stops and continues its process. */
  pause(): void
  resume(): void
  /** Starts it after `kill`. */
  start(): void
}

const peers = new Set<Peer>()

/** Ends the peers of all tests so far for good. */
export async function endPeers(): Promise<void> {
  const ended = [...peers]
  peers.clear()
  await Promise.all(ended.map((peer) => peer.kill()))
}

/** A process that starts again when it ends, until it is killed, or until `endPeers`. */
export function createPeer(run: () => RunningProcess): Peer {
  let child: RunningProcess | undefined
  let timer: NodeJS.Timeout | undefined
  const keepRunning = () => {
    if (!child?.isRunning()) child = run()
  }
  const peer = {
    start() {
      timer ??= setInterval(keepRunning, 200)
      keepRunning()
    },
    async kill() {
      clearInterval(timer)
      timer = undefined
      await child?.kill()
    },
    pause: () => void process.kill(child?.pid ?? 0, 'SIGSTOP'),
    resume: () => void process.kill(child?.pid ?? 0, 'SIGCONT')
  }
  peer.start()
  peers.add(peer)
  return peer
}

/** Sends a clip in an endless loop. */
const send = (clip: string, format: string, target: string) =>
  runProcess(['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', format, target])

export interface UdpSource extends Peer {
  url: string
  /** Sends another clip from now on. */
  change(clip: string): Promise<void>
  /** Sends random bytes instead of a clip, until `start`. */
  sendNoise(): Promise<void>
}

export async function createUdpSource(): Promise<UdpSource> {
  const port = await freeUdpPort()
  let clip = clipPath()
  let noise: NodeJS.Timeout | undefined
  const peer = createPeer(() => send(clip, 'mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`))
  return {
    ...peer,
    url: `udp://127.0.0.1:${port}`,
    async change(next) {
      clip = next
      await peer.kill()
      peer.start()
    },
    async sendNoise() {
      await peer.kill()
      const socket = createSocket('udp4').unref()
      noise = setInterval(() => socket.send(randomBytes(1316), port, '127.0.0.1'), 10).unref()
    },
    start() {
      clearInterval(noise)
      peer.start()
    }
  }
}

/** PIDs of the clip, by the kind of the track. */
const TRACK_PIDS = { video: 0x100, audio: 0x101 } as const
const PACKET_BYTES = 188
const NULL_PID = 0x1fff

export interface TrackSource {
  url: string
  /** Sends null packets instead of a track. The tables still list it. */
  drop(kind: keyof typeof TRACK_PIDS): void
  /** Sends all tracks again. */
  restore(): void
}

/** Sends the clip over UDP, and drops a track of it in the middle of the stream. */
export async function createTrackSource(): Promise<TrackSource> {
  const [arrival, target] = [createSocket('udp4').unref(), await freeUdpPort()]
  await new Promise<void>((resolve) => arrival.bind(0, '127.0.0.1', resolve))
  let dropped = NULL_PID
  arrival.on('message', (datagram) => {
    for (let offset = 0; offset + PACKET_BYTES <= datagram.length; offset += PACKET_BYTES)
      if ((datagram.readUInt16BE(offset + 1) & NULL_PID) === dropped) datagram.writeUInt16BE(NULL_PID, offset + 1)
    arrival.send(datagram, target, '127.0.0.1')
  })
  createPeer(() => send(clipPath(), 'mpegts', `udp://127.0.0.1:${arrival.address().port}?pkt_size=1316`))
  return {
    url: `udp://127.0.0.1:${target}`,
    drop(kind) {
      dropped = TRACK_PIDS[kind]
    },
    restore() {
      dropped = NULL_PID
    }
  }
}

/** Copies the clip with AC-3 in place of AAC. Returns its path. */
export function encodeAc3Clip(): string {
  const path = `${clipPath()}.ac3.ts`
  const encoder = spawnSync('ffmpeg', ['-v', 'error', '-i', clipPath(), '-c:v', 'copy', '-c:a', 'ac3', '-y', path])
  if (encoder.status !== 0) throw new Error(`Cannot encode the clip: ${encoder.stderr}`)
  return path
}

/** Copies the clip without one of its tracks. Returns its path. */
export function clipWithout(kind: 'video' | 'audio'): string {
  const path = `${clipPath()}.no-${kind}.ts`
  const copy = spawnSync('ffmpeg', [
    '-v',
    'error',
    '-i',
    clipPath(),
    kind === 'video' ? '-vn' : '-an',
    '-c',
    'copy',
    '-y',
    path
  ])
  if (copy.status !== 0) throw new Error(`Cannot copy the clip: ${copy.stderr}`)
  return path
}

export interface Caller extends Peer {
  /** Calls with another key or stream ID from now on. */
  call(key: string): Promise<void>
}

/** Sends the clip to a port of the hub. @param urlOf the address with a key or stream ID */
export function createCaller(format: 'mpegts' | 'flv', urlOf: (key: string) => string, firstKey: string): Caller {
  let key = firstKey
  const peer = createPeer(() => send(clipPath(), format, urlOf(key)))
  return {
    ...peer,
    async call(next) {
      key = next
      await peer.kill()
      peer.start()
    }
  }
}

/** Publishes at a shared port of the hub. */
export const createPublisher = (format: 'mpegts' | 'flv', url: string): Peer =>
  createPeer(() => send(clipPath(), format, url))

export interface Target extends Peer {
  /** The output that sends to it. */
  output: TypedOutput
}

export async function createRtmpTarget(): Promise<Target> {
  const url = `rtmp://127.0.0.1:${await freeTcpPort()}/live`
  return {
    ...createPeer(() => runProcess(['-v', 'error', '-listen', '1', '-i', `${url}/k`, '-c', 'copy', '-f', 'null', '-'])),
    output: { protocol: RTMP, config: { url, key: 'k' } }
  }
}

export async function createSrtTarget(): Promise<Target> {
  const port = await freeUdpPort()
  const url = `srt://127.0.0.1:${port}?mode=listener`
  return {
    ...createPeer(() => runProcess(['-v', 'error', '-i', url, '-c', 'copy', '-f', 'null', '-'])),
    output: { protocol: SRT, config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': port } }
  }
}

/** An output to a port that is open and that nobody reads. It always works. */
export async function createUdpTarget(): Promise<TypedOutput> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  socket.unref()
  return { protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': socket.address().port } }
}

/** Encodes the clip of the tests as HEVC. Returns its path. */
export function encodeHevcClip(): string {
  const path = `${clipPath()}.hevc.ts`
  const encoder = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-f', 'lavfi', '-i', 'sine=f=440:r=44100'],
    ...['-t', '4', '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-g', '12'],
    ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '64k', '-y', path]
  ])
  if (encoder.status !== 0) throw new Error(`Cannot encode the clip: ${encoder.stderr}`)
  return path
}
