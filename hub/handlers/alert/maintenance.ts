// Handlers for maintenance mode: what is in maintenance causes no notifications, until a time given.
import {
  endMaintenance,
  listMaintenance,
  MAINTENANCE_MAX,
  startMaintenance
} from '../../../contract/alert/maintenance.ts'
import { INVALID_ARG, NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { MaintainedKind, MaintenanceRow } from '../../store/alert-rules.ts'
import type { Store } from '../../store/store.ts'

const HOUR = 3_600_000

interface MaintainedObject {
  kind: MaintainedKind
  object: string
  name: string
}

/** The object of a request. @throws CallError 7 if it names none or several, 16 if it does not exist */
function requireObject(
  { channels, devices, tags }: Store,
  context: Context,
  { channel, sn, tag }: { channel?: number | undefined; sn?: string | undefined; tag?: number | undefined }
): MaintainedObject {
  const given = [channel, sn, tag].filter((each) => each !== undefined)
  if (given.length !== 1) throw new CallError(INVALID_ARG, { field: 'channel', fault: 'required' })
  const kind = channel !== undefined ? 'channel' : sn !== undefined ? 'device' : 'tag'
  const object = String(given[0])
  context.objects.push(`${kind}:${object}`)
  const row =
    channel !== undefined ? channels.byId(channel) : sn !== undefined ? devices.bySerial(sn) : tags.byId(tag ?? 0)
  if (!row) throw new CallError(NOT_EXIST)
  return { kind, object, name: row.name }
}

export function maintenanceHandlers({ store }: { store: Store }): Handler[] {
  const { alertRules, channels, devices, tags } = store

  function nameOf({ kind, object }: MaintenanceRow): string {
    const row =
      kind === 'channel'
        ? channels.byId(Number(object))
        : kind === 'device'
          ? devices.bySerial(object)
          : tags.byId(Number(object))
    return row?.name ?? object
  }

  const announce = (context: Context) =>
    context.afterCommit(() => {
      store.changes.markChanged('alert')
      store.changes.markChanged('problem')
    })

  return [
    handle(listMaintenance, () => {
      const now = Date.now()
      const list = alertRules.maintained(now).map((row) => {
        const { id, kind, object, since: from, until, note, by_user: by } = row
        const subject = kind === 'device' ? { sn: object } : { [kind]: Number(object) }
        return {
          id,
          ...subject,
          name: nameOf(row),
          from,
          until,
          'remaining-s': Math.ceil((until - now) / 1000),
          note,
          by
        }
      })
      return { start: 0, total: list.length, list }
    }),
    handleChange(startMaintenance, (context, { hours, note = '', ...request }) => {
      const { name, ...object } = requireObject(store, context, request)
      context.detail = note ? `${name}: ${note}` : name
      const now = Date.now()
      if (alertRules.maintained(now).length >= MAINTENANCE_MAX) throw new CallError(TOO_MANY, { max: MAINTENANCE_MAX })
      const { user } = requireCaller(context)
      const id = alertRules.maintain({ ...object, since: now, until: now + hours * HOUR, note, by_user: user.name })
      announce(context)
      return { id }
    }),
    handleChange(endMaintenance, (context, { id }) => {
      const row = alertRules.maintained(Date.now()).find((each) => each.id === id)
      if (!row) throw new CallError(NOT_EXIST)
      context.objects.push(`${row.kind}:${row.object}`)
      context.detail = nameOf(row)
      alertRules.endMaintenance(id)
      announce(context)
      return {}
    })
  ]
}
