// Stores of the logs, each with its request, and mutations of logs.
import { atom } from 'nanostores'
import { clearLog, type LogRequest, type LogType, listLog } from '../../../contract/log.ts'
import { startDownload } from '../../parts/download.ts'
import { TEXT as EVENT_TEXT } from '../../parts/event/text.ts'
import { createLiveList } from '../../state/live-list.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { type Translation, t } from '../../text/language.ts'
import { TEXT } from './text.ts'

/** Lines in one page. */
export const PAGE_SIZE = 100

function createLogStore(type: LogType) {
  const $request = atom<LogRequest>({ type, count: PAGE_SIZE })
  const $lines = createLiveList({
    call: listLog,
    request: $request,
    pace: 'slowest',
    topic: 'log'
  })
  return { $request, $lines }
}

export const LOGS: Readonly<Record<LogType, ReturnType<typeof createLogStore>>> = {
  operation: createLogStore('operation'),
  system: createLogStore('system'),
  device: createLogStore('device')
}

/** Sets the request of a log's store. An equal request is ignored, so that the hub is not asked twice. */
export function setRequest(request: LogRequest): void {
  const { $request } = LOGS[request.type]
  if (JSON.stringify($request.get()) !== JSON.stringify(request)) $request.set(request)
}

/** Downloads a file with all lines that match the filter. */
export const downloadLog = ({ start: _, count: __, upto: ___, ...filter }: LogRequest, format: 'csv' | 'json') =>
  succeeded(startDownload({ kind: 'log', ...filter, format }))

const LOG_NAMES: Readonly<Record<LogType, Translation>> = {
  operation: EVENT_TEXT.operation,
  system: EVENT_TEXT.system,
  device: EVENT_TEXT.device
}

export const clearLogOfType = (type: LogType) =>
  sendMutation(clearLog, { type }, { success: { text: TEXT.cleared, names: [t(LOG_NAMES[type])] } })
