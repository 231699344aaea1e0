// What the documented APIs are answered from, whichever of them a device speaks.
import type { Machine } from '../machine.ts'
import type { Entry } from '../roster.ts'
import type { Upgrader } from '../upgrade.ts'

export interface Appliance {
  entry: Entry
  machine: Machine
  name(): string
  /** The version that it runs. */
  firmware(): string
  upgrader: Upgrader
  rename(name: string): void
  /** Its link drops once the answer is out. @returns false when it is about to already */
  reboot(): boolean
  readonly restarting: boolean
}

/** A call as it came over the link. */
export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  /** Parsed JSON body; empty where there is none. */
  body: Record<string, unknown>
}

/** Device name (specification 5): 1 to 64 characters, the wider set, no outer spaces. */
export function isDeviceName(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z0-9 ._+'[\]()-]{1,64}$/.test(name) && name.trim() === name
}

/** A number of the serial's own, for addresses: 10 to 249. */
function numberOf(sn: string, salt: number): number {
  let sum = salt
  for (let index = 0; index < sn.length; index++) sum = (sum * 31 + sn.charCodeAt(index)) % 240
  return sum + 10
}

/** Addresses of a device on a network of its own. */
export function addressesOf(sn: string) {
  const part = numberOf(sn, 7)
  const hex = [numberOf(sn, 1), numberOf(sn, 2), numberOf(sn, 3)].map((byte) => byte.toString(16).padStart(2, '0'))
  return {
    ip: `10.20.${numberOf(sn, 5) % 8}.${part}`,
    mask: '255.255.248.0',
    router: '10.20.0.1',
    // Locally administered: no maker's.
    mac: `02:d0:c8:${hex.join(':')}`
  }
}

/** Time as the devices write it: YYYY-MM-DD hh:mm:ss, local. */
export function timeText(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
}
