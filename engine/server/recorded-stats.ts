// Reads the recorded statistics of a leg for the hub. A leg that has never run has empty ones.
import type { ChannelHistory, HistoryField } from '../../contract/stream/channel-history.ts'
import type { Engine } from '../engine.ts'
import type { HistoryQuery, LegStats } from '../interfaces/leg-stats.ts'
import type { LegId, LegRows } from '../interfaces/wire.ts'
import { createLegStats } from '../stats/leg-stats.ts'

function statsOf(engine: Pick<Engine, 'legStats'>, id: number, leg: LegId): LegStats {
  return engine.legStats(id, leg === 'input' ? undefined : leg) ?? createLegStats()
}

export function readHistory(
  engine: Pick<Engine, 'legStats'>,
  id: number,
  leg: LegId,
  query: HistoryQuery
): ChannelHistory {
  return statsOf(engine, id, leg).history(query, performance.now())
}

/** @param fields those that are wanted; the result has only those that were measured */
export function readRows(engine: Pick<Engine, 'legStats'>, id: number, leg: LegId, fields: HistoryField[]): LegRows {
  const stats = statsOf(engine, id, leg)
  const measured = stats.fields()
  const present = fields.filter((field) => measured.includes(field))
  // NaN becomes null in JSON.
  return { fields: present, rows: [...stats.rows(present, performance.now())] }
}
