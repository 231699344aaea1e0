// The hour of one leg as a file for a spreadsheet: a row a second, empty where nothing was measured.
import { HISTORY_FIELDS, type HistoryField } from '../../../contract/stream/channel-history.ts'
import type { Figures } from '../../../engine/stats/leg-stats.ts'
import { csvCell } from '../log/log-file.ts'

/** What stands above each column, with its unit. */
const HEAD: Readonly<Record<HistoryField, string>> = {
  kbps: 'bit rate (kbps)',
  'rtt-ms': 'round trip (ms)',
  'pkt-loss': 'lost (packets)',
  'pkt-drop': 'dropped (packets)',
  'pkt-retrans': 'sent again (packets)',
  'pkt-recovered': 'recovered (packets)',
  'ts-cc-errors': 'continuity errors (count)'
}

/** Spreadsheets take text in UTF-8 for something else without it. */
const BOM = '\ufeff'

/** @param name of the file, without a date: letters, digits and hyphens */
export function historyFile(figures: Pick<Figures, 'fields' | 'rows'>, name: string): Response {
  const measured = figures.fields()
  const fields = HISTORY_FIELDS.filter((field) => measured.includes(field))
  const lines = [['time', ...fields.map((field) => HEAD[field])].map(csvCell).join(',')]
  for (const { time, values } of figures.rows(fields, performance.now())) {
    const cells = values.map((value) => (Number.isNaN(value) ? '' : csvCell(value)))
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
