// A source with sound whose picture shows the time, so that a test can measure how old a picture is. The time is
// binary: 24 blocks of 10 pixels with the milliseconds since the epoch modulo 2^24, the lowest bit on the left; a white
// block is a 1. The lower half has the inverse, so that a picture which is torn or not drawn yet is not read as a time.
import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

const BITS = 24
export const BLOCK = 10
const [WIDTH, HEIGHT] = [320, 180]
const FRAME_TIME = 40
/** The sound of one frame: 16-bit samples of 1 kHz at 48 kHz. */
const TONE = Buffer.alloc(48 * FRAME_TIME * 2)
for (let sample = 0; sample < TONE.length / 2; sample++)
  TONE.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * sample) / 48)), 2 * sample)

export interface PictureClock {
  stop(): void
}

/**
 * Sends 25 frames per second of H.264 with a key frame each second, and AAC. The encoder delays no frame.
 * @param target options and URL of ffmpeg
 */
export function sendPictureClock(...target: string[]): PictureClock {
  const encoder = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${WIDTH}x${HEIGHT}`, '-r', '25', '-i', 'pipe:0'],
      ...[
        '-f',
        's16le',
        '-ar',
        '48000',
        '-ac',
        '1',
        '-i',
        'pipe:3',
        '-map',
        '0',
        '-map',
        '1',
        '-pix_fmt',
        'yuv420p',
        '-g',
        '25'
      ],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-qp', '20', '-c:a', 'aac'],
      ...['-muxdelay', '0', '-flush_packets', '1', '-f', 'mpegts', ...target]
    ],
    { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] }
  )
  const [pictures, , , sound] = encoder.stdio
  for (const pipe of [pictures, sound]) pipe?.on('error', () => {})
  const start = performance.now()
  let frames = 0
  const timer = setInterval(() => {
    for (; start + frames * FRAME_TIME < performance.now(); frames++) {
      pictures?.write(drawTime(Date.now()))
      ;(sound as Writable).write(TONE)
    }
  }, FRAME_TIME / 4)
  return {
    stop() {
      clearInterval(timer)
      encoder.kill('SIGKILL')
    }
  }
}

function drawTime(time: number): Buffer {
  const drawRow = (one: number, zero: number) => {
    const row = Buffer.alloc(WIDTH, 128)
    for (let bit = 0; bit < BITS; bit++)
      row.fill(Math.floor(time / 2 ** bit) % 2 ? one : zero, bit * BLOCK, (bit + 1) * BLOCK)
    return row
  }
  const [upper, lower] = [drawRow(235, 16), drawRow(16, 235)]
  return Buffer.concat(Array.from({ length: HEIGHT }, (_, y) => (y < HEIGHT / 2 ? upper : lower)))
}

/**
 * Reads the age of the picture of a video in milliseconds. Runs in the page. @returns undefined without a whole picture
 */
export function readPictureAge(video: HTMLVideoElement): number | undefined {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context || video.videoWidth === 0) return undefined
  context.drawImage(video, 0, 0)
  const isWhite = (bit: number, y: number) => (context.getImageData(bit * 10 + 5, y, 1, 1).data[0] ?? 0) > 127
  let time = 0
  for (let bit = 0; bit < 24; bit++) {
    if (isWhite(bit, 45) === isWhite(bit, 135)) return undefined
    if (isWhite(bit, 45)) time += 2 ** bit
  }
  return (((Date.now() - time) % 2 ** 24) + 2 ** 24) % 2 ** 24
}
