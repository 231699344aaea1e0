// One interval of a channel's history: the values of one second, or of several seconds combined.

/** Numbers of an interval. NaN: not measured. */
export interface Slot {
  /** Bit rate of the input on air in kbit/s: mean, lowest and highest second. */
  in: number
  inMin: number
  inMax: number
  /** Bit rate of all outputs and players together in kbit/s. */
  out: number
  outMin: number
  outMax: number
  /** Lost packets a second, before retransmission. */
  lost: number
  /** Continuity counter errors a second. */
  errors: number
  /** Highest number of players and watching pages. */
  viewers: number
  /** Seconds that were recorded, and those of them in each state. The rest are `starting` or `waiting`. */
  observed: number
  onAir: number
  degraded: number
  down: number
  stopped: number
}

/** Bytes of an interval in a file. */
export const SLOT_BYTES = 32

/** The largest numbers of 16 bits: a count, and a floating-point number. */
const COUNT_MAX = 0xffff
const FLOAT_MAX = 65_504
/** Rates are stored in Mbit/s, with three digits. */
const KBPS_PER_UNIT = 1000

/** Weighted mean of two values. NaN is left out. */
function meanOf(a: number, weightOfA: number, b: number, weightOfB: number): number {
  if (Number.isNaN(a)) return b
  if (Number.isNaN(b)) return a
  const weight = weightOfA + weightOfB
  return weight > 0 ? (a * weightOfA + b * weightOfB) / weight : a
}

/** `Math.min` and `Math.max`, which ignore NaN. */
const lower = (a: number, b: number) => (Number.isNaN(a) || b < a ? b : a)
const higher = (a: number, b: number) => (Number.isNaN(a) || b > a ? b : a)

/** Seconds in which a channel was switched on, so that rates were measured. */
const measuredSeconds = ({ observed, stopped }: Slot) => observed - stopped

/** Combines two intervals that follow each other. */
export function mergeSlots(a: Slot, b: Slot): Slot {
  const [weightOfA, weightOfB] = [measuredSeconds(a), measuredSeconds(b)]
  const mean = (field: 'in' | 'out' | 'lost' | 'errors') => meanOf(a[field], weightOfA, b[field], weightOfB)
  return {
    in: mean('in'),
    inMin: lower(a.inMin, b.inMin),
    inMax: higher(a.inMax, b.inMax),
    out: mean('out'),
    outMin: lower(a.outMin, b.outMin),
    outMax: higher(a.outMax, b.outMax),
    lost: mean('lost'),
    errors: mean('errors'),
    viewers: Math.max(a.viewers, b.viewers),
    observed: a.observed + b.observed,
    onAir: a.onAir + b.onAir,
    degraded: a.degraded + b.degraded,
    down: a.down + b.down,
    stopped: a.stopped + b.stopped
  }
}

/**
 * Writes an interval into a buffer, in little endian.
 * @param stamp number of the interval since the epoch, by which a reader recognizes an older one at the same place
 */
export function writeSlot(view: DataView, offset: number, stamp: number, slot: Slot): void {
  view.setUint32(offset, stamp, true)
  const rates = [slot.in, slot.inMin, slot.inMax, slot.out, slot.outMin, slot.outMax].map(
    (rate) => rate / KBPS_PER_UNIT
  )
  for (const [index, value] of [...rates, slot.lost, slot.errors].entries())
    view.setFloat16(offset + 4 + 2 * index, Math.min(FLOAT_MAX, value), true)
  const { viewers, observed, onAir, degraded, down, stopped } = slot
  for (const [index, value] of [viewers, observed, onAir, degraded, down, stopped].entries())
    view.setUint16(offset + 20 + 2 * index, Math.min(COUNT_MAX, value), true)
}

/** Reads an interval. @returns undefined if another interval, or none, is at its place */
export function readSlot(view: DataView, offset: number, stamp: number): Slot | undefined {
  if (view.getUint32(offset, true) !== stamp) return undefined
  const number = (index: number) => view.getFloat16(offset + 4 + 2 * index, true)
  const rate = (index: number) => number(index) * KBPS_PER_UNIT
  const count = (index: number) => view.getUint16(offset + 20 + 2 * index, true)
  const slot = {
    in: rate(0),
    inMin: rate(1),
    inMax: rate(2),
    out: rate(3),
    outMin: rate(4),
    outMax: rate(5),
    lost: number(6),
    errors: number(7),
    viewers: count(0),
    observed: count(1),
    onAir: count(2),
    degraded: count(3),
    down: count(4),
    stopped: count(5)
  }
  return slot.observed > 0 && slot.onAir + slot.degraded + slot.down + slot.stopped <= slot.observed ? slot : undefined
}
