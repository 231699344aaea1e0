// Wi-Fi networks in range of an interface.
import { setTimeout as sleep } from 'node:timers/promises'
import { NOT_EXIST, WRONG_STATE } from '../../../contract/codes.ts'
import type { WifiNetwork } from '../../../contract/machine/network.ts'
import { MachineError } from '../machine-error.ts'
import { BusError } from '../system-bus.ts'
import type { NetworkManager, Objects } from './network-manager.ts'

/** Milliseconds for a scan of all channels. */
const SCAN_TIME = 6000
const POLL_INTERVAL = 250

/** Bits of `Flags`, `WpaFlags` and `RsnFlags` of an access point. */
const PRIVACY = 0x1
const KEY_PSK = 0x100
const KEY_SAE = 0x400

type Properties = Record<string, unknown>

function securityOf({ Flags = 0, WpaFlags = 0, RsnFlags = 0 }: Properties): WifiNetwork['security'] {
  const keys = Number(WpaFlags) | Number(RsnFlags)
  // A network in the transition mode accepts both; WPA2 reaches more of its access points.
  if (keys & KEY_PSK) return 'wpa2'
  if (keys & KEY_SAE) return 'wpa3'
  return keys === 0 && (Number(Flags) & PRIVACY) === 0 ? 'open' : 'other'
}

/** GHz of a frequency in MHz. */
const bandOf = (frequency: number) => (frequency >= 5925 ? 6 : frequency >= 4900 ? 5 : 2.4)

/** The networks that the access points of a device announce. Hidden ones have no name and are left out. */
function networksOf(objects: Objects, device: string): WifiNetwork[] {
  const wireless = objects.get(device, 'Device.Wireless') ?? {}
  const networks = new Map<string, WifiNetwork>()
  for (const path of (wireless.AccessPoints ?? []) as string[]) {
    const accessPoint = objects.get(path, 'AccessPoint') ?? {}
    const ssid = Buffer.from((accessPoint.Ssid ?? []) as number[]).toString()
    if (!ssid) continue
    const security = securityOf(accessPoint)
    const signal = Number(accessPoint.Strength ?? 0)
    const isJoined = path === wireless.ActiveAccessPoint
    const known = networks.get(`${security} ${ssid}`)
    const strongest = known && known.signal >= signal ? known : undefined
    networks.set(`${security} ${ssid}`, {
      ssid,
      security,
      signal: strongest?.signal ?? signal,
      band: strongest?.band ?? bandOf(Number(accessPoint.Frequency ?? 0)),
      ...((isJoined || known?.joined) && { joined: true })
    })
  }
  return [...networks.values()].sort((a, b) => b.signal - a.signal)
}

/** Scans. A scan that NetworkManager refuses because another one has just ended returns the networks of that one. */
export async function scanNetworks(manager: NetworkManager, iface: string): Promise<WifiNetwork[]> {
  const objects = await manager.objects()
  const device = objects.deviceOf(iface)?.path
  if (!device) throw new MachineError(NOT_EXIST, { field: 'iface' })
  const before = objects.get(device, 'Device.Wireless')
  if (!before) throw new MachineError(WRONG_STATE, { field: 'iface' })
  try {
    await manager.requestScan(device)
  } catch (error) {
    if (!(error instanceof BusError) || error.isRefused) throw error
    return networksOf(objects, device)
  }
  const end = performance.now() + SCAN_TIME
  while (performance.now() < end) {
    await sleep(POLL_INTERVAL)
    const current = await manager.objects()
    if (current.get(device, 'Device.Wireless')?.LastScan !== before.LastScan) return networksOf(current, device)
  }
  return networksOf(await manager.objects(), device)
}
