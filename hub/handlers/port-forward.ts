import { NOT_EXIST, NOT_PERMITTED, PORT_OCCUPIED, TOO_MANY, WRONG_STATE } from '../../contract/codes.ts'
import { REGISTRATION } from '../../contract/device/device.ts'
import {
  FORWARD_STATE,
  FORWARDS_MAX,
  listPortForwards,
  type PortForward,
  startPortForward,
  stopPortForward
} from '../../contract/port-forward.ts'
import type { Hub } from '../context.ts'
import type { Forward } from '../devices/port-forwards.ts'
import { type Answer, answer, type Context, change, changeAfter, Refusal, signedIn } from '../http/handler.ts'
import type { DeviceRow } from '../store/devices.ts'
import { pageSince } from './list.ts'
import { demandFreePorts } from './stream/ports-in-use.ts'

export function portForwardAnswers(hub: Hub): Answer[] {
  const { store, gate, forwards, registry } = hub

  function deviceFor(context: Context, sn: string): DeviceRow | undefined {
    const row = store.devices.bySerial(sn)
    return row && gate.seesDevice(signedIn(context), row) ? row : undefined
  }

  function wire(forward: Forward): PortForward {
    const { id, sn, localPort, remotePort, bytesIn, bytesOut, connections, since, user } = forward
    return {
      ...{ id, sn, name: store.devices.bySerial(sn)?.name ?? '' },
      ...{ 'local-port': localPort, 'remote-port': remotePort },
      state: registry.online(sn) ? FORWARD_STATE.connected : FORWARD_STATE.idle,
      ...{ 'bytes-in': bytesIn, 'bytes-out': bytesOut, connections, since, user }
    }
  }

  const named = (sn: string, local: number, remote: number) => `${sn} ${local} → ${remote}`

  return [
    answer(listPortForwards, (context, request) => {
      const caller = signedIn(context)
      const visible = gate.sightOf(caller)
      const rows = forwards.all().filter(({ sn }) => {
        const row = store.devices.bySerial(sn)
        return row && visible(row)
      })
      return pageSince(store.changes, 'portforward', request, rows, wire)
    }),

    changeAfter(
      startPortForward,
      async (context, request) => {
        const { sn, 'local-port': localPort = 0, 'remote-port': remotePort } = request
        const { session, user } = signedIn(context)
        context.detail = named(sn, localPort, remotePort)
        context.objects.push(`device:${sn}`)
        const row = deviceFor(context, sn)
        if (!row) throw new Refusal(NOT_EXIST, { field: 'sn' })
        if (row.reg_state !== REGISTRATION.accepted) throw new Refusal(WRONG_STATE, { field: 'sn' })
        if (forwards.all().length >= FORWARDS_MAX) throw new Refusal(TOO_MANY, { max: FORWARDS_MAX })
        if (localPort !== 0) demandFreePorts(hub, context, [localPort], 'local-port', { kind: 'forward' })
        try {
          return await forwards.open({ sn, localPort, remotePort, session, user: user.name })
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException
          if (code === 'EADDRINUSE') throw new Refusal(PORT_OCCUPIED, { field: 'local-port', port: localPort })
          // Ports below 1024 are the system's to give.
          if (code === 'EACCES') throw new Refusal(NOT_PERMITTED, { field: 'local-port' })
          throw error
        }
      },
      (context, request, { forward, keep }) => {
        context.detail = named(request.sn, forward.localPort, forward.remotePort)
        context.after(keep)
        return { forward: wire(forward) }
      }
    ),

    change(stopPortForward, (context, request) => {
      const found = forwards.all().find((forward) => {
        if ('id' in request) return forward.id === request.id
        const { sn, 'local-port': local, 'remote-port': remote = forward.remotePort } = request
        return forward.sn === sn && forward.localPort === local && forward.remotePort === remote
      })
      context.detail = 'id' in request ? String(request.id) : `${request.sn} ${request['local-port']}`
      if (!found || !deviceFor(context, found.sn)) throw new Refusal(NOT_EXIST)
      context.objects.push(`device:${found.sn}`)
      context.detail = named(found.sn, found.localPort, found.remotePort)
      context.after(() => forwards.stop(found.id))
      return {}
    })
  ]
}
