// Handlers that list, export and clear the logs.
import { checkLog, clearLog, type ExportLogRequest, exportLog, type LogFilter, listLog } from '../../../contract/log.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import type { Downloads, Requester } from '../../downloads/downloads.ts'
import { fileResponse } from '../../downloads/file-response.ts'
import { type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { LogSearch } from '../../log-search/log-search.ts'
import type { Language } from '../../messages/language.ts'
import { findMatches, makeEntryTranslator, successText } from '../../messages/log-entries.ts'
import type { LogVisibility, ResolvedLogFilter } from '../../store/log-filter.ts'
import type { Store } from '../../store/store.ts'
import { logFile } from './log-file.ts'

interface LogParts {
  store: Store
  gate: Gate
  logSearch: LogSearch
  downloads: Downloads
}

/** Entries in a response when the request has no `count`. */
const COUNT_DEFAULT = 100

export function logHandlers({ store, gate, logSearch, downloads }: LogParts): Handler[] {
  /**
   * The entries that the caller may see; undefined for all. Only administrators see entries about deleted devices and
   * device groups.
   */
  function visibleEntries(caller: Caller): LogVisibility | undefined {
    const serials = gate.visibleSerials(caller)
    const channels = gate.visibleChannels(caller)
    const sources = gate.visibleSources(caller)
    if (!serials || !channels || !sources) return undefined
    const ids = [0, ...store.catalogs.all().map(({ id }) => id)]
    return {
      user: caller.user.name,
      serials: [...serials],
      catalogs: ids.filter(gate.catalogsVisibleTo(caller)),
      channels,
      sources
    }
  }

  /** The names of the devices that the caller may see. */
  const deviceNames = (caller: Caller) => (sn: string) => {
    const row = store.devices.bySerial(sn)
    return row && gate.canSeeDevice(caller, row) ? row.name : undefined
  }

  /** The filter with the events and fields whose names contain the searched text, in the language of the caller. */
  const resolveFilter = <Filter extends LogFilter>(language: Language, filter: Filter): Filter & ResolvedLogFilter => ({
    ...filter,
    ...findMatches(language, filter)
  })

  async function openLogFile({ caller, language }: Requester, { format, ...request }: ExportLogRequest) {
    const chunks = await logSearch.all(caller.session, resolveFilter(language, request), visibleEntries(caller))
    const translate = makeEntryTranslator(language, request.type, deviceNames(caller))
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
      const filter = resolveFilter(context.language, request)
      const { total, list } = await logSearch.list(caller.session, filter, start, count, visibleEntries(caller))
      const translated = list.map(makeEntryTranslator(context.language, request.type, deviceNames(caller)))
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
