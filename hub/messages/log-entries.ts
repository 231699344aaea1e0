// Translates log entries, and text filters of the log.
import { DEVICE_ERROR, SUCCESS } from '../../contract/codes.ts'
import { LICENSE_STATE } from '../../contract/license/license.ts'
import type { LogEntry, LogFilter, LogType } from '../../contract/log.ts'
import { codeText } from './codes.ts'
import { eventText, findEventsByText } from './events.ts'
import { findFieldsByText } from './fields.ts'
import type { Language } from './language.ts'
import { findOperationsByText, nameDevices, operationText, partialOutcome } from './operations.ts'

/**
 * Returns a function that adds `text`, and `outcome` for a call that failed or failed for some devices, to the entries
 * of a log.
 * @param nameOf the name of a device by its serial number; undefined if it is unknown or hidden
 */
export function makeEntryTranslator(
  language: Language,
  type: LogType,
  nameOf: (sn: string) => string | undefined = () => undefined
): (entry: LogEntry) => LogEntry {
  if (type !== 'operation') return (entry) => ({ ...entry, text: eventText(language, entry.event, entry.detail) })
  const outcomeOf = ({ code = SUCCESS, event, detail }: LogEntry) =>
    code === SUCCESS ? partialOutcome(language, event, detail) : codeText(language, code)
  return (entry) => {
    const outcome = outcomeOf(entry)
    return {
      ...entry,
      text: operationText(language, entry.event, nameDevices(entry.event, entry.detail, nameOf)),
      ...(outcome !== undefined && { outcome })
    }
  }
}

/** The `outcome` of a successful call, which only files have: there the column would otherwise be empty. */
export const successText = (language: Language): string => codeText(language, SUCCESS)

/** The events, and in the operation log the changed fields, whose names contain the text of a filter. */
export function findMatches(language: Language, { type, key }: LogFilter): { events: string[]; fields?: string[] } {
  if (!key) return { events: [] }
  if (type !== 'operation') return { events: findEventsByText(language, key) }
  return { events: findOperationsByText(language, key), fields: findFieldsByText(language, key) }
}

/** States of a licence with the number of another result code. */
const SHARED_LICENSE_STATES: readonly number[] = [
  LICENSE_STATE.invalid,
  LICENSE_STATE.notExist,
  LICENSE_STATE.caLicenseError,
  LICENSE_STATE.caKeyError
]

/**
 * The code of a failure in the log, where every number has one meaning: a device's own code is DEVICE_ERROR; the line's
 * detail has the code.
 */
export function logCode(code: number, fields: Readonly<Record<string, unknown>>): number {
  if (fields.api === 'usapi') return DEVICE_ERROR
  return fields['license-state'] !== undefined && SHARED_LICENSE_STATES.includes(code) ? LICENSE_STATE.error : code
}
