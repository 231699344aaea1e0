// Exports the statistics of one leg as a CSV file: one row per second, with empty cells where nothing was measured.
import type { HistoryField } from '../../../contract/stream/channel-history.ts'
import type { LegRows } from '../../../engine/interfaces/wire.ts'
import { csvCell } from '../log/log-file.ts'

/** Column headings with units. */
const HEADINGS: Readonly<Record<HistoryField, string>> = {
  kbps: 'bit rate (kbps)',
  'rtt-ms': 'round trip (ms)',
  'pkt-loss': 'lost (packets)',
  'pkt-drop': 'dropped (packets)',
  'pkt-retrans': 'sent again (packets)',
  'pkt-recovered': 'recovered (packets)',
  'ts-cc-errors': 'continuity errors (count)'
}

/** Byte order mark. Without it, spreadsheets do not recognize UTF-8. */
const BOM = '\ufeff'

/**
 * The CSV file as a download.
 * @param name file name without date and extension: letters, digits and hyphens
 */
export function historyFileResponse({ fields, rows }: LegRows, name: string): Response {
  const lines = [['time', ...fields.map((field) => HEADINGS[field])].map(csvCell).join(',')]
  for (const { time, values } of rows) {
    const cells = values.map((value) => (value === null ? '' : csvCell(value)))
    lines.push([new Date(time).toISOString(), ...cells].join(','))
  }
  const date = new Date().toISOString().slice(0, 10)
  return new Response(`${BOM}${lines.join('\r\n')}\r\n`, {
    headers: {
      'content-type': 'text/csv;charset=utf-8',
      'content-disposition': `attachment; filename="${name}-${date}.csv"`,
      'cache-control': 'no-store'
    }
  })
}
