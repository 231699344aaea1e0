import { listLog } from '../../contract/log.ts'
import { type Answer, answer } from '../answer.ts'
import type { Hub } from '../parts.ts'

/** Lines a log answers when it is not told how many. */
const LINES = 100

export function logAnswers({ store }: Hub): Answer[] {
  return [
    answer(listLog, (_context, request) => {
      const { rev } = store.changes
      const start = request.start ?? 0
      if (request.since !== undefined && store.changes.revs().log <= request.since)
        return { start, total: store.logs.list(request.type, 0, 0).total, list: [], rev, partial: true }
      return { start, ...store.logs.list(request.type, start, request.count ?? LINES), rev }
    })
  ]
}
