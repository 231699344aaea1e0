// Creates the parts that talk to devices.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import type { Certificates } from '../../tls/certificates.ts'
import type { Lifetime } from '../lifetime.ts'
import { isLoopbackHost } from '../machine/addresses.ts'
import type { Store } from '../store/store.ts'
import { createDeviceActions } from './actions.ts'
import { AddressedDevices } from './address/addressed-devices.ts'
import { AddressedPictures, createSnapshotFetcher } from './address/pictures.ts'
import type { AddressedDevicesTiming } from './address/reachability.ts'
import { AddressedStreams } from './address/streams/addressed-streams.ts'
import { findInputCamera } from './address/third-party/input-camera.ts'
import { combineLinks } from './combined-links.ts'
import { Discovery } from './discovery/discovery.ts'
import { createDeviceLinks, type DeviceLinks } from './link/links.ts'
import { setPendingNames } from './pending-names.ts'
import { Registry } from './registry.ts'
import { StatusPoller } from './status-poller.ts'

interface DevicesOptions {
  store: Store
  lifetime: Lifetime
  /** Address on which the hub listens. */
  host: string
  /** Ports on which the hub listens. */
  ownPorts(): number[]
  certificates: Pick<Certificates, 'start' | 'identity'>
  addressTiming?: Partial<AddressedDevicesTiming> | undefined
  actionTiming?: { response: number; poll: number } | undefined
}

export function createDevices(options: DevicesOptions) {
  const { store, lifetime, host, ownPorts, certificates, addressTiming, actionTiming } = options
  const registry = new Registry(store)
  // Links that end because the hub closes are not logged as devices that go offline.
  const setOffline = (sn: string, reason: string) => void (lifetime.isEnding || registry.setOffline(sn, reason))
  const addressedDevices = lifetime.add(
    new AddressedDevices({
      store,
      registry: { setOnline: (sn) => registry.setOnline(sn), setOffline },
      // Loopback addresses are allowed only while the hub itself is reachable from this machine alone.
      addressPolicy: { allowLoopback: isLoopbackHost(host), ownPorts },
      timing: addressTiming
    })
  )
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
  const request: DeviceLinks['request'] = (sn, call, timeout) => addressedDevices.request(sn, call, timeout)
  const addressedStreams = new AddressedStreams({ store, request, isOnline: registry.isOnline })
  const addressedPictures = new AddressedPictures(
    createSnapshotFetcher({ request, snapshotPath: (sn) => addressedDevices.snapshotPath(sn) }),
    (sn) => {
      const row = store.devices.bySerial(sn)
      if (row) store.changes.markChanged('device', row.id)
    }
  )
  const cameraPictures = lifetime.add(
    new AddressedPictures(async (id) => {
      const url = store.sources.input(Number(id))?.url
      const camera = url === undefined ? undefined : await findInputCamera(addressedDevices, url)
      return camera?.stream.picture ? camera.client.picture(camera.stream.id) : undefined
    })
  )
  const links = lifetime.add(
    combineLinks({
      links: registrationLinks,
      addressed: addressedDevices,
      streams: addressedStreams,
      pictures: addressedPictures
    })
  )
  registry.displaced.on((sn) => links.disconnect(sn, 'too many devices are pending'))
  store.database.onBatchLost(() => {
    for (const sn of registry.unregisteredSerials()) links.disconnect(sn, 'its registration could not be saved')
  })
  const statusPoller = lifetime.add(
    new StatusPoller({
      links,
      onObservation: (sn, observation) =>
        registry.setObservation(sn, addressedDevices.has(sn) ? addressedStreams.observe(sn, observation) : observation)
    })
  )
  registry.stateChanged.on((sn) => {
    if (addressedDevices.has(sn) && registry.isOnline(sn)) addressedStreams.onOnline(sn)
    const row = store.devices.bySerial(sn)
    if (row?.reg_state === REGISTRATION_STATE.accepted && registry.isOnline(sn)) statusPoller.start(sn, row.api)
    else statusPoller.stop(sn)
  })
  const actions = createDeviceActions({
    links,
    apiOf: (sn) => store.devices.bySerial(sn)?.api,
    observationOf: (sn) => registry.liveState(sn)?.observation,
    pollNow: statusPoller.pollNow,
    timing: actionTiming
  })
  setPendingNames({ store, actions, isOnline: registry.isOnline, stateChanged: registry.stateChanged })
  const discovery = lifetime.add(
    new Discovery({
      allowLoopback: isLoopbackHost(host),
      knownAddresses: () => new Set(store.devices.all().map(({ connect_ip: address }) => address))
    })
  )
  return {
    registry,
    addressedDevices,
    addressedStreams,
    addressedPictures,
    cameraPictures,
    links,
    statusPoller,
    actions,
    discovery
  }
}
