// Streams of devices at addresses: the NDI source of an encoder, and what a device did before the hub ordered it to
// send or to play a stream. The devices are few, so the rows are kept in memory.
import type { Database } from '../database/database.ts'

/** A stream that a device sends to the hub, or one that it plays. */
export type OrderKind = 'push' | 'play'

/** What a device did before an order, as JSON. Contains no secrets. */
export interface BeforeOrder {
  /** The source that it had selected; empty: none. */
  name?: string
  /** Whether that is an NDI source; otherwise a saved source. */
  ndi?: boolean
  /** ID of that source; 0: none. */
  id?: number
  /** IDs of its streaming servers that were enabled, and that the hub has disabled. */
  servers?: number[]
  /** Whether it sent streams of its own. */
  live?: boolean
}

interface DeviceStreamRow {
  /** NDI name; empty if the device does not send NDI. */
  ndi_source: string
  push_before: string
  play_before: string
}

const NO_STREAM: DeviceStreamRow = { ndi_source: '', push_before: '', play_before: '' }

export function deviceStreams(database: Database) {
  let cache: Map<number, DeviceStreamRow> | undefined
  // Also after a rollback of a transaction in which they were read. IDs of deleted devices are never used again.
  database.watchTable('device_stream', () => {
    cache = undefined
  })

  function read(id: number): DeviceStreamRow {
    cache ??= new Map(
      database
        .all<DeviceStreamRow & { device_id: number }>('SELECT * FROM device_stream')
        .map(({ device_id, ...row }) => [device_id, row])
    )
    return cache.get(id) ?? NO_STREAM
  }

  function write(id: number, column: keyof DeviceStreamRow, value: string): void {
    if (read(id)[column] === value) return
    database.run(
      `INSERT INTO device_stream (device_id, ${column}) VALUES (?1, ?2)
        ON CONFLICT (device_id) DO UPDATE SET ${column} = ?2`,
      id,
      value
    )
  }

  return {
    /** NDI name of the source of a device; empty if it has none. */
    ndiSource: (id: number): string => read(id).ndi_source,
    setNdiSource: (id: number, name: string) => write(id, 'ndi_source', name),
    /** What a device did before the order; undefined if there is no order. */
    before(id: number, kind: OrderKind): BeforeOrder | undefined {
      const text = read(id)[`${kind}_before`]
      return text === '' ? undefined : JSON.parse(text)
    },
    /** @param before undefined: the order has ended */
    setBefore(id: number, kind: OrderKind, before: BeforeOrder | undefined): void {
      write(id, `${kind}_before`, before === undefined ? '' : JSON.stringify(before))
    },
    /** Exchanges what is stored of two devices, either of which may have nothing. */
    exchange(first: number, second: number): void {
      const rows = [read(first), read(second)]
      for (const [index, id] of [second, first].entries())
        for (const column of ['ndi_source', 'push_before', 'play_before'] as const)
          write(id, column, rows[index]?.[column] ?? '')
    }
  }
}

export type DeviceStreams = ReturnType<typeof deviceStreams>
