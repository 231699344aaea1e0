// A log as a file that is written while it is read: it may be larger than what one would keep in memory.
import type { LogLine, LogType } from '../../../contract/log.ts'
import type { Language } from '../../messages/language.ts'
import { lineSayer } from '../../messages/log-lines.ts'

type Format = 'csv' | 'json'

const COLUMNS = {
  operation: ['time', 'user', 'ip', 'text', 'event', 'detail', 'code', 'outcome'],
  system: ['time', 'level', 'text', 'event', 'detail'],
  device: ['time', 'level', 'sn', 'text', 'event', 'detail']
} as const satisfies Record<LogType, readonly (keyof LogLine)[]>

const LEVEL_WORDS = ['', 'information', 'warning', 'error']

/** Spreadsheets take text in UTF-8 for something else without it. */
const BOM = '\ufeff'

/** Where a spreadsheet would take what follows for a formula. Many begin a cell at a semicolon, too, or at a tab, whatever the quotes. */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠\t\r\n])/g

/** A cell as RFC 4180 has it. What a spreadsheet would take for a formula begins with an apostrophe. */
export function csvCell(value: string | number): string {
  const safe = typeof value === 'string' ? value.replace(FORMULA, "'") : String(value)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function csvRow(line: LogLine, columns: readonly (keyof LogLine)[]): string {
  const cells = columns.map((column) => {
    const value = line[column] ?? ''
    if (column === 'time') return new Date(Number(value)).toISOString()
    return csvCell(column === 'level' ? (LEVEL_WORDS[Number(value)] ?? value) : value)
  })
  return `${cells.join(',')}\r\n`
}

function* written(chunks: Iterable<LogLine[]>, type: LogType, format: Format, language: Language): Generator<string> {
  const say = lineSayer(language, type)
  const columns = COLUMNS[type]
  if (format === 'csv') {
    yield `${BOM}${columns.join(',')}\r\n`
    for (const lines of chunks) yield lines.map((line) => csvRow(say(line), columns)).join('')
    return
  }
  let between = '[\n'
  for (const lines of chunks) {
    yield between + lines.map((line) => JSON.stringify(say(line))).join(',\n')
    between = ',\n'
  }
  yield between === '[\n' ? '[]\n' : '\n]\n'
}

/**
 * The file, as an answer that a browser saves.
 * @param chunks lines, newest first
 * @param language of their sentences
 */
export function logFile(chunks: Iterable<LogLine[]>, type: LogType, format: Format, language: Language): Response {
  const pieces = written(chunks, type, format, language)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => void pieces.return(undefined)
  })
  const name = `${type}-log-${new Date().toISOString().slice(0, 10)}.${format}`
  return new Response(body, {
    headers: {
      'content-type': format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json;charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store'
    }
  })
}
