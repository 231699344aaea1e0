// A test picture with a frame counter, and a receiver that finds lost packets and frames. The counter is binary: 16
// blocks of 10 pixels, the lowest bit on the left; a white block is a 1.
import { spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type RunningProcess, runProcess } from './media.ts'

const BITS = 16
const BLOCK = 10
const HEIGHT = 48
/** Frames per second. */
export const FRAME_RATE = 25
const TS_PACKET = 188
const SYNC_BYTE = 0x47
const NULL_PID = 0x1fff

/**
 * Sends the picture in real time as MPEG-TS: 25 frames per second, a key frame each second. @param target options and
 * URL of ffmpeg
 */
export function sendFrameCounter(...target: string[]): RunningProcess {
  const bit = `mod(floor(N/pow(2,floor(X/${BLOCK}))),2)`
  const picture = `color=black:s=${BITS * BLOCK}x${HEIGHT}:r=${FRAME_RATE},geq=lum='16+219*${bit}':cb=128:cr=128`
  return runProcess([
    ...['-v', 'error', '-re', '-f', 'lavfi', '-i', picture, '-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '18'],
    ...['-g', String(FRAME_RATE), '-bf', '0', '-pix_fmt', 'yuv420p', '-f', 'mpegts', ...target]
  ])
}

export interface StreamCheck {
  /** MPEG-TS packets. */
  packets: number
  /** Packets that do not follow the previous one of their PID. */
  continuityGaps: number
  /** Numbers of the decoded frames, in order. */
  frames: number[]
}

/** Receives MPEG-TS over UDP on the loopback interface. */
export class UdpRecorder {
  readonly #socket: Socket
  readonly #datagrams: Buffer[] = []

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('message', (datagram) => this.#datagrams.push(datagram))
  }

  static async open(port: number): Promise<UdpRecorder> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 })
    socket.bind(port, '127.0.0.1')
    await once(socket, 'listening')
    return new UdpRecorder(socket)
  }

  get port(): number {
    return this.#socket.address().port
  }

  get bytes(): number {
    return this.#datagrams.reduce((sum, { length }) => sum + length, 0)
  }

  /** Stops to receive, and checks everything that was received. */
  async finish(): Promise<StreamCheck> {
    this.#socket.close()
    const stream = Buffer.concat(this.#datagrams)
    return { ...countGaps(stream), frames: await readFrameNumbers(stream) }
  }

  close(): void {
    try {
      this.#socket.close()
    } catch {
      // It is closed already.
    }
  }
}

/** Whether each number is the one before plus 1. Returns the places where that is not so. */
export function findJumps(frames: readonly number[]): string[] {
  return frames.flatMap((frame, index) => {
    const before = frames[index - 1]
    return before === undefined || frame === (before + 1) % 2 ** BITS ? [] : [`${before} -> ${frame}`]
  })
}

function countGaps(stream: Buffer): { packets: number; continuityGaps: number } {
  const counters = new Map<number, number>()
  let packets = 0
  let continuityGaps = 0
  for (let at = 0; at + TS_PACKET <= stream.length; at += TS_PACKET) {
    if (stream[at] !== SYNC_BYTE) throw new Error(`Byte ${at} is not the start of a packet`)
    packets++
    const pid = stream.readUInt16BE(at + 1) & 0x1fff
    const flags = stream[at + 3] ?? 0
    const hasPayload = (flags & 0x10) !== 0
    if (pid === NULL_PID || !hasPayload) continue
    const last = counters.get(pid)
    const counter = flags & 0x0f
    if (last !== undefined && counter !== ((last + 1) & 0x0f)) continuityGaps++
    counters.set(pid, counter)
  }
  return { packets, continuityGaps }
}

/** Decodes a stream and reads the counter in each frame. */
async function readFrameNumbers(stream: Buffer): Promise<number[]> {
  const decoder = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-f', 'mpegts', '-i', 'pipe:0', '-map', '0:v:0', '-fps_mode', 'passthrough'],
      ...['-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] }
  )
  const chunks: Buffer[] = []
  decoder.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  decoder.stdin.on('error', () => {})
  decoder.stdin.end(stream)
  await once(decoder, 'close')
  const pictures = Buffer.concat(chunks)
  const size = BITS * BLOCK * HEIGHT
  const row = Math.floor(HEIGHT / 2) * BITS * BLOCK
  return Array.from({ length: Math.floor(pictures.length / size) }, (_, index) => {
    const isWhite = (bit: number) => (pictures[index * size + row + bit * BLOCK + BLOCK / 2] ?? 0) > 128
    return Array.from({ length: BITS }, (_, bit) => (isWhite(bit) ? 2 ** bit : 0)).reduce((sum, each) => sum + each, 0)
  })
}
