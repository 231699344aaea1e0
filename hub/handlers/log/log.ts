// Handlers that list, export and clear the logs.
import { checkLog, clearLog, type ExportLogRequest, exportLog, listLog } from '../../../contract/log.ts'
import type { Gate } from '../../auth/gate.ts'
import type { Downloads, Requester } from '../../downloads/downloads.ts'
import { fileResponse } from '../../downloads/file-response.ts'
import { type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { LogSearch } from '../../log-search/log-search.ts'
import { makeEntryTranslator, successText } from '../../messages/log-entries.ts'
import type { Store } from '../../store/store.ts'
import { logFile } from './log-file.ts'
import { LogView } from './log-view.ts'

interface LogParts {
  store: Store
  gate: Gate
  logSearch: LogSearch
  downloads: Downloads
}

/** Entries in a response when the request has no `count`. */
const COUNT_DEFAULT = 100

export function logHandlers({ store, gate, logSearch, downloads }: LogParts): Handler[] {
  async function openLogFile({ caller, language }: Requester, { format, ...request }: ExportLogRequest) {
    const view = new LogView({ store, gate }, caller, language)
    const chunks = await logSearch.all(caller.session, view.resolveFilter(request), view.visibleEntries())
    const translate = makeEntryTranslator(language, request.type, view.deviceName)
    return logFile(chunks, request.type, format, translate, successText(language))
  }

  downloads.register('log', {
    call: exportLog,
    describe: ({ type, format }) => `${type}-log.${format}`,
    open: openLogFile
  })

  return [
    handle(listLog, async (context, request) => {
      const { rev } = store.changes
      const start = request.start ?? 0
      const isUnchanged = request.since !== undefined && store.changes.revs().log <= request.since
      const count = isUnchanged ? 0 : (request.count ?? COUNT_DEFAULT)
      const caller = requireCaller(context)
      const view = new LogView({ store, gate }, caller, context.language)
      const filter = view.resolveFilter(request)
      const { total, list } = await logSearch.list(caller.session, filter, start, count, view.visibleEntries())
      const translated = list.map(makeEntryTranslator(context.language, request.type, view.deviceName))
      return { start, total, list: translated, rev, ...(isUnchanged && { partial: true }) }
    }),
    handle(exportLog, async (context, request) =>
      fileResponse(await openLogFile({ caller: requireCaller(context), language: context.language }, request))
    ),
    handle(checkLog, async (context) => {
      const { lines, brokenId, clearings } = await logSearch.checkChain(requireCaller(context).session)
      const broken = brokenId !== undefined && { 'broken-id': brokenId }
      return { lines, intact: brokenId === undefined, ...broken, cleared: clearings }
    }),
    handleChange(clearLog, (context, { type, sn: requested }) => {
      const sn = type === 'device' ? requested : undefined
      context.detail = sn ? `${type} ${sn}` : type
      if (sn) context.objects.push(`device:${sn}`)
      store.logs.clear(type, sn)
      return {}
    })
  ]
}
