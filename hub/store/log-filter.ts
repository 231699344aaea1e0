// Translates a log filter to an SQL condition. Values are bound, never inserted into the text.
import type { SQLInputValue } from 'node:sqlite'
import { LOG_CHANGED, LOG_ERROR, LOG_INFO, type LogFilter } from '../../contract/log.ts'
import type { VisibleChannels } from './channel-visibility.ts'
import type { VisibleSources } from './source-access.ts'

/** The lines about devices, device groups, channels, inputs and outputs that a user may see. */
export interface LogVisibility {
  /** The user's name: their own operations are always visible. */
  user: string
  /** Serial numbers of the devices that the user may see. */
  serials: readonly string[]
  /** Ids of the device groups that the user may see. */
  catalogs: readonly number[]
  channels: VisibleChannels
  sources: VisibleSources
}

/** A log filter, with the events, and in the operation log the changed fields, whose names contain its `key`. */
export interface ResolvedLogFilter extends LogFilter {
  upto?: number
  events?: readonly string[]
  fields?: readonly string[]
}

/** A line of the operation log has the level of its outcome. */
const OUTCOME_OF_LEVEL: Readonly<Record<number, string>> = { [LOG_INFO]: 'code = 0', [LOG_ERROR]: 'code <> 0' }

/** Matches the lines of the operation log about an object. */
const HAS_OBJECT = 'instr(objects, ?) > 0'

interface SqlCondition {
  sql: string
  values: SQLInputValue[]
}

/** A GLOB pattern which matches a character in upper and lower case. */
function globCharacter(character: string): string {
  const cases = [character.toLowerCase(), character.toUpperCase()]
  if (cases[0] !== cases[1] && cases.every((variant) => [...variant].length === 1)) return `[${cases.join('')}]`
  return '*?['.includes(character) ? `[${character}]` : character
}

/**
 * Matches columns that contain a text, ignoring case. LIKE is faster but ignores the case of ASCII letters only; other
 * letters need GLOB with a character class each.
 */
function containsPattern(text: string): { operator: string; pattern: string } {
  const needsGlob = /\P{ASCII}/u.test(text) && text.toLowerCase() !== text.toUpperCase()
  if (needsGlob) return { operator: 'GLOB ?', pattern: `*${[...text].map(globCharacter).join('')}*` }
  return { operator: "LIKE ? ESCAPE '\\'", pattern: `%${text.replace(/[\\%_]/g, '\\$&')}%` }
}

class ConditionBuilder {
  readonly #parts: string[] = []
  readonly #values: SQLInputValue[] = []

  and(sql: string, ...values: SQLInputValue[]): void {
    this.#parts.push(sql)
    this.#values.push(...values)
  }

