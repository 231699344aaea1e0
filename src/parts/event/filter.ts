// The filters of problems, timelines and logs, kept in the URL under the same names on all of these pages.
import type { Problem } from '../../../contract/problem.ts'
import { setQuery } from '../../state/location.ts'
import { problemName } from '../problem/describe-problem.ts'

/** `result`: `ok` or `failed`. `kinds`: separated by commas. */
export type FilterName = 'key' | 'channel' | 'sn' | 'from' | 'to' | 'level' | 'result' | 'user' | 'kinds'

/** Changes filters and returns to the first page. */
export const setFilter = (values: Partial<Record<FilterName, string>>) => setQuery({ ...values, start: '', upto: '' })

/** Parses a time of the URL, in UTC or local. @returns milliseconds since the epoch */
export const timeOf = (text: string | null) => (text ? Date.parse(text) || undefined : undefined)

/** A time as the URL has it: in UTC, because people in several zones use the link. */
export const timeText = (ms: number | undefined) => (ms === undefined ? '' : new Date(ms).toISOString())

const numberOf = (text: string | null) => (text ? Number(text) : undefined)

/** The filters of a request, for those that the URL has. The hub validates them. */
export const filterOf = (query: URLSearchParams) => ({
  from: timeOf(query.get('from')),
  to: timeOf(query.get('to')),
  user: query.get('user') || undefined,
  level: numberOf(query.get('level')),
  key: query.get('key') || undefined,
  channel: numberOf(query.get('channel')),
  sn: query.get('sn') || undefined
})

/** Whether a problem matches the filters that apply to problems. */
export function matchesFilter(problem: Problem, query: URLSearchParams): boolean {
  const { channel, sn, level, key = '' } = filterOf(query)
  return (
    (channel === undefined || channel === problem.channel) &&
    (sn === undefined || sn === problem.sn) &&
    (level === undefined || level === (problem.severity === 'bad' ? 3 : 2)) &&
    problemName(problem).toLowerCase().includes(key.toLowerCase())
  )
}
