// Handlers that add devices which the hub reaches at an address, and change the address. They are deleted like other
// devices.
import {
  BAD_ADDRESS,
  CLIENT_NOT_EXIST,
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  TOO_MANY,
  UNSUPPORTED
} from '../../../contract/codes.ts'
import { ADDRESSED_MAX, addDevice, setDeviceAddress } from '../../../contract/device/address.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { urlHost } from '../../../contract/ipv6.ts'
import { LinkError } from '../../../device-link/link-error.ts'
import type { Gate } from '../../auth/gate.ts'
import { type AddressedDevices, troubleCodeOf } from '../../devices/address/addressed-devices.ts'
import type { IdentifiedDevice, IdentifyHints } from '../../devices/address/identify.ts'
import {
  CallError,
  type Context,
  callerTag,
  type Handler,
  handlePreparedChange,
  interrupting,
  requireCaller
} from '../../http/handler.ts'
import type { StoredDeviceAddress } from '../../store/device-addresses.ts'
import type { Store } from '../../store/store.ts'
import { refusePlace } from './device-limit.ts'

interface DeviceAddressParts {
  store: Store
  gate: Gate
  addressedDevices: AddressedDevices
}

const defaultPort = (https: boolean) => (https ? 443 : 80)

/** The address as a URL without user name and password, for the log. */
const formatAddress = ({ address, port, https }: StoredDeviceAddress) =>
  `${https ? 'https' : 'http'}://${urlHost(address)}:${port}`

/**
 * Connects to a device and identifies it.
 * @throws CallError with a result code that tells why that failed
 */
async function identify(
  { addressedDevices }: { addressedDevices: AddressedDevices },
  address: StoredDeviceAddress,
  hints: IdentifyHints
): Promise<IdentifiedDevice> {
  try {
    return await addressedDevices.identify(address, hints)
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    throw new CallError(troubleCodeOf(error), error.code === BAD_ADDRESS ? { field: 'address' } : {})
  }
}

/**
 * The stored address of a device.
 * @throws CallError 16 if the device does not exist or the caller may not see it, 9 if it has no address
 */
function requireAddress(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  sn: string
): { id: number; address: StoredDeviceAddress } {
  context.objects = [`device:${sn}`]
  context.detail = sn
  const row = store.devices.bySerial(sn)
  if (!row || !gate.canSeeDevice(requireCaller(context), row)) throw new CallError(NOT_EXIST)
  const address = store.deviceAddresses.get(row.id)
  if (!address) throw new CallError(UNSUPPORTED)
  return { id: row.id, address }
}

function handleAddDevice(parts: { store: Store; addressedDevices: AddressedDevices }): Handler {
  const { store, addressedDevices } = parts
  const { devices, deviceAddresses, changes } = store
  return handlePreparedChange(
    addDevice,
    async (context, { address: host, https = false, port = defaultPort(https), user = '', password = '', module }) => {
      const address: StoredDeviceAddress = { address: host, port, https, user, password, cert: '' }
      context.detail = formatAddress(address)
      if (addressedDevices.count() >= ADDRESSED_MAX) throw new CallError(TOO_MANY, { max: ADDRESSED_MAX })
      const device = await identify(parts, address, module === undefined ? {} : { module })
      return { device, address: { ...address, cert: device.cert } }
    },
    (context, _, { device, address }) => {
      const { identity, api, streams, ip } = device
      const { sn, name } = identity
      context.objects = [`device:${sn}`]
      context.detail = `${sn}: ${formatAddress(address)}`
      if (devices.bySerial(sn)) throw new CallError(NAME_EXISTS)
      const refusal = refusePlace(store)
      if (refusal) throw new CallError(refusal.result, refusal)
      // The device has no key, so a device that connects to the hub with this serial number is treated as another one.
      const hello = { ...identity, dir: streams.dir, api, preview: streams.preview, key: '' }
      const id = devices.add(hello, '', REGISTRATION_STATE.accepted, ip, Date.now())
      deviceAddresses.set(id, address)
      store.logEvent({ event: 'device-registered', detail: `${name} ${formatAddress(address)}`, sn })
      store.logEvent({ event: 'device-accepted', detail: `${name}: ${callerTag(context)}`, sn })
      context.afterCommit(() => {
        changes.markChanged('device', id)
        changes.markChanged('status')
        addressedDevices.connectDevice(sn, device)
      })
      return { id, sn }
    }
  )
}

function handleSetDeviceAddress(parts: DeviceAddressParts): Handler {
  const { store, addressedDevices } = parts
  const handler = handlePreparedChange(
    setDeviceAddress,
    async (context, { sn, 'cert-sha256': cert, 'forget-cert': forgetCert, 'rtmp-port': rtmpPort, ...changes }) => {
      const { address: previous } = requireAddress(parts, context, sn)
      const https = changes.https ?? previous.https
      const port = changes.port ?? (https === previous.https ? previous.port : defaultPort(https))
      const address: StoredDeviceAddress = { ...previous, ...changes, https, port, ...(rtmpPort && { rtmpPort }) }
      const isMoved = (['address', 'port', 'https', 'user'] as const).some((part) => address[part] !== previous[part])
      // Otherwise the stored password could be sent to any host.
      if (isMoved && changes.password === undefined)
        throw new CallError(INVALID_ARG, { field: 'password', fault: 'required' })
      if (forgetCert || address.address !== previous.address || !https) address.cert = ''
      if (cert && https) address.cert = cert
      context.detail = `${sn}: ${formatAddress(address)}`
      const device = await identify(parts, address, { sn, api: store.devices.bySerial(sn)?.api ?? '' })
      if (device.identity.sn !== sn) throw new CallError(CLIENT_NOT_EXIST)
      return { device, address: { ...address, cert: device.cert } }
    },
    (context, { sn }, { device, address }) => {
      const { detail } = context
      const { id } = requireAddress(parts, context, sn)
      context.detail = detail
      store.deviceAddresses.set(id, address)
      context.afterCommit(() => addressedDevices.connectDevice(sn, device))
      return {}
    }
  )
  // The device is connected at its new address, and tested there before.
  return interrupting(setDeviceAddress, handler, {
    find: (_context, { sn }) => ({ kind: 'devices', serials: [sn] }),
    isAlone: () => true
  })
}

export function deviceAddressHandlers(parts: DeviceAddressParts): Handler[] {
  return [handleAddDevice(parts), handleSetDeviceAddress(parts)]
}