  build(): SqlCondition {
    return { sql: this.#parts.join(' AND ') || '1', values: this.#values }
  }
}

/**
 * @param visibility undefined if the user may see every device and channel
 * @returns the condition; `1` if the filter matches every line
 */
export function toSqlCondition(filter: ResolvedLogFilter, visibility?: LogVisibility): SqlCondition {
  const { type, from, to, user, level, outcome, key, sn, channel, upto } = filter
  const isOperationLog = type === 'operation'
  const condition = new ConditionBuilder()
  // The input and output lines of a channel are in the device log if a device is the source or the player.
  const hasBothKinds = type === 'system' && channel !== undefined
  if (!isOperationLog && !hasBothKinds) condition.and('kind = ?', type)
  if (channel !== undefined && isOperationLog) condition.and(HAS_OBJECT, ` channel:${channel} `)
  if (channel !== undefined && !isOperationLog) condition.and('channel = ?', channel)
  if (upto !== undefined) condition.and('id <= ?', upto)
  if (from !== undefined) condition.and('time >= ?', from)
  if (to !== undefined) condition.and('time < ?', to)
  if (isOperationLog && user) condition.and('(user = ? OR token = ?)', user, user)
  if (isOperationLog && outcome) condition.and(outcome === 'ok' ? 'code = 0' : 'code <> 0')
  if (level && isOperationLog) condition.and(OUTCOME_OF_LEVEL[level] ?? '0')
  if (level && !isOperationLog) condition.and('level = ?', level)
  if (isOperationLog && sn) condition.and(HAS_OBJECT, ` device:${sn} `)
  if (type === 'device' && sn) condition.and('sn = ?', sn)
  if (key) addTextSearch(condition, isOperationLog ? ['detail', 'user', 'token', 'ip'] : ['detail', 'sn'], filter)
  if (visibility) addVisibility(condition, type, visibility)
  return condition.build()
}

function addTextSearch(
  condition: ConditionBuilder,
  columns: readonly string[],
  { key = '', events, fields }: ResolvedLogFilter
): void {
  const { operator, pattern } = containsPattern(key)
  const matches = columns.map((column) => `${column} ${operator}`)
  const values: SQLInputValue[] = columns.map(() => pattern)
  if (events?.length) {
    matches.push('event IN (SELECT value FROM json_each(?))')
    values.push(JSON.stringify(events))
  }
  if (fields?.length) {
    const changed = `substr(detail, instr(detail, '${LOG_CHANGED}') + ${LOG_CHANGED.length})`
    matches.push(
      `(instr(detail, '${LOG_CHANGED}') > 0 AND
        EXISTS (SELECT 1 FROM json_each(?) WHERE instr(',' || ${changed} || ',', ',' || value || ',') > 0))`
    )
    values.push(JSON.stringify(fields))
  }
  condition.and(`(${matches.join(' OR ')})`, ...values)
}

/**
 * A line of the operation log about several devices is visible to its user only, one about several channels, inputs
 * or outputs to users who see all of them. A line is about one device group at most.
 */
function addVisibility(
  condition: ConditionBuilder,
  type: LogFilter['type'],
  { user, serials, catalogs, channels, sources }: LogVisibility
): void {
  const visibleSerials = JSON.stringify(serials)
  if (type !== 'operation') condition.and("(kind = 'system' OR sn IN (SELECT value FROM json_each(?)))", visibleSerials)
  if (type !== 'operation') {
    addEventChannels(condition, channels)
    return
  }
  condition.and(
    "(user = ? OR objects NOT LIKE '% device:%' OR objects IN (SELECT ' device:' || value || ' ' FROM json_each(?)))",
    user,
    visibleSerials
  )
  condition.and(
    `(user = ? OR objects NOT LIKE '% catalog:%' OR
      EXISTS (SELECT 1 FROM json_each(?) WHERE objects LIKE '% catalog:' || value || ' %'))`,
    user,
    JSON.stringify(catalogs)
  )
  addObjects(condition, user, 'channel', channels)
  addObjects(condition, user, 'input', sources)
  addObjects(condition, user, 'output', sources)
}

/** Leaves out the lines about objects of a kind that the user may not see. */
function addObjects(
  condition: ConditionBuilder,
  user: string,
  kind: 'channel' | 'input' | 'output',
  { byDefault, exceptions }: VisibleChannels | VisibleSources
): void {
  if (byDefault && exceptions.length === 0) return
  // How many objects of the kind the line is about.
  const count = `(length(objects) - length(replace(objects, ' ${kind}:', ''))) / length(' ${kind}:')`
  condition.and(
    `(user = ? OR objects NOT LIKE '% ${kind}:%' OR
      (SELECT count(*) FROM json_each(?) WHERE objects LIKE '% ${kind}:' || value || ' %') = ${byDefault ? '0' : count})`,
    user,
    JSON.stringify(exceptions)
  )
}

/**
 * Lines of earlier versions do not say which channel they are about. Only users who see every channel can read them.
 */
function addEventChannels(condition: ConditionBuilder, { byDefault, exceptions }: VisibleChannels): void {
  if (byDefault && exceptions.length === 0) return
  const operator = byDefault ? 'NOT IN' : 'IN'
  const listed = byDefault ? [...exceptions, UNKNOWN_CHANNEL] : exceptions
  condition.and(`(channel = 0 OR channel ${operator} (SELECT value FROM json_each(?)))`, JSON.stringify(listed))
}

/** Value of the column `channel` of lines about a channel that were written before the column existed. */
const UNKNOWN_CHANNEL = -1
