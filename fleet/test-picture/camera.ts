// Test picture of a device with its name, the time and a moving bar. Each device has its own colours and pattern.
import { hashOf } from '../random.ts'
import {
  BLACK,
  type Canvas,
  type Colour,
  colour,
  copyStripes,
  createCanvas,
  drawText,
  fillRect,
  STRIPE,
  textWidth,
  WHITE
} from './canvas.ts'
import { GLYPH } from './font.ts'
import { createJpegEncoder } from './jpeg.ts'

export interface Scene {
  name: string
  /** If false, the picture shows 'NO SIGNAL'. */
  signal: boolean
  /** Milliseconds since the epoch. */
  time: number
}

/** Pixels. */
const WIDTH = { min: 160, default: 320, max: 1280 } as const

/** Limits the requested width and rounds it to a multiple of 16; the default for an invalid number. */
export function previewWidth(requested: number): number {
  if (!Number.isFinite(requested) || requested <= 0) return WIDTH.default
  return Math.round(Math.min(WIDTH.max, Math.max(WIDTH.min, requested)) / STRIPE) * STRIPE
}

/** Speed of the moving bar in pixels per second at a width of 320. */
const SPEED = 70
const GREY: Colour = [120, 128, 128]

type Pattern = (canvas: Canvas, hue: number) => void

const bars: Pattern = (canvas, hue) => {
  for (let bar = 0; bar < 8; bar++) {
    const shade = colour(hue + bar * 45, 210 - bar * 20, 0.75)
    fillRect(canvas, (bar * canvas.width) / 8, 0, canvas.width / 8, canvas.height, shade)
  }
}

const gradient: Pattern = (canvas, hue) => {
  for (let x = 0; x < canvas.width; x += 8)
    fillRect(canvas, x, 0, 8, canvas.height, colour(hue + (60 * x) / canvas.width, 60 + (150 * x) / canvas.width, 0.7))
}

const checks: Pattern = (canvas, hue) => {
  for (let y = 0; y < canvas.height; y += 32)
    for (let x = 0; x < canvas.width; x += 32)
      fillRect(canvas, x, y, 32, 32, (x + y) % 64 === 0 ? colour(hue, 150, 0.6) : colour(hue + 25, 95, 0.6))
}

const frames: Pattern = (canvas, hue) => {
  for (let inset = 0; inset * 2 < canvas.height; inset += 16)
    fillRect(
      canvas,
      inset,
      inset,
      canvas.width - inset * 2,
      canvas.height - inset * 2,
      colour(hue + inset * 2, 70 + inset, 0.7)
    )
}

const PATTERNS = [bars, gradient, checks, frames] as const

function drawCentred(canvas: Canvas, text: string, y: number, scale: number, ink: Colour): void {
  drawText(canvas, text, Math.round((canvas.width - textWidth(text, scale)) / 2), y, scale, ink)
}

/** The largest scale up to `scale` at which the text fits. */
function fitScale(canvas: Canvas, text: string, scale: number): number {
  while (scale > 1 && textWidth(text, scale) > canvas.width - 8) scale--
  return scale
}

function formatClock(time: number): string {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/**
 * Creates the camera of a device.
 * @param width pixels, as returned by `previewWidth`; the height is 9/16 of it
 * @returns function that draws a scene and returns it as JPEG
 */
export function createCamera(sn: string, width: number): (scene: Scene) => Buffer {
  const height = Math.round((width * 9) / 16)
  const unit = width / 320
  const scale = Math.max(1, Math.floor(unit))
  const hash = hashOf(sn)
  const hue = hash % 360
  const canvas = createCanvas(width, height)
  const still = createCanvas(width, height)
  const encode = createJpegEncoder(canvas, height)
  const stripeOf = (y: number) => Math.floor(y / STRIPE)

  // The clock and the moving bar have separate stripes, so that the rest of the picture is encoded only once.
  const clockTop = Math.round(64 * unit)
  const clockHeight = GLYPH.height * 4 * scale
  const moveTop = stripeOf(128 * unit) * STRIPE
  const moveHeight = Math.max(1, Math.round(unit)) * STRIPE
  let drawnScene = ''
  let drawnTime = ''

  function drawStill(name: string, signal: boolean): void {
    if (signal) PATTERNS[(hash >>> 9) % PATTERNS.length]?.(still, hue)
    else fillRect(still, 0, 0, width, still.height, colour(hue, 40, 0.12))
    const plate = colour(hue, 28, 0.15)
    const nameScale = fitScale(still, name, scale * 2)
    fillRect(still, 0, 12 * unit, width, GLYPH.height * nameScale + 16 * unit, plate)
    drawCentred(still, name, Math.round(20 * unit), nameScale, WHITE)
    const clockWidth = textWidth('00:00:00', scale * 4) + 24 * unit
    fillRect(still, (width - clockWidth) / 2, clockTop - 8 * unit, clockWidth, clockHeight + 16 * unit, BLACK)
    if (!signal) drawCentred(still, 'NO SIGNAL', Math.round(108 * unit), fitScale(still, 'NO SIGNAL', scale * 2), WHITE)
    fillRect(still, 0, moveTop, width, moveHeight, plate)
    copyStripes(canvas, still, 0, canvas.height / STRIPE - 1)
    drawnTime = ''
  }

  function drawClock(text: string): void {
    drawnTime = text
    copyStripes(canvas, still, stripeOf(clockTop), stripeOf(clockTop + clockHeight - 1))
    drawCentred(canvas, text, clockTop, scale * 4, WHITE)
  }

  function drawMoving(time: number, signal: boolean): void {
    copyStripes(canvas, still, stripeOf(moveTop), stripeOf(moveTop + moveHeight - 1))
    const length = 24 * unit
    const run = (width - length) * 2
    const position = ((time / 1000) * SPEED * unit + hash) % run
    const x = position > run / 2 ? run - position : position
    fillRect(canvas, x, moveTop, length, moveHeight, signal ? colour(hue + 180, 215, 0.55) : GREY)
  }

  return ({ name, signal, time }) => {
    const sceneKey = `${signal} ${name}`
    if (sceneKey !== drawnScene) {
      drawnScene = sceneKey
      drawStill(name, signal)
    }
    const text = formatClock(time)
    if (text !== drawnTime) drawClock(text)
    drawMoving(time, signal)
    return encode()
  }
}
