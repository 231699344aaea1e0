// Stores of the logs, each with its request, and mutations of logs.

import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { clearLog, exportLog, type LogEntry, type LogRequest, type LogType, listLog } from '../../../contract/log.ts'
import { getSettings, type Settings, setSettings } from '../../../contract/settings.ts'
import { send } from '../../link/send.ts'
import { createLiveList } from '../../state/live-list.ts'
import { sendMutation } from '../../state/mutations.ts'
import { downloadUrl } from '../../state/system.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

/** Lines in one page. */
export const PAGE_SIZE = 100

function createLogStore(type: LogType) {
  const $request = atom<LogRequest>({ type, count: PAGE_SIZE })
  const $lines = createLiveList({
    call: listLog,
    request: $request,
    pace: 'slowest',
    topic: 'log',
    keyOf: (line: LogEntry) => line.id
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

/** URL of a file with all lines that match the filter. */
export const exportUrl = ({ start: _, count: __, upto: ___, ...filter }: LogRequest, format: 'csv' | 'json'): string =>
  downloadUrl(exportLog, { ...filter, format })

const LOG_NAMES: Readonly<Record<LogType, Translation>> = {
  operation: TEXT.operation,
  system: TEXT.system,
  device: TEXT.device
}

export const clearLogOfType = (type: LogType) =>
  sendMutation(clearLog, { type }, { success: { text: TEXT.cleared, names: [t(LOG_NAMES[type])] } })

export const fetchSettings = async (): Promise<Partial<Settings> | undefined> => (await send(getSettings, {})).settings

export const saveSettings = (
  part: Pick<Settings, 'log'> | Pick<Settings, 'syslog'>,
  isShownElsewhere: (reply: Envelope) => boolean
) => sendMutation(setSettings, part, { isShownElsewhere, success: { text: OUTCOME.settingsSaved } })
