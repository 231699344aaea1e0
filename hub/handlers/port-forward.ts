// Handlers for port forwards, which connect a TCP port of this machine to a port of a device.
import { NOT_EXIST, NOT_PERMITTED, PORT_OCCUPIED, TOO_MANY, UNSUPPORTED, WRONG_STATE } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { isInteractive } from '../../contract/device/families.ts'
import {
  FORWARD_STATE,
  FORWARDS_MAX,
  listPortForwards,
  type PortForward,
  startPortForward,
  stopPortForward
} from '../../contract/port-forward.ts'
import { LinkError } from '../../device-link/link-error.ts'
import type { Gate } from '../auth/gate.ts'
import { type AddressedDevices, troubleCodeOf } from '../devices/address/addressed-devices.ts'
import type { ForwardedPort, PortForwards } from '../devices/port-forwards.ts'
import type { Registry } from '../devices/registry.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange,
  requireCaller
} from '../http/handler.ts'
import { type DeviceRow, modelOf } from '../store/devices.ts'
import type { Store } from '../store/store.ts'
import { paginateSince } from './list.ts'
import type { PortsInUse } from './stream/ports-in-use.ts'

interface PortForwardParts {
  store: Store
  gate: Gate
  registry: Registry
  addressedDevices: AddressedDevices
  portForwards: PortForwards
  portsInUse: PortsInUse
}

/** Text of a forward in the operation log. */
const describe = (sn: string, localPort: number, remotePort: number) => `${sn} ${localPort} → ${remotePort}`

/** The device with this serial number; undefined if it does not exist or the caller may not see it. */
function findVisibleDevice(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  sn: string
): DeviceRow | undefined {
  const row = store.devices.bySerial(sn)
  return row && gate.canSeeDevice(requireCaller(context), row) ? row : undefined
}

function serialize({ store, registry }: { store: Store; registry: Registry }, forward: ForwardedPort): PortForward {
  const { id, sn, localPort, remotePort, bytesIn, bytesOut, connections, since, user, trouble } = forward
  const { idle, connected, failed } = FORWARD_STATE
  const isOnline = registry.isOnline(sn)
  return {
    id,
    sn,
    name: store.devices.bySerial(sn)?.name ?? '',
    'local-port': localPort,
    'remote-port': remotePort,
    state: !isOnline ? idle : trouble === undefined ? connected : failed,
    ...(isOnline && trouble !== undefined && { trouble }),
    'bytes-in': bytesIn,
    'bytes-out': bytesOut,
    connections,
    since,
    user
  }
}

function handleListPortForwards(parts: PortForwardParts): Handler {
  const { store, gate, portForwards } = parts
  return handle(listPortForwards, (context, request) => {
    const isVisible = gate.devicesVisibleTo(requireCaller(context))
    const rows = portForwards.list().filter(({ sn }) => {
      const row = store.devices.bySerial(sn)
      return row && isVisible(row)
    })
    return paginateSince(store.changes, 'portforward', request, rows, (forward) => serialize(parts, forward))
  })
}

/**
 * Connects to a port of a device at an address and disconnects again.
 * @throws CallError with the field if the port cannot be reached
 */
async function requireReachablePort({ addressedDevices }: PortForwardParts, sn: string, port: number): Promise<void> {
  try {
    const tunnel = await addressedDevices.openTunnel(sn, port)
    tunnel.destroy()
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    throw new CallError(troubleCodeOf(error), { field: 'remote-port' })
  }
}

function handleStartPortForward(parts: PortForwardParts): Handler {
  const { addressedDevices, portForwards, registry } = parts
  return handlePreparedChange(
    startPortForward,
    async (context, request) => {
      const { sn, 'local-port': localPort = 0, 'remote-port': remotePort } = request
      const { session, user } = requireCaller(context)
      context.detail = describe(sn, localPort, remotePort)
      context.objects.push(`device:${sn}`)
      const row = findVisibleDevice(parts, context, sn)
      if (!row) throw new CallError(NOT_EXIST, { field: 'sn' })
      if (row.reg_state !== REGISTRATION_STATE.accepted) throw new CallError(WRONG_STATE, { field: 'sn' })
      if (!isInteractive(modelOf(row))) throw new CallError(UNSUPPORTED, { field: 'sn' })
      if (portForwards.list().length >= FORWARDS_MAX) throw new CallError(TOO_MANY, { max: FORWARDS_MAX })
      if (localPort !== 0) parts.portsInUse.requireFree(context, [localPort], 'local-port', { kind: 'forward' })
      if (addressedDevices.has(sn) && registry.isOnline(sn)) await requireReachablePort(parts, sn, remotePort)
      try {
        return await portForwards.open({ sn, localPort, remotePort, session, user: user.name })
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'EADDRINUSE') throw new CallError(PORT_OCCUPIED, { field: 'local-port', port: localPort })
        // Opening a port below 1024 needs a privilege of the operating system.
        if (code === 'EACCES') throw new CallError(NOT_PERMITTED, { field: 'local-port' })
        throw error
      }
    },
    (context, request, { forward, confirm }) => {
      context.detail = describe(request.sn, forward.localPort, forward.remotePort)
      context.afterCommit(confirm)
      return { forward: serialize(parts, forward) }
    }
  )
}

function handleStopPortForward(parts: PortForwardParts): Handler {
  const { portForwards } = parts
  return handleChange(stopPortForward, (context, request) => {
    const forward = portForwards.list().find((candidate) => {
      if ('id' in request) return candidate.id === request.id
      const { sn, 'local-port': localPort, 'remote-port': remotePort = candidate.remotePort } = request
      return candidate.sn === sn && candidate.localPort === localPort && candidate.remotePort === remotePort
    })
    context.detail = 'id' in request ? String(request.id) : `${request.sn} ${request['local-port']}`
    if (!forward || !findVisibleDevice(parts, context, forward.sn)) throw new CallError(NOT_EXIST)
    context.objects.push(`device:${forward.sn}`)
    context.detail = describe(forward.sn, forward.localPort, forward.remotePort)
    context.afterCommit(() => portForwards.stop(forward.id))
    return {}
  })
}

export function portForwardHandlers(parts: PortForwardParts): Handler[] {
  return [handleListPortForwards(parts), handleStartPortForward(parts), handleStopPortForward(parts)]
}
