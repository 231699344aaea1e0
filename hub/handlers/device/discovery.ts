// Handlers that look for devices in the network of an interface.
import { IN_PROGRESS, INVALID_ARG, NOT_EXIST } from '../../../contract/codes.ts'
import { type Discovered, listDiscovered, startDiscovery } from '../../../contract/device/discovery.ts'
import { formatNdiUrl } from '../../../contract/ndi/url.ts'
import type { Gate } from '../../auth/gate.ts'
import type { Discovery } from '../../devices/discovery/discovery.ts'
import { addressesOf } from '../../devices/discovery/interfaces.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'

interface DiscoveryParts {
  store: Store
  gate: Gate
  discovery: Discovery
}

/** Serial numbers of the devices that the caller sees, by the address at which they are. */
function serialsByAddress({ store, gate }: DiscoveryParts, context: Context): Map<string, string> {
  const visible = store.devices.all().filter((row) => gate.canSeeDevice(requireCaller(context), row))
  return new Map(visible.map((row) => [row.connect_ip, row.sn]))
}

export function discoveryHandlers(parts: DiscoveryParts): Handler[] {
  const { discovery } = parts
  return [
    handleChange(startDiscovery, (context, { interface: name, range }) => {
      context.detail = range === undefined ? name : `${name} ${range}`
      const network = discovery.networks().find((each) => each.name === name)
      if (!network) throw new CallError(NOT_EXIST, { field: 'interface' })
      const addresses = range === undefined ? [] : addressesOf(range, network)
      if ('name' in addresses) {
        const { name: fault, ...bounds } = addresses
        throw new CallError(INVALID_ARG, { field: 'range', fault, ...bounds })
      }
      if (discovery.isRunning) throw new CallError(IN_PROGRESS)
      context.afterCommit(() => discovery.start(network, addresses))
      return {}
    }),
    handle(listDiscovered, (context) => {
      const { network, checked = 0, total = 0, results = [] } = discovery.state() ?? {}
      const serials = serialsByAddress(parts, context)
      return {
        interfaces: discovery.networks().map(({ name, address }) => ({ name, address })),
        running: discovery.isRunning,
        ...(network && { interface: network.name }),
        checked,
        total,
        list: results.map((found): Discovered => {
          const sn = found.kind === 'ndi' ? undefined : serials.get(found.address)
          const url = found.kind === 'ndi' ? formatNdiUrl({ name: found.name ?? '' }) : undefined
          return { ...found, ...(url !== undefined && { url }), ...(sn !== undefined && { sn }) }
        })
      }
    })
  ]
}
