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

const numberOf = (text: string | null) => (text ? Number(text) : undefined)

/** A local time of the query, `2026-03-01T09:30`, in milliseconds. */
const timeOf = (text: string | null) => (text ? Date.parse(text) : undefined)

/** What to ask the hub, which judges it. Another log begins without a filter. */
export function requestOf(query: URLSearchParams): LogRequest {
  return {
    type: typeOf(query),
    start: numberOf(query.get('start')) ?? 0,
    count: COUNT,
    upto: numberOf(query.get('upto')),
    from: timeOf(query.get('from')),
    to: timeOf(query.get('to')),
    user: query.get('user') || undefined,
    outcome: (query.get('result') as LogRequest['outcome']) || undefined,
    level: numberOf(query.get('level')),
    key: query.get('key') || undefined
  }
}
