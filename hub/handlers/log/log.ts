// Handlers that list, export and clear the logs.
import { checkLog, clearLog, exportLog, type LogFilter, listLog } from '../../../contract/log.ts'
import type { HubContext } from '../../context.ts'
import { type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import { findMatchingEvents, makeEntryTranslator, successText } from '../../messages/log-entries.ts'
import type { LogVisibility, ResolvedLogFilter } from '../../store/log/log-filter.ts'
import { logFileResponse } from './log-file.ts'

/** Entries in a response when the request has no `count`. */
const COUNT_DEFAULT = 100

export function logHandlers({ store, gate, logSearch }: HubContext): Handler[] {
  /**
   * The entries that the caller may see; undefined for all. Only administrators see entries about deleted devices and device groups.
   */
  function visibleEntries(context: Context): LogVisibility | undefined {
    const caller = requireCaller(context)
    const serials = gate.visibleSerials(caller)
    const channels = gate.visibleChannels(caller)
    if (!serials || !channels) return undefined
    const ids = [0, ...store.catalogs.all().map(({ id }) => id)]
    return {
      user: caller.user.name,
      serials: [...serials],
      catalogs: ids.filter(gate.catalogsVisibleTo(caller)),
      channels
    }
  }

  /** The names of the devices that the caller may see. */
  const deviceNames = (context: Context) => (sn: string) => {
    const row = store.devices.bySerial(sn)
    return row && gate.canSeeDevice(requireCaller(context), row) ? row.name : undefined
  }

  /** The filter with the events whose sentences contain the searched text, in the language of the caller. */
  const resolveFilter = <Filter extends LogFilter>(
    { language }: Context,
    filter: Filter
  ): Filter & ResolvedLogFilter => ({
    ...filter,
    events: findMatchingEvents(language, filter)
  })

  return [
    handle(listLog, async (context, request) => {
      const { rev } = store.changes
      const start = request.start ?? 0
      const isUnchanged = request.since !== undefined && store.changes.revs().log <= request.since
      const count = isUnchanged ? 0 : (request.count ?? COUNT_DEFAULT)
      const { session } = requireCaller(context)
      const filter = resolveFilter(context, request)
      const { total, list } = await logSearch.list(session, filter, start, count, visibleEntries(context))
      const translated = list.map(makeEntryTranslator(context.language, request.type, deviceNames(context)))
      return { start, total, list: translated, rev, ...(isUnchanged && { partial: true }) }
    }),
    handle(exportLog, async (context, { format, ...request }) => {
      const { session } = requireCaller(context)
      const chunks = await logSearch.all(session, resolveFilter(context, request), visibleEntries(context))
      const translate = makeEntryTranslator(context.language, request.type, deviceNames(context))
      return logFileResponse(chunks, request.type, format, translate, successText(context.language))
    }),
    handle(checkLog, async (context) => {
      const { lines, brokenId } = await logSearch.checkChain(requireCaller(context).session)
      return { lines, intact: brokenId === undefined, ...(brokenId !== undefined && { 'broken-id': brokenId }) }
    }),
    handleChange(clearLog, (context, { type, sn }) => {
      context.detail = sn ? `${type} ${sn}` : type
      if (sn) context.objects.push(`device:${sn}`)
      store.logs.clear(type, sn)
      return {}
    })
  ]
}
