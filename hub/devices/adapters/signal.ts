// Reads input and output signals. The Ultra family sends an object per signal, the Pro Convert devices send a text.
import type { DevicePort, EncoderSettings } from '../../../contract/device/status.ts'
import { type Fields, fields, integer, number, omitUndefined } from './fields.ts'

/** Text for an input without a signal, as sent by the Pro Convert devices. */
export const NO_SIGNAL = 'no-signal'

/** Plausible maximum of a width or height in pixels. */
const DIMENSION_MAX = 65_536
/** Plausible maximum of a frame rate in Hz. */
const FRAME_RATE_MAX = 1000

interface VideoFormat {
  width: unknown
  height: unknown
  interlaced: boolean
  rate: unknown
}

/**
 * Formats a video format: width, height, scan mode, and the frame rate if it is known.
 * @param formatRate formats the frame rate
 * @returns undefined without a plausible width and height
 */
export function formatSignal(format: VideoFormat, formatRate: (rate: number) => string): string | undefined {
  const width = integer(format.width, 1, DIMENSION_MAX)
  const height = integer(format.height, 1, DIMENSION_MAX)
  if (!width || !height) return undefined
  const rate = number(format.rate, 1, FRAME_RATE_MAX)
  return `${width}x${height}${format.interlaced ? 'i' : 'p'}${rate ? formatRate(rate) : ''}`
}

/** Reads `input-signal`. Formatted like `pro-feature.input` in the vendor's documentation: "1920x1080p, 60.00 Hz". */
export function readInputSignal(value: unknown): string | undefined {
  const signal: Fields = fields(value)
  if (signal.status === 0) return NO_SIGNAL
  if (signal.status !== 1) return undefined
  // The unit of the frame rate is not documented. The published example has 50, so it is Hz.
  return formatSignal(
    { width: signal.cx, height: signal.cy, interlaced: signal.interlaced === 1, rate: signal['frame-rate'] },
    (rate) => `, ${rate.toFixed(2)} Hz`
  )
}

/** Lists the ports with a known signal, from signals by port name; undefined if there are none. */
export function listPorts(signals: Readonly<Record<string, string | undefined>>): DevicePort[] | undefined {
  const list = Object.entries(signals).flatMap(([name, signal]) => (signal === undefined ? [] : { name, signal }))
  return list.length > 0 ? list : undefined
}

/** Audio channels of a stream, at most. */
const CHANNELS_MAX = 16

/** Units of a frame duration per second: it is in 100 ns. */
const DURATION_UNITS = 1e7

/** Reads `codec`: the settings of the main stream; undefined if nothing is set. */
export function readEncoder(value: unknown): EncoderSettings | undefined {
  const { 'main-stream': main, audio } = fields(value)
  const { cx, cy, duration } = fields(main)
  const rate = number(duration, DURATION_UNITS / FRAME_RATE_MAX, DURATION_UNITS)
  const settings = omitUndefined({
    width: integer(cx, 1, DIMENSION_MAX),
    height: integer(cy, 1, DIMENSION_MAX),
    fps: rate && Math.round((100 * DURATION_UNITS) / rate) / 100,
    channels: integer(fields(audio).channels, 1, CHANNELS_MAX)
  })
  return Object.keys(settings).length > 0 ? settings : undefined
}
