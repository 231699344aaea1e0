// Downloads of measured values as CSV files for spreadsheets (RFC 4180).
import { csvCell } from '../log/log-file.ts'

/** Byte order mark. Without it, spreadsheets do not recognize UTF-8. */
const BOM = '\ufeff'

/** The text of a file. @param rows the headings first */
export const csvText = (rows: readonly (readonly (string | number)[])[]): string =>
  `${BOM}${rows.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`

/**
 * The download of a file whose rows have a time and measured values. Cells of values that were not measured (null) are
 * empty.
 * @param headings of the values, with units
 * @param name file name without date and extension: letters, digits and hyphens
 */
export function measurementsFile(
  headings: readonly string[],
  rows: readonly { time: number; values: readonly (number | null)[] }[],
  name: string
): Response {
  const lines = rows.map(({ time, values }) => [new Date(time).toISOString(), ...values.map((value) => value ?? '')])
  const date = new Date().toISOString().slice(0, 10)
  return new Response(csvText([['time', ...headings], ...lines]), {
    headers: {
      'content-type': 'text/csv;charset=utf-8',
      'content-disposition': `attachment; filename="${name}-${date}.csv"`,
      'cache-control': 'no-store'
    }
  })
}
