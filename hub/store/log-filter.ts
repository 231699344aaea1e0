// A filter of the logs as a condition of SQL. Values are bound, never written into the text.
import type { SQLInputValue } from 'node:sqlite'
import type { LogFilter } from '../../contract/log.ts'

/** Whose lines about devices somebody may see. */
export interface LogSight {
  /** Who looks: what they did themselves they may see. */
  user: string
  /** The devices they may see. */
  serials: readonly string[]
}

/** A filter with what `key` finds besides: the events whose sentences hold it. */
export interface Sought extends LogFilter {
  upto?: number
  events?: readonly string[]
}

export interface Condition {
  sql: string
  values: SQLInputValue[]
}

/** A letter of which there are two, as a class of both; else itself, where it means something to GLOB in a class of its own. */
function globLetter(letter: string): string {
  const pair = [letter.toLowerCase(), letter.toUpperCase()]
  if (pair[0] !== pair[1] && pair.every((one) => [...one].length === 1)) return `[${pair.join('')}]`
  return '*?['.includes(letter) ? `[${letter}]` : letter
}

/**
 * Says that a column holds a text, in upper or lower case. LIKE is faster and takes A for a, but no other letter for its pair; GLOB
 * takes classes of letters.
 */
function holding(text: string): { operator: string; pattern: string } {
  const cased = /\P{ASCII}/u.test(text) && text.toLowerCase() !== text.toUpperCase()
  if (cased) return { operator: 'GLOB ?', pattern: `*${[...text].map(globLetter).join('')}*` }
  return { operator: "LIKE ? ESCAPE '\\'", pattern: `%${text.replace(/[\\%_]/g, '\\$&')}%` }
}

/**
 * @param sight undefined for who may see every device
 * @returns the condition, `1` when every line is meant
 */
export function conditionOf(filter: Sought, sight?: LogSight): Condition {
  const { type, from, to, user, level, outcome, key, events, sn, upto } = filter
  const operation = type === 'operation'
  const parts: string[] = []
  const values: SQLInputValue[] = []
  const and = (sql: string, ...given: SQLInputValue[]) => {
    parts.push(sql)
    values.push(...given)
  }
  if (!operation) and('kind = ?', type)
  if (upto !== undefined) and('id <= ?', upto)
  if (from !== undefined) and('time >= ?', from)
  if (to !== undefined) and('time < ?', to)
  if (operation && user) and('user = ?', user)
  if (operation && outcome) and(outcome === 'ok' ? 'code = 0' : 'code <> 0')
  if (!operation && level) and('level = ?', level)
  if (type === 'device' && sn) and('sn = ?', sn)
  if (key) {
    const { operator, pattern } = holding(key)
    const columns = operation ? ['detail', 'user', 'ip'] : ['detail', 'sn']
    const found = columns.map((column) => `${column} ${operator}`)
    if (events?.length) found.push('event IN (SELECT value FROM json_each(?))')
    and(`(${found.join(' OR ')})`, ...columns.map(() => pattern), ...(events?.length ? [JSON.stringify(events)] : []))
  }
  // A line about several devices is seen by who may see them all, or did it.
  if (sight && operation)
    and(
      "(user = ? OR objects NOT LIKE '% device:%' OR objects IN (SELECT ' device:' || value || ' ' FROM json_each(?)))",
      sight.user,
      JSON.stringify(sight.serials)
    )
  if (sight && type === 'device') and('sn IN (SELECT value FROM json_each(?))', JSON.stringify(sight.serials))
  return { sql: parts.join(' AND ') || '1', values }
}
