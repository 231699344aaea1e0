// Pictures over the link: endless, each a 4-byte big-endian length and that many bytes of JPEG (contract/device/link.ts).
import type { Writable } from 'node:stream'
import { createCamera, pictureWidth, type Scene } from './test-picture/camera.ts'

/** Pictures a second. */
const RATE = { least: 0.2, usual: 2, most: 15 } as const

/** The rate used for the one asked for. */
export function pictureRate(asked: number): number {
  if (!Number.isFinite(asked) || asked <= 0) return RATE.usual
  return Math.min(RATE.most, Math.max(RATE.least, asked))
}

export interface PreviewOptions {
  sn: string
  width: number
  fps: number
  /** What is seen now; nothing is sent while it is undefined. */
  scene(): Scene | undefined
}

/** Sends pictures until the stream closes. A reader that is slow gets fewer of them, never older ones. */
export function sendPictures(out: Writable, { sn, width, fps, scene }: PreviewOptions): void {
  const picture = createCamera(sn, pictureWidth(width))
  let waiting = false

  function send(): void {
    const seen = scene()
    if (waiting || !seen || out.destroyed) return
    const jpeg = picture(seen)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(jpeg.length)
    waiting = !out.write(Buffer.concat([length, jpeg]))
  }

  const timer = setInterval(send, 1000 / pictureRate(fps))
  out.on('drain', () => {
    waiting = false
  })
  out.on('close', () => clearInterval(timer))
  send()
}
