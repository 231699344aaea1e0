// The log of an organisation, as the three logs of a hub: operations of users, events of the cloud, and events of hubs,
// which are the devices of the cloud.
import { sql } from 'kysely'
import { GROUP_ADMIN } from '../../contract/access/permissions.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { LOG_ERROR, LOG_INFO, type LogRequest, type LogType, listLog } from '../../contract/log.ts'
import type { Language } from '../../contract/text/language.ts'
import { readHubAccess } from '../auth/hub-access.ts'
import type { Caller } from '../auth/sessions.ts'
import { type Handler, handle, requireCaller } from '../http/handler.ts'
import type { Scope } from '../store/scope.ts'
import { findEvents, lineText } from './log-text.ts'

/** Lines of a response, unless the request says how many. */
const COUNT_DEFAULT = 100

/** Lines of a log. The event of a call is its path. */
function selectLog(scope: Scope, type: LogType) {
  const lines = scope.select('log_entries')
  if (type === 'operation') return lines.where('event', 'like', '/%')
  const events = lines.where('event', 'not like', '/%')
  return type === 'device' ? events.where('sn', '!=', '') : events.where('sn', '=', '')
}

/** Matches columns that contain a text, ignoring the case of ASCII letters. */
const contains = (column: string, text: string) =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`

/** The lines that a filter selects. A line of the operation log has the level of its outcome. */
function selectLines(
  scope: Scope,
  language: Language,
  { type, from, to, user, level, outcome, key, sn, channel }: LogRequest
) {
  const isOperationLog = type === 'operation'
  const failed = outcome === 'failed' || (isOperationLog && level === LOG_ERROR)
  const succeeded = outcome === 'ok' || (isOperationLog && level === LOG_INFO)
  const searched = isOperationLog ? ['detail', 'user_name', 'token', 'address'] : ['detail', 'sn']
  let lines = selectLog(scope, type)
  if (from !== undefined) lines = lines.where('time', '>=', from)
  if (to !== undefined) lines = lines.where('time', '<', to)
  if (isOperationLog && user)
    lines = lines.where((where) => where.or([where('user_name', '=', user), where('token', '=', user)]))
  if (isOperationLog && failed) lines = lines.where('result', '!=', SUCCESS)
  if (isOperationLog && succeeded) lines = lines.where('result', '=', SUCCESS)
  // No call is a warning. Channels are objects of hubs, whose logs name them.
  if ((isOperationLog && level && !failed && !succeeded) || channel !== undefined) lines = lines.where('id', '<', 0)
  if (!isOperationLog && level) lines = lines.where('level', '=', level)
  if (sn) lines = isOperationLog ? lines.where(contains('detail', sn)) : lines.where('sn', '=', sn)
  // The empty name is that of no event: a list must not be empty.
  const events = key ? ['', ...findEvents(language, key)] : []
  if (key)
    lines = lines.where((where) =>
      where.or([where('event', 'in', events), ...searched.map((column) => contains(column, key))])
    )
  return lines
}

/** Calls about hubs and groups of hubs. */
const ABOUT_HUBS = ['/hub/%', '/device/%', '/catalog/%', '/socket%']

/**
 * Leaves out what the caller may not see: events of hidden hubs and, unless the caller sees every hub and group,
 * operations of others on hubs.
 */
async function limitToVisible(scope: Scope, caller: Caller, type: LogType, lines: ReturnType<typeof selectLog>) {
  if (caller.user.type === GROUP_ADMIN) return lines
  const { catalogs, isCatalogVisible, isHubVisible } = await readHubAccess(scope, caller)
  const hubs = await scope.select('hubs').selectAll().execute()
  // Of deleted hubs only those users see something who see all others.
  if (hubs.every(isHubVisible) && [{ id: 0 }, ...catalogs].every(({ id }) => isCatalogVisible(id))) return lines
  const serials = hubs.filter(isHubVisible).map(({ sn }) => sn)
  if (type === 'device') return lines.where('sn', 'in', ['', ...serials])
  if (type === 'system') return lines
  return lines.where((where) =>
    where.or([
      where('user_name', '=', caller.user.name),
      where.and(ABOUT_HUBS.map((pattern) => where('event', 'not like', pattern)))
    ])
  )
}

const handleList = handle(listLog, async (context, scope, request) => {
  const { start = 0, count = COUNT_DEFAULT } = request
  const lines = await limitToVisible(
    scope,
    requireCaller(context),
    request.type,
    selectLines(scope, context.language, request)
  )
  const { total } = await lines.select((where) => where.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await lines.selectAll().orderBy('id', 'desc').offset(start).limit(count).execute()
  const isOperationLog = request.type === 'operation'
  const list = rows.map(({ id, time, level, event, detail, user_name, token, address, result, sn }) => ({
    ...{ id, time, event, detail, text: lineText(context.language, event, detail) },
    level: isOperationLog && result !== SUCCESS ? LOG_ERROR : level,
    ...(isOperationLog && { user: user_name, ip: address, code: result, ...(token && { token }) }),
    ...(sn && { sn })
  }))
  return { start, total, list }
})

export const logHandlers = (): Handler[] => [handleList]
