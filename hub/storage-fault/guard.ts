// Watches the storage of the data folder. After a storage fault the hub writes nothing but what frees space, and tries
// again every second.
import { statfsSync } from 'node:fs'
import type { StorageFault } from '../../contract/system.ts'
import { readFreeSpace } from '../../data-files/free-space.ts'
import { DiskReserve, RESERVE_SIZE } from './reserve.ts'
import { storageFaultOf } from './storage-fault.ts'

const MIB = 1 << 20
/** Free bytes below which the disk counts as full. */
export const FULL_BELOW = MIB
/**
 * Free bytes beside a complete reserve from which it does not any more, and below which it counts as full if the
 * reserve is incomplete.
 */
export const RECOVERED_ABOVE = 4 * MIB
/** Free bytes from which the reserve is made. */
const RESERVE_ABOVE = 16 * MIB

/** Milliseconds between checks of the free space: without a fault, and with one. */
const CHECK_INTERVAL = { normal: 5000, fault: 1000 }

interface GuardEvents {
  /** Writes to the database. Throws if that fails. */
  probe(): void
  /** Called when a fault begins or ends. */
  onChange(fault: StorageFault | undefined): void
}

export class StorageGuard {
  readonly #data: string | undefined
  readonly #reserve: DiskReserve | undefined
  #events: GuardEvents | undefined
  #fault: StorageFault | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false
  #isChecking = false
  #isReserveInUse = false

  /** @param data the data folder; undefined for a database in memory */
  constructor(data?: string) {
    this.#data = data
    this.#reserve = data === undefined ? undefined : new DiskReserve(data)
  }

  /** The current fault. */
  get fault(): StorageFault | undefined {
    return this.#fault
  }

  /** Whether writes are possible now: there is no fault, or `useReserve` runs. */
  get isWritable(): boolean {
    return this.#fault === undefined || this.#isReserveInUse
  }

  /** Begins to watch the free space. */
  start(events: GuardEvents): void {
    this.#events = events
    if (this.#fault) events.onChange(this.#fault)
    else if (this.#isShortOf(this.#freeSpace())) this.#setFault('full')
    this.#schedule()
  }

  /**
   * Takes note of the error of a write.
   * @returns the storage fault that it reports; undefined if the error has another cause
   */
  report(error: unknown): StorageFault | undefined {
    let fault = storageFaultOf(error)
    if (fault === 'failed' && this.#freeSpace() < FULL_BELOW) fault = 'full'
    if (fault) this.#setFault(fault)
    return fault
  }

  /** Runs work that frees space, or that must be possible at any time, with the space of the reserve. */
  useReserve<T>(work: () => T): T {
    this.releaseReserve()
    this.#isReserveInUse = true
    try {
      return work()
    } finally {
      this.#isReserveInUse = false
      this.#schedule(0)
    }
  }

  releaseReserve(): void {
    try {
      this.#reserve?.release()
    } catch {
      // On a read-only file system it stays.
    }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  /** Free bytes; infinite if they are not known. */
  #freeSpace(): number {
    if (this.#data === undefined) return Number.POSITIVE_INFINITY
    try {
      const { bavail, bsize } = statfsSync(this.#data)
      return bavail * bsize
    } catch {
      return Number.POSITIVE_INFINITY
    }
  }

  /** Whether the disk counts as full with so many free bytes. */
  #isShortOf(free: number): boolean {
    const isComplete = (this.#reserve?.size ?? 0) >= RESERVE_SIZE
    return free < (isComplete ? FULL_BELOW : RECOVERED_ABOVE)
  }

  #setFault(fault: StorageFault | undefined): void {
    if (fault === this.#fault) return
    this.#fault = fault
    this.#schedule(CHECK_INTERVAL.fault)
    this.#events?.onChange(fault)
  }

  #schedule(delay = this.#fault ? CHECK_INTERVAL.fault : CHECK_INTERVAL.normal): void {
    if (this.#closed || this.#data === undefined || !this.#events) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#check(), delay).unref()
  }

  async #check(): Promise<void> {
    // Two checks at a time would write the reserve twice. The one that runs schedules the next.
    if (this.#data === undefined || this.#closed || this.#isChecking) return
    this.#isChecking = true
    try {
      await this.#apply(await readFreeSpace(this.#data))
    } catch {
      // The file system cannot be asked; the next write shows its fault.
    } finally {
      this.#isChecking = false
      this.#schedule()
    }
  }

  async #apply(free: number): Promise<void> {
    const reserve = this.#reserve as DiskReserve
    if (!this.#fault) {
      if (this.#isShortOf(free)) this.#setFault('full')
      else if (free >= RESERVE_ABOVE) await reserve.ensure()
      return
    }
    if (this.#fault === 'full') {
      await reserve.ensure()
      // The free space counts only beside a whole reserve, which may have been released meanwhile.
      if (reserve.size < RESERVE_SIZE || this.#freeSpace() < RECOVERED_ABOVE) return
    }
    if (this.#closed) return
    try {
      this.#events?.probe()
    } catch {
      return
    }
    this.#setFault(undefined)
  }
}
