// The request of a log, whose filters are in the URL.
import type { LogRequest, LogType } from '../../../contract/log.ts'
import { filterOf } from '../../parts/event/filter.ts'
import { PAGE_SIZE } from './store.ts'

export function typeOf(query: URLSearchParams): LogType {
  const tab = query.get('tab')
  return tab === 'system' || tab === 'device' ? tab : 'operation'
}

/** The request for the log that the URL names. The hub validates the filters. */
export function requestOf(query: URLSearchParams): LogRequest {
  const upto = query.get('upto')
  return {
    type: typeOf(query),
    start: Number(query.get('start')),
    count: PAGE_SIZE,
    upto: upto ? Number(upto) : undefined,
    outcome: (query.get('result') as LogRequest['outcome']) || undefined,
    ...filterOf(query)
  }
}
