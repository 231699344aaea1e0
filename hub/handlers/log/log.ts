import { clearLog, exportLog, type LogFilter, listLog } from '../../../contract/log.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, type Context, change, signedIn } from '../../http/handler.ts'
import { eventsSought, lineSayer } from '../../messages/log-lines.ts'
import type { LogSight, Sought } from '../../store/log-filter.ts'
import { logFile } from './log-file.ts'

/** Lines a log answers when it is not told how many. */
const LINES = 100

export function logAnswers({ store, gate }: Hub): Answer[] {
  /** Whose lines the caller may see. Those about devices that are gone are the admins' alone. */
  function sightOf(context: Context): LogSight | undefined {
    const caller = signedIn(context)
    const serials = gate.visibleSerials(caller)
    return serials && { user: caller.user.name, serials: [...serials] }
  }

  /** A text is also found in the sentences, in the language of who looks. */
  const soughtBy = <Filter extends LogFilter>({ language }: Context, filter: Filter): Filter & Sought => ({
    ...filter,
    events: eventsSought(language, filter)
  })

  return [
    answer(listLog, (context, request) => {
      const { rev } = store.changes
      const start = request.start ?? 0
      const same = request.since !== undefined && store.changes.revs().log <= request.since
      const count = same ? 0 : (request.count ?? LINES)
      const { total, list } = store.logs.list(soughtBy(context, request), start, count, sightOf(context))
      const said = list.map(lineSayer(context.language, request.type))
      return { start, total, list: said, rev, ...(same && { partial: true }) }
    }),
    answer(exportLog, (context, { format, ...filter }) =>
      logFile(store.logs.all(soughtBy(context, filter), sightOf(context)), filter.type, format, context.language)
    ),
    change(clearLog, (context, { type, sn }) => {
      context.detail = sn ? `${type} ${sn}` : type
      if (sn) context.objects.push(`device:${sn}`)
      store.logs.clear(type, sn)
      return {}
    })
  ]
}
