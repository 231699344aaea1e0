// What is looked for, as it stands in the address bar.
import type { LogRequest, LogType } from '../../../contract/log.ts'
import { setQuery } from '../../state/location.ts'
import { COUNT } from './store.ts'

/** The names in the query of what narrows a log besides a text. */
const NAMES = ['from', 'to', 'user', 'level', 'result'] as const

export type FilterName = 'key' | (typeof NAMES)[number]

export function typeOf(query: URLSearchParams): LogType {
  const tab = query.get('tab')
  return tab === 'system' || tab === 'device' ? tab : 'operation'
}

export function isNarrowed(query: URLSearchParams): boolean {
  return NAMES.some((name) => query.get(name))
}

/** Sets part of the filter; the page begins anew. */
export function setFilter(values: Partial<Record<FilterName, string>>): void {
  setQuery({ ...values, start: '', upto: '' })
}

export function removeFilter(): void {
  setFilter({ key: '', ...Object.fromEntries(NAMES.map((name) => [name, ''])) })
}

/** A local time of the query, `2026-03-01T09:30`, in milliseconds. */
function timeOf(text: string | null): number | undefined {
  const time = text ? new Date(text).getTime() : Number.NaN
  return time >= 0 ? time : undefined
}

const numberOf = (text: string | null) => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined)

/** What to ask the hub. What is no filter is left out. */
export function requestOf(query: URLSearchParams): LogRequest {
  const type = typeOf(query)
  const operation = type === 'operation'
  const result = query.get('result')
  const level = numberOf(query.get('level'))
  return {
    type,
    start: numberOf(query.get('start')) ?? 0,
    count: COUNT,
    upto: numberOf(query.get('upto')),
    from: timeOf(query.get('from')),
    to: timeOf(query.get('to')),
    user: (operation && query.get('user')?.slice(0, 256)) || undefined,
    outcome: operation && (result === 'ok' || result === 'failed') ? result : undefined,
    level: !operation && level && level <= 3 ? level : undefined,
    key: query.get('key')?.slice(0, 256) || undefined
  }
}
