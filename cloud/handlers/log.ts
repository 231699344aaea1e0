// The log of an organisation.
import { listLog } from '../../contract/cloud/calls.ts'
import { type Handler, handle } from '../http/handler.ts'

/** Lines of a response, unless the request says how many. */
const PAGE = 100

const handleList = handle(listLog, async (_context, scope, { before, count = PAGE }) => {
  const lines = scope.select('log_entries').selectAll().orderBy('id', 'desc').limit(count)
  const rows = await (before === undefined ? lines : lines.where('id', '<', before)).execute()
  const list = rows.map(({ id, time, user_name, address, event, detail, result }) => ({
    ...{ id, time, user: user_name, address, event, detail, result }
  }))
  return { list }
})

export const logHandlers = (): Handler[] => [handleList]
