// What a device sees: a test picture with its name, the time and something that moves; each device has its own colours and pattern.
import { hashOf } from '../random.ts'
import {
  BLACK,
  type Canvas,
  type Colour,
  colour,
  copyStripes,
  createCanvas,
  fill,
  STRIPE,
  textWidth,
  WHITE,
  write
} from './canvas.ts'
import { GLYPH } from './font.ts'
import { createJpeg } from './jpeg.ts'

export interface Scene {
  name: string
  /** Without it the picture says so. */
  signal: boolean
  /** Milliseconds since the epoch. */
  time: number
}

/** Pixels. Outside of these a picture is no preview. */
const WIDTH = { least: 160, usual: 320, most: 1280 } as const

/** The width used for the one asked for: a multiple of 16. */
export function pictureWidth(asked: number): number {
  if (!Number.isFinite(asked) || asked <= 0) return WIDTH.usual
  return Math.round(Math.min(WIDTH.most, Math.max(WIDTH.least, asked)) / STRIPE) * STRIPE
}

/** Dots a second that the moving part runs, at a width of 320. */
const SPEED = 70
const GREY: Colour = [120, 128, 128]

type Pattern = (canvas: Canvas, hue: number) => void

const bars: Pattern = (canvas, hue) => {
  for (let bar = 0; bar < 8; bar++) {
    const shade = colour(hue + bar * 45, 210 - bar * 20, 0.75)
    fill(canvas, (bar * canvas.width) / 8, 0, canvas.width / 8, canvas.height, shade)
  }
}

const gradient: Pattern = (canvas, hue) => {
  for (let x = 0; x < canvas.width; x += 8)
    fill(canvas, x, 0, 8, canvas.height, colour(hue + (60 * x) / canvas.width, 60 + (150 * x) / canvas.width, 0.7))
}

const checks: Pattern = (canvas, hue) => {
  for (let y = 0; y < canvas.height; y += 32)
    for (let x = 0; x < canvas.width; x += 32)
      fill(canvas, x, y, 32, 32, (x + y) % 64 === 0 ? colour(hue, 150, 0.6) : colour(hue + 25, 95, 0.6))
}

const frames: Pattern = (canvas, hue) => {
  for (let inset = 0; inset * 2 < canvas.height; inset += 16)
    fill(
      canvas,
      inset,
      inset,
      canvas.width - inset * 2,
      canvas.height - inset * 2,
      colour(hue + inset * 2, 70 + inset, 0.7)
    )
}

const PATTERNS = [bars, gradient, checks, frames] as const

function centred(canvas: Canvas, text: string, y: number, scale: number, ink: Colour): void {
  write(canvas, text, Math.round((canvas.width - textWidth(text, scale)) / 2), y, scale, ink)
}

/** The largest of the scales at which the text fits. */
function fitting(canvas: Canvas, text: string, scale: number): number {
  while (scale > 1 && textWidth(text, scale) > canvas.width - 8) scale--
  return scale
}

function clock(time: number): string {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/**
 * A camera for the device with this serial.
 * @param width pixels, as `pictureWidth` gives them; the height is 9/16 of it
 * @returns takes a picture as JPEG
 */
export function createCamera(sn: string, width: number): (scene: Scene) => Buffer {
  const height = Math.round((width * 9) / 16)
  const unit = width / 320
  const scale = Math.max(1, Math.floor(unit))
  const hash = hashOf(sn)
  const hue = hash % 360
  const canvas = createCanvas(width, height)
  const still = createCanvas(width, height)
  const encode = createJpeg(canvas, height)
  const stripeOf = (y: number) => Math.floor(y / STRIPE)

  // The clock and the moving part have stripes of their own, so that the rest is encoded once.
  const clockTop = Math.round(64 * unit)
  const clockHeight = GLYPH.height * 4 * scale
  const moveTop = stripeOf(128 * unit) * STRIPE
  const moveHeight = Math.max(1, Math.round(unit)) * STRIPE
  let drawn = ''
  let shownTime = ''

  function drawStill(name: string, signal: boolean): void {
    if (signal) PATTERNS[(hash >>> 9) % PATTERNS.length]?.(still, hue)
    else fill(still, 0, 0, width, still.height, colour(hue, 40, 0.12))
    const plate = colour(hue, 28, 0.15)
    const nameScale = fitting(still, name, scale * 2)
    fill(still, 0, 12 * unit, width, GLYPH.height * nameScale + 16 * unit, plate)
    centred(still, name, Math.round(20 * unit), nameScale, WHITE)
    const clockWidth = textWidth('00:00:00', scale * 4) + 24 * unit
    fill(still, (width - clockWidth) / 2, clockTop - 8 * unit, clockWidth, clockHeight + 16 * unit, BLACK)
    if (!signal) centred(still, 'NO SIGNAL', Math.round(108 * unit), fitting(still, 'NO SIGNAL', scale * 2), WHITE)
    fill(still, 0, moveTop, width, moveHeight, plate)
    copyStripes(canvas, still, 0, canvas.height / STRIPE - 1)
    shownTime = ''
  }

  function drawClock(text: string): void {
    shownTime = text
    copyStripes(canvas, still, stripeOf(clockTop), stripeOf(clockTop + clockHeight - 1))
    centred(canvas, text, clockTop, scale * 4, WHITE)
  }

  function drawMoving(time: number, signal: boolean): void {
    copyStripes(canvas, still, stripeOf(moveTop), stripeOf(moveTop + moveHeight - 1))
    const length = 24 * unit
    const run = (width - length) * 2
    const way = ((time / 1000) * SPEED * unit + hash) % run
    const x = way > run / 2 ? run - way : way
    fill(canvas, x, moveTop, length, moveHeight, signal ? colour(hue + 180, 215, 0.55) : GREY)
  }

  return ({ name, signal, time }) => {
    const wanted = `${signal} ${name}`
    if (wanted !== drawn) {
      drawn = wanted
      drawStill(name, signal)
    }
    const text = clock(time)
    if (text !== shownTime) drawClock(text)
    drawMoving(time, signal)
    return encode()
  }
}
