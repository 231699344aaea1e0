// Exports a log as a CSV or JSON file. The response is streamed, because a log can be too large for memory.
import type { LogEntry, LogType } from '../../../contract/log.ts'
import type { DownloadFile } from '../../downloads/file-response.ts'

type Format = 'csv' | 'json'

const COLUMNS = {
  operation: ['time', 'user', 'ip', 'text', 'event', 'detail', 'code', 'outcome', 'token'],
  system: ['time', 'level', 'text', 'event', 'detail'],
  device: ['time', 'level', 'sn', 'text', 'event', 'detail']
} as const satisfies Record<LogType, readonly (keyof LogEntry)[]>

/** Names of the levels 1 to 3. */
const LEVEL_NAMES = ['', 'information', 'warning', 'error']

/** Byte order mark. Without it, spreadsheets do not recognize UTF-8. */
const BOM = '\ufeff'

/**
 * Matches positions where a spreadsheet would read the following text as a formula. Many spreadsheets start a new cell
 * at a semicolon or a tab, too, even inside quotes.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠\t\r\n])/g

/** Formats a CSV cell (RFC 4180). An apostrophe is inserted before text that a spreadsheet would read as a formula. */
export function csvCell(value: string | number): string {
  const safe = typeof value === 'string' ? value.replace(FORMULA, "'") : String(value)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** @param success the outcome of a call that succeeded */
function csvRow(line: LogEntry, columns: readonly (keyof LogEntry)[], success: string): string {
  const cells = columns.map((column) => {
    const value = line[column] ?? (column === 'outcome' ? success : '')
    if (column === 'time') return new Date(Number(value)).toISOString()
    return csvCell(column === 'level' ? (LEVEL_NAMES[Number(value)] ?? value) : value)
  })
  return `${cells.join(',')}\r\n`
}

/** The pieces of the file. */
async function* formatFile(
  chunks: AsyncIterable<LogEntry[]>,
  type: LogType,
  format: Format,
  translate: (entry: LogEntry) => LogEntry,
  success: string
): AsyncGenerator<string> {
  const columns = COLUMNS[type]
  if (format === 'csv') {
    yield `${BOM}${columns.join(',')}\r\n`
    for await (const lines of chunks) yield lines.map((line) => csvRow(translate(line), columns, success)).join('')
    return
  }
  let separator = '[\n'
  for await (const lines of chunks) {
    yield separator + lines.map((line) => JSON.stringify(translate(line))).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** @returns for example `operation-log-2026-03-01.csv` */
const fileName = (type: LogType, format: Format) => `${type}-log-${new Date().toISOString().slice(0, 10)}.${format}`

/**
 * The log as a file.
 * @param chunks log entries, newest first
 * @param translate adds the sentences
 * @param success the outcome of a call that succeeded, for CSV
 */
export function logFile(
  chunks: AsyncIterable<LogEntry[]>,
  type: LogType,
  format: Format,
  translate: (entry: LogEntry) => LogEntry,
  success: string
): DownloadFile {
  const pieces = formatFile(chunks, type, format, translate, success)
  const encoder = new TextEncoder()
  const open = () =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: () => void pieces.return(undefined)
    })
  return {
    name: fileName(type, format),
    type: format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json;charset=utf-8',
    open
  }
}
