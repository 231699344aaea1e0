// Handlers for maintenance mode: the hub sends no notifications about an object in maintenance.
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
  /** ID, or serial number of a device. */
  object: string
}

function findRow({ channels, devices, tags }: Store, { kind, object }: MaintainedObject): { name: string } | undefined {
  if (kind === 'device') return devices.bySerial(object)
  return kind === 'channel' ? channels.byId(Number(object)) : tags.byId(Number(object))
}

const isSame = (a: MaintainedObject, b: MaintainedObject) => a.kind === b.kind && a.object === b.object

/** The object of a request. @throws CallError 7 if the request names none or several */
function requireObject(
  context: Context,
  { channel, sn, tag }: { channel?: number | undefined; sn?: string | undefined; tag?: number | undefined }
): MaintainedObject {
  const [given, ...others] = Object.entries({ channel, device: sn, tag }).flatMap(([kind, id]) =>
    id === undefined ? [] : { kind: kind as MaintainedKind, object: String(id) }
  )
  if (!given || others.length > 0) throw new CallError(INVALID_ARG, { field: 'channel', fault: 'required' })
  context.objects.push(`${given.kind}:${given.object}`)
  return given
}

export function maintenanceHandlers({ store }: { store: Store }): Handler[] {
  const { alertRules } = store

  const nameOf = (row: MaintenanceRow) => findRow(store, row)?.name ?? row.object

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
      const object = requireObject(context, request)
      const row = findRow(store, object)
      if (!row) throw new CallError(NOT_EXIST)
      context.detail = note ? `${row.name}: ${note}` : row.name
      const now = Date.now()
      const others = alertRules.maintained(now).filter((each) => !isSame(each, object))
      if (others.length >= MAINTENANCE_MAX) throw new CallError(TOO_MANY, { max: MAINTENANCE_MAX })
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
