// Copies the database once a day, so that a damaged one has a recent copy beside it.
import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readFreeSpace } from '../../data-files/free-space.ts'
import { logger } from '../../process-log/logger.ts'
import { DATABASE_FILE } from '../data-folder/entries.ts'
import { fileTime, listCopies } from './copies.ts'

const DAY = 86_400_000
/** Milliseconds between checks whether a copy is due. */
const CHECK_INTERVAL = 600_000
/** Free space that a copy leaves, in bytes. */
const SPACE_LEFT = 256 << 20

export interface DailyCopies {
  /** Makes a copy if the last one is a day old and the disk has space for it. */
  check(): Promise<void>
  close(): void
}

/** Runs the worker. */
function makeCopy(data: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('copy-worker.ts', import.meta.url), { workerData: data })
    worker.unref()
    worker.once('error', reject)
    worker.once('exit', () => resolve())
  })
}

interface Clocks {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds of a clock that is never set. */
  monotonic(): number
}

/**
 * @param data the data folder
 * @param spaceLeft for tests: bytes that a copy leaves free
 */
export function startDailyCopies(data: string, { now, monotonic }: Clocks, spaceLeft = SPACE_LEFT): DailyCopies {
  /** When the last copy was made. A clock that is set must not replace all copies within a day. */
  let madeAt = Number.NEGATIVE_INFINITY
  const timer = setInterval(() => void check(), CHECK_INTERVAL).unref()

  async function check(): Promise<void> {
    if (monotonic() - madeAt < DAY) return
    const [newest] = listCopies(data, 'daily')
    const [dayAgo, current] = [fileTime(now() - DAY), fileTime(now())]
    const time = newest && basename(newest).slice(0, current.length)
    // A copy from the future is from before the clock was set back.
    if (time && time > dayAgo && time <= current) return
    try {
      if ((await readFreeSpace(data)) - statSync(join(data, DATABASE_FILE)).size < spaceLeft) return
      await makeCopy(data)
      madeAt = monotonic()
    } catch (error) {
      logger.error('The daily copy of the database failed', error)
    }
  }

  return { check, close: () => clearInterval(timer) }
}
