// Translates log entries, and text filters of the log.
import { SUCCESS } from '../../contract/codes.ts'
import type { LogEntry, LogFilter, LogType } from '../../contract/log.ts'
import { codeText } from './codes.ts'
import { eventText, findEventsByText } from './events.ts'
import type { Language } from './language.ts'
import { findOperationsByText, nameDevices, operationText } from './operations.ts'

/**
 * Returns a function that adds `text`, and `outcome` for a failed call, to the entries of a log.
 * @param nameOf the name of a device by its serial number; undefined if it is unknown or hidden
 */
export function makeEntryTranslator(
  language: Language,
  type: LogType,
  nameOf: (sn: string) => string | undefined = () => undefined
): (entry: LogEntry) => LogEntry {
  if (type !== 'operation') return (entry) => ({ ...entry, text: eventText(language, entry.event, entry.detail) })
  return (entry) => ({
    ...entry,
    text: operationText(language, entry.event, nameDevices(entry.event, entry.detail, nameOf)),
    ...(entry.code && entry.code !== SUCCESS && { outcome: codeText(language, entry.code) })
  })
}

/** The events of a log whose sentence contains the text of a filter. */
export function findMatchingEvents(language: Language, { type, key }: LogFilter): string[] {
  return key ? (type === 'operation' ? findOperationsByText : findEventsByText)(language, key) : []
}
