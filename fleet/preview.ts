// Sends previews over the device link: per image a 4-byte big-endian length and that many bytes of JPEG
// (contract/device/link.ts).
import type { Writable } from 'node:stream'
import { createCamera, previewWidth, type Scene } from './test-picture/camera.ts'

/** Images per second. */
const FPS = { min: 0.2, default: 2, max: 15 } as const

/** Limits the requested number of images per second; the default for an invalid number. */
export function previewFps(requested: number): number {
  if (!Number.isFinite(requested) || requested <= 0) return FPS.default
  return Math.min(FPS.max, Math.max(FPS.min, requested))
}

interface PreviewOptions {
  sn: string
  width: number
  fps: number
  /** Scene to draw; undefined: no image is sent. */
  scene(): Scene | undefined
}

/** Sends images until the stream closes. A slow reader receives fewer images, never outdated ones. */
export function sendPreviews(out: Writable, { sn, width, fps, scene }: PreviewOptions): void {
  const takePicture = createCamera(sn, previewWidth(width))
  let isBlocked = false

  function send(): void {
    const current = scene()
    if (isBlocked || !current || out.destroyed) return
    const jpeg = takePicture(current)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(jpeg.length)
    isBlocked = !out.write(Buffer.concat([length, jpeg]))
  }

  const timer = setInterval(send, 1000 / previewFps(fps))
  out.on('drain', () => {
    isBlocked = false
  })
  out.on('close', () => clearInterval(timer))
  send()
}
