// Exports the statistics of one leg as a CSV file: one row per second, with empty cells where nothing was measured.
import type { HistoryField } from '../../../contract/stream/channel-history.ts'
import type { LegRows } from '../../../engine/interfaces/wire.ts'
import { measurementsFile } from './csv-file.ts'

/** Column headings with units. */
const HEADINGS: Readonly<Record<HistoryField, string>> = {
  kbps: 'bit rate (kbps)',
  'rtt-ms': 'round trip (ms)',
  'pkt-loss': 'lost (packets)',
  'pkt-drop': 'dropped (packets)',
  'pkt-retrans': 'sent again (packets)',
  'pkt-recovered': 'recovered (packets)',
  'ts-cc-errors': 'continuity errors (count)',
  'ts-errors': 'TR 101 290 errors (count)',
  'pcr-jitter-ms': 'PCR jitter with network (ms)'
}

/**
 * The CSV file as a download.
 * @param name file name without date and extension: letters, digits and hyphens
 */
export const historyFileResponse = ({ fields, rows }: LegRows, name: string): Response =>
  measurementsFile(
    fields.map((field) => HEADINGS[field]),
    rows,
    name
  )
