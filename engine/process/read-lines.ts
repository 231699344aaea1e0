import type { Readable } from 'node:stream'

/** Characters of an incomplete line that are kept. */
const LINE_MAX = 4096

/** Calls `onLine` for each non-empty line of a stream. Lines end with CR or LF. */
export function readLines(stream: Readable | null | undefined, onLine: (text: string) => void): void {
  let rest = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (text: string) => {
    const lines = (rest + text).split(/[\r\n]+/)
    rest = (lines.pop() ?? '').slice(-LINE_MAX)
    for (const line of lines) if (line.trim() !== '') onLine(line)
  })
  stream?.on('end', () => {
    if (rest.trim() !== '') onLine(rest)
  })
}
