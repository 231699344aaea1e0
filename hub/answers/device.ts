import { NOT_EXIST, STATE_CHANGED, SUCCESS } from '../../contract/codes.ts'
import {
  acceptDevices,
  type DeviceListRequest,
  deleteDevices,
  listDevices,
  listDevicesBySerial,
  queryDevice,
  REGISTRATION,
  rejectDevices,
  setFavorite
} from '../../contract/device.ts'
import { LOG_OFF, LOG_ON } from '../../contract/log.ts'
import { DIR_BOTH, DIR_INPUT, DIR_OUTPUT } from '../../contract/protocols.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../answer.ts'
import type { Hub } from '../parts.ts'
import type { DeviceRow } from '../store/devices.ts'
import { usualOrder, wireFor } from './device-wire.ts'
import { eachDevice } from './each-device.ts'
import { byText, pageSince } from './list.ts'

const STATE_OF_WORD = {
  accepted: REGISTRATION.accepted,
  rejected: REGISTRATION.rejected,
  waiting: REGISTRATION.pending
} as const

export function deviceAnswers(hub: Hub): Answer[] {
  const { store, gate, registry } = hub

  const warns = (row: DeviceRow) => (registry.live(row.sn)?.observed?.warns ?? 0) !== 0

  function matches(row: DeviceRow, request: DeviceListRequest, userId: number): boolean {
    const { catalog, module, dir, status, key } = request
    if (row.reg_state !== STATE_OF_WORD[request['reg-state'] ?? 'accepted']) return false
    if (catalog !== undefined && row.catalog_id !== catalog) return false
    if (module && row.module !== module) return false
    if (dir === 'none' && (row.dir & DIR_BOTH) !== 0) return false
    if (dir === 'input' && (row.dir & DIR_INPUT) === 0) return false
    if (dir === 'output' && (row.dir & DIR_OUTPUT) === 0) return false
    if (request['is-favorite'] !== undefined && ((row.is_favorite & userId) !== 0 ? 1 : 0) !== request['is-favorite'])
      return false
    if (key && !`${row.sn}\n${row.name}`.toLowerCase().includes(key.toLowerCase())) return false
    if (!status) return true
    // Several words widen the list: a device with any of them is in it.
    const online = registry.online(row.sn)
    return status
      .split(',')
      .some((word) => (word === 'offline' ? !online : word === 'online' ? online : online && warns(row)))
  }

  function order(request: DeviceListRequest): (a: DeviceRow, b: DeviceRow) => number {
    const online = (row: DeviceRow) => (registry.online(row.sn) ? 0 : 1)
    const usual = usualOrder(registry)
    const by: Record<NonNullable<DeviceListRequest['sort']>, (a: DeviceRow, b: DeviceRow) => number> = {
      'online-state': (a, b) => online(a) - online(b),
      sn: (a, b) => byText(a.sn, b.sn),
      name: (a, b) => byText(a.name, b.name),
      time: (a, b) => a.apply_date - b.apply_date,
      module: (a, b) => a.module - b.module || byText(a.module_name, b.module_name),
      'connect-ip': (a, b) => byText(a.connect_ip, b.connect_ip),
      'firmware-ver': (a, b) => byText(a.firmware_ver, b.firmware_ver)
    }
    if (!request.sort) return usual
    const chosen = by[request.sort]
    const sign = request.order === 'descending' ? -1 : 1
    return (a, b) => sign * chosen(a, b) || usual(a, b)
  }

  function seen(context: Context, sn: string): DeviceRow {
    context.objects.push(`device:${sn}`)
    const row = store.devices.bySerial(sn)
    if (!row || !gate.seesDevice(signedIn(context), row)) throw new Refusal(NOT_EXIST)
    return row
  }

  function changed(context: Context, row: DeviceRow, state: number): void {
    context.after(() => {
      if (state === REGISTRATION.deleted) store.changes.gone('device', row.id)
      else store.changes.bump('device', row.id)
      store.changes.bump('status')
      // Best effort: a device that cannot be told now hears it when it dials in again.
      hub.links
        .tell(row.sn, state)
        .catch(() => {})
        .finally(() => {
          if (state !== REGISTRATION.accepted) hub.links.drop(row.sn, 'refused by the hub')
        })
    })
  }

  function decide(state: number, event: 'device-accepted' | 'device-rejected', from: readonly number[]) {
    return (context: Context, request: { sn: string[] }) => {
      const { name } = signedIn(context).user
      const reply = eachDevice(hub, context, request.sn, (row) => {
        if (!from.includes(row.reg_state)) return STATE_CHANGED
        store.devices.setState(row.sn, state)
        store.note({ event, detail: `${row.name}: ${name}`, sn: row.sn })
        changed(context, row, state)
        return SUCCESS
      })
      context.after(() => {
        for (const { sn } of reply.details) hub.presence(sn)
      })
      return reply
    }
  }

  return [
    answer(listDevices, (context, request) => {
      const caller = signedIn(context)
      const visible = gate.sightOf(caller)
      const rows = store.devices.all().filter((row) => matches(row, request, caller.user.id) && visible(row))
      return pageSince(store.changes, 'device', request, rows.sort(order(request)), wireFor(hub, caller, false))
    }),
    answer(listDevicesBySerial, (context, request) => {
      const caller = signedIn(context)
      const rows = [...new Set(request.sn)].map((sn) => store.devices.bySerial(sn)).filter((row) => row !== undefined)
      return { list: rows.filter(gate.sightOf(caller)).map(wireFor(hub, caller)) }
    }),
    answer(queryDevice, (context, request) => ({ dev: wireFor(hub, signedIn(context))(seen(context, request.sn)) })),
    change(setFavorite, (context, request) => {
      const { id } = signedIn(context).user
      const reply = eachDevice(hub, context, request.sn, (row) => {
        store.devices.setFavorite(row.id, id, request.favorite)
        context.after(() => store.changes.bump('device', row.id))
        return SUCCESS
      })
      context.detail += ` ${request.favorite ? LOG_ON : LOG_OFF}`
      return reply
    }),
    // A rejected device may still be accepted: the decision can be taken back without waiting for it to dial in anew.
    change(
      acceptDevices,
      decide(REGISTRATION.accepted, 'device-accepted', [REGISTRATION.pending, REGISTRATION.rejected])
    ),
    change(rejectDevices, decide(REGISTRATION.rejected, 'device-rejected', [REGISTRATION.pending])),
    change(deleteDevices, (context, request) => {
      const { name } = signedIn(context).user
      return eachDevice(hub, context, request.sn, (row) => {
        for (const channel of store.channels.byInput(row.id)) {
          store.channels.setInput(channel.id, null)
          context.after(() => hub.applyChannel(channel.id))
        }
        store.devices.remove(row.id)
        store.note({ event: 'device-deleted', detail: `${row.name}: ${name}`, sn: row.sn })
        changed(context, row, REGISTRATION.deleted)
        context.after(() => hub.presence(row.sn))
        return SUCCESS
      })
    })
  ]
}
