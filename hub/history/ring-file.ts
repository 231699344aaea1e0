// The file of a channel's history: three rings of intervals, one for each resolution. The place of an interval depends
// on its time alone, so a write does not read the file, and no write makes the file longer than `RING_FILE_BYTES`. Each
// interval contains its number (`stamp`): if a reader finds another number, the interval was not recorded. An interval
// never crosses a sector, so a power cut cannot leave half of one.
import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { readSlot, SLOT_BYTES, type Slot, writeSlot } from './slot.ts'

/** Length of an interval in seconds, and number of intervals: an hour and some, a week, and 366 days. */
export const RINGS = [
  { step: 1, count: 3840 },
  { step: 10, count: 60_480 },
  { step: 300, count: 105_408 }
] as const

export type Ring = (typeof RINGS)[number]

/** The first bytes of a file, in the space of one interval. Each version of the format has its own text. */
const MAGIC = 'headend history 1\n'

/** The number of intervals before each ring. */
const RING_STARTS = RINGS.map((_, index) => 1 + RINGS.slice(0, index).reduce((sum, { count }) => sum + count, 0))

/** Bytes of a file whose rings are full. */
export const RING_FILE_BYTES = SLOT_BYTES * (1 + RINGS.reduce((sum, { count }) => sum + count, 0))

/** Intervals read at once. */
const READ_MAX = 4096

/** Position of an interval in the file, in bytes. */
function positionOf(ring: Ring, stamp: number): number {
  return SLOT_BYTES * ((RING_STARTS[RINGS.indexOf(ring)] ?? 0) + (stamp % ring.count))
}

/** Intervals of a ring, by their number. */
export type RingSlots = Map<number, Slot>

/** Splits numbers into runs that are neighbours in the file. @param stamps ascending */
function runsOf(ring: Ring, stamps: readonly number[]): { start: number; count: number }[] {
  const runs: { start: number; count: number }[] = []
  for (const stamp of stamps) {
    const run = runs.at(-1)
    if (run && stamp === run.start + run.count && stamp % ring.count !== 0) run.count++
    else runs.push({ start: stamp, count: 1 })
  }
  return runs
}

/** Whether a file has the rings of this version. */
async function isCurrent(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAGIC.length), position: 0 })
  return bytesRead === MAGIC.length && buffer.toString('latin1') === MAGIC
}

/** Opens a file for writing, and begins a new one if there is none or if it is not a history of this version. */
async function openForWriting(path: string): Promise<FileHandle> {
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return open(path, 'wx+', 0o600)
    throw error
  })
  if (await isCurrent(file)) return file
  await file.truncate(0)
  await file.write(MAGIC, 0, 'latin1')
  return file
}

/** Writes intervals of each ring. */
export async function writeRings(path: string, slotsOfRings: readonly RingSlots[]): Promise<void> {
  const file = await openForWriting(path)
  try {
    for (const [index, ring] of RINGS.entries()) {
      const slots = slotsOfRings[index] ?? new Map<number, Slot>()
      for (const { start, count } of runsOf(
        ring,
        [...slots.keys()].sort((a, b) => a - b)
      )) {
        const view = new DataView(new ArrayBuffer(count * SLOT_BYTES))
        for (let at = 0; at < count; at++) {
          const slot = slots.get(start + at)
          if (slot) writeSlot(view, at * SLOT_BYTES, start + at, slot)
        }
        await file.write(view, 0, view.byteLength, positionOf(ring, start))
      }
    }
  } finally {
    await file.close()
  }
}

/**
 * Reads the recorded intervals from `first` to before `end`, oldest first. None are read if the file is missing, too
 * short or of another version.
 */
export async function readRing(
  path: string,
  ring: Ring,
  { first, end }: { first: number; end: number },
  visit: (stamp: number, slot: Slot) => void
): Promise<void> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return
  try {
    if (!(await isCurrent(file))) return
    const buffer = Buffer.alloc(Math.min(READ_MAX, end - first) * SLOT_BYTES)
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    for (let stamp = first; stamp < end; ) {
      const count = Math.min(READ_MAX, end - stamp, ring.count - (stamp % ring.count))
      const { bytesRead } = await file.read(buffer, 0, count * SLOT_BYTES, positionOf(ring, stamp))
      for (let at = 0; at < Math.floor(bytesRead / SLOT_BYTES); at++) {
        const slot = readSlot(view, at * SLOT_BYTES, stamp + at)
        if (slot) visit(stamp + at, slot)
      }
      stamp += count
    }
  } finally {
    await file.close()
  }
}

/** Reads one interval of each ring, without waiting: those that a restarted hub continues. */
export function readSlotsSync(path: string, stamps: readonly number[]): (Slot | undefined)[] {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return []
  }
  try {
    const magic = Buffer.alloc(MAGIC.length)
    readSync(file, magic, 0, MAGIC.length, 0)
    if (magic.toString('latin1') !== MAGIC) return []
    return RINGS.map((ring, index) => {
      const stamp = stamps[index] ?? 0
      const buffer = Buffer.alloc(SLOT_BYTES)
      if (readSync(file, buffer, 0, SLOT_BYTES, positionOf(ring, stamp)) < SLOT_BYTES) return undefined
      return readSlot(new DataView(buffer.buffer, buffer.byteOffset, SLOT_BYTES), 0, stamp)
    })
  } catch {
    return []
  } finally {
    closeSync(file)
  }
}
