// The logs of this room, each with what is asked of it, and what can be done to them.
import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { clearLog, exportLog, type LogLine, type LogRequest, type LogType, listLog } from '../../../contract/log.ts'
import { getSettings, type Settings, setSettings } from '../../../contract/settings.ts'
import { address } from '../../link/relay.ts'
import { send } from '../../link/send.ts'
import { liveList } from '../../state/live-list.ts'
import { change } from '../../state/toasts.ts'

/** Lines of a page. */
export const COUNT = 100

function log(type: LogType) {
  const $request = atom<LogRequest>({ type, count: COUNT })
  const $lines = liveList({
    call: listLog,
    request: $request,
    pace: 'slowest',
    topic: 'log',
    keyOf: (line: LogLine) => line.id
  })
  return { $request, $lines }
}

export const LOGS: Readonly<Record<LogType, ReturnType<typeof log>>> = {
  operation: log('operation'),
  system: log('system'),
  device: log('device')
}

/** Asks a log for other lines; the same ones are not asked for again. */
export function ask(request: LogRequest): void {
  const { $request } = LOGS[request.type]
  if (JSON.stringify($request.get()) !== JSON.stringify(request)) $request.set(request)
}

/** Where all lines that a filter lets through are to be had as a file. The session's cookie is enough for it. */
export const exportOf = ({ start: _, count: __, upto: ___, ...filter }: LogRequest, format: 'csv' | 'json'): string =>
  address(exportLog.path, { ...filter, format })

export const clear = (type: LogType) => change(clearLog, { type })

export type Kept = Settings['log']

export const kept = async (): Promise<Kept | undefined> => (await send(getSettings, {})).settings?.log

export const keep = (log: Kept, quiet: (answer: Envelope) => boolean) => change(setSettings, { log }, { quiet })
