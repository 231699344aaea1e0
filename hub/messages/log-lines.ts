// Lines of the logs in words, and what a text that is looked for means in them.
import { SUCCESS } from '../../contract/codes.ts'
import type { LogFilter, LogLine, LogType } from '../../contract/log.ts'
import { codeText } from './codes.ts'
import { eventsSaying, eventText } from './events.ts'
import type { Language } from './language.ts'
import { operationsSaying, operationText } from './operations.ts'

/** Makes lines of a log such that they say in words what happened, and what became of it. */
export function lineSayer(language: Language, type: LogType): (line: LogLine) => LogLine {
  if (type !== 'operation') return (line) => ({ ...line, text: eventText(language, line.event, line.detail) })
  return (line) => ({
    ...line,
    text: operationText(language, line.event, line.detail),
    ...(line.code && line.code !== SUCCESS && { outcome: codeText(language, line.code) })
  })
}

/** The events of a log whose sentence holds the text that a filter looks for. */
export function eventsSought(language: Language, { type, key }: LogFilter): string[] {
  return key ? (type === 'operation' ? operationsSaying : eventsSaying)(language, key) : []
}
