// Creates the components which talk to devices.
import { createDeviceActions } from '../devices/actions.ts'
import { createAddressedDevices } from '../devices/address/addressed-devices.ts'
import { combineLinks } from '../devices/combined-links.ts'
import { createDeviceLinks } from '../devices/link/links.ts'
import { createRegistry } from '../devices/registry.ts'
import { createStatusPoller } from '../devices/status-poller.ts'
import { isLoopbackHost } from '../machine/addresses.ts'
import type { Store } from '../store/store.ts'
import type { Certificates } from '../tls/certificates.ts'
import type { HubOptions } from './options.ts'

interface DeviceServicesOptions {
  store: Store
  /** Address on which the hub listens. */
  host: string
  options: HubOptions
  /** Whether the hub is closing: links that end then are not logged as devices going offline. */
  isClosing(): boolean
  /** A device came online, went offline, was registered or removed. */
  onStateChanged(sn: string): void
  /** Ports on which the hub listens. */
  ownPorts(): number[]
  certificates: Pick<Certificates, 'start' | 'identity'>
}

export type DeviceServices = ReturnType<typeof createDeviceServices>

export function createDeviceServices({
  store,
  host,
  options,
  isClosing,
  onStateChanged,
  ownPorts,
  certificates
}: DeviceServicesOptions) {
  const registry = createRegistry(store, {
    onPresenceChanged: onStateChanged,
    onDisplaced: (sn) => links.disconnect(sn, 'too many devices are pending')
  })
  const setOffline = (sn: string, reason: string) => void (isClosing() || registry.setOffline(sn, reason))
  const addressedDevices = createAddressedDevices({
    store,
    registry: { setOnline: (sn) => registry.setOnline(sn), setOffline },
    // Loopback addresses are allowed only while the hub itself is reachable from this machine alone.
    addressPolicy: { allowLoopback: isLoopbackHost(host), ownPorts },
    timing: options.addressed
  })
  const registrationLinks = createDeviceLinks({
    register: registry.register,
    hasKey: registry.hasKey,
    onDuplicate: registry.reportDuplicate,
    onIllegalDevice: registry.reportIllegalDevice,
    async identity() {
      await certificates.start()
      return certificates.identity()
    },
    onUp: (sn, _address, isEncrypted) => registry.setOnline(sn, isEncrypted),
    onDown: setOffline
  })
  const links = combineLinks(registrationLinks, addressedDevices)
  store.database.onBatchLost(() => {
    for (const sn of registry.unregisteredSerials()) links.disconnect(sn, 'its registration could not be saved')
  })
  const statusPoller = createStatusPoller({ links, onObservation: registry.setObservation })
  const actions = createDeviceActions({
    links,
    apiOf: (sn) => store.devices.bySerial(sn)?.api,
    observationOf: (sn) => registry.liveState(sn)?.observation,
    pollNow: statusPoller.pollNow,
    timing: options.actions
  })
  return { registry, addressedDevices, links, statusPoller, actions }
}
