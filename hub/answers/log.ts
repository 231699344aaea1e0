import { clearLog, exportLog, listLog } from '../../contract/log.ts'
import { type Answer, answer, type Context, change, signedIn } from '../answer.ts'
import type { Hub } from '../parts.ts'
import type { LogSight } from '../store/log-filter.ts'
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

  return [
    answer(listLog, (context, request) => {
      const { rev } = store.changes
      const start = request.start ?? 0
      const same = request.since !== undefined && store.changes.revs().log <= request.since
      const page = store.logs.list(request, start, same ? 0 : (request.count ?? LINES), sightOf(context))
      return { start, ...page, rev, ...(same && { partial: true }) }
    }),
    answer(exportLog, (context, { format, ...filter }) =>
      logFile(store.logs.all(filter, sightOf(context)), filter.type, format)
    ),
    change(clearLog, (context, { type, sn }) => {
      context.detail = sn ? `${type} ${sn}` : type
      if (sn) context.objects.push(`device:${sn}`)
      store.logs.clear(type, sn)
      return {}
    })
  ]
}
