import { NOT_EXIST, STATE_CHANGED, SUCCESS } from '../../../contract/codes.ts'
import {
  type AsksGlobal,
  acceptDevices,
  deleteDevices,
  listDevices,
  listDevicesBySerial,
  queryDevice,
  REGISTRATION,
  rejectDevices,
  setFavorite,
  type TellsGlobal
} from '../../../contract/device/device.ts'
import { LOG_OFF, LOG_ON } from '../../../contract/log.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../../http/handler.ts'
import type { DeviceRow } from '../../store/devices.ts'
import { pageSince } from '../list.ts'
import { eachDevice } from './bulk.ts'
import { createDeviceLists } from './list-cache.ts'
import { wireFor } from './response.ts'

export function deviceAnswers(hub: Hub): Answer[] {
  const { store, gate, registry } = hub
  const list = createDeviceLists(store, registry)

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

  /** The global defaults, for who asks for them. */
  const globals = (request: AsksGlobal): TellsGlobal =>
    request['global-config'] ? { 'global-config': { device: store.settings.get('device-config') } } : {}

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
      const rows = list(request, caller.user.id).filter(visible)
      const page = pageSince(store.changes, 'device', request, rows, wireFor(hub, context, false))
      return { ...page, ...globals(request) }
    }),
    answer(listDevicesBySerial, (context, request) => {
      const caller = signedIn(context)
      const rows = [...new Set(request.sn)].map((sn) => store.devices.bySerial(sn)).filter((row) => row !== undefined)
      return { list: rows.filter(gate.sightOf(caller)).map(wireFor(hub, context)), ...globals({ 'global-config': 1 }) }
    }),
    answer(queryDevice, (context, request) => {
      const row = seen(context, request.sn)
      hub.lookedAt(row.sn)
      return { dev: wireFor(hub, context)(row), ...globals(request) }
    }),
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
        const playing = store.channels.byDevice(row.id)?.channel_id
        if (playing !== undefined) context.after(() => hub.applyChannel(playing))
        store.devices.remove(row.id)
        store.note({ event: 'device-deleted', detail: `${row.name}: ${name}`, sn: row.sn })
        changed(context, row, REGISTRATION.deleted)
        context.after(() => hub.presence(row.sn))
        return SUCCESS
      })
    })
  ]
}
