// Filters of a log, kept in the URL.
import type { LogRequest, LogType } from '../../../contract/log.ts'
import { setQuery } from '../../state/location.ts'
import { PAGE_SIZE } from './store.ts'

/** Names of the filters in the URL, without the search text. */
const FILTER_NAMES = ['from', 'to', 'user', 'level', 'result', 'channel', 'sn'] as const

export type FilterName = 'key' | (typeof FILTER_NAMES)[number]

export function typeOf(query: URLSearchParams): LogType {
  const tab = query.get('tab')
  return tab === 'system' || tab === 'device' ? tab : 'operation'
}

export function hasFilter(query: URLSearchParams): boolean {
  return FILTER_NAMES.some((name) => query.get(name))
}

/** Changes filters and returns to the first page. */
export function setFilter(values: Partial<Record<FilterName, string>>): void {
  setQuery({ ...values, start: '', upto: '' })
}

export function removeFilter(): void {
  setFilter({ key: '', ...Object.fromEntries(FILTER_NAMES.map((name) => [name, ''])) })
}

const numberOf = (text: string | null) => (text ? Number(text) : undefined)

/** Parses a local time such as `2026-03-01T09:30`. @returns milliseconds since the epoch */
const timeOf = (text: string | null) => (text ? Date.parse(text) : undefined)

/** The request for the log that the URL names. The hub validates the filters. */
export function requestOf(query: URLSearchParams): LogRequest {
  return {
    type: typeOf(query),
    start: numberOf(query.get('start')) ?? 0,
    count: PAGE_SIZE,
    upto: numberOf(query.get('upto')),
    from: timeOf(query.get('from')),
    to: timeOf(query.get('to')),
    user: query.get('user') || undefined,
    outcome: (query.get('result') as LogRequest['outcome']) || undefined,
    level: numberOf(query.get('level')),
    key: query.get('key') || undefined,
    channel: numberOf(query.get('channel')),
    sn: query.get('sn') || undefined
  }
}
