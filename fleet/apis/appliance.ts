// State and functions of a device that its API handlers use, whatever its generation.
import type { Machine } from '../machine.ts'
import type { RosterEntry } from '../roster.ts'
import type { Upgrader } from '../upgrade.ts'

export interface Appliance {
  entry: RosterEntry
  machine: Machine
  name(): string
  /** Version of the running firmware. */
  firmware(): string
  upgrader: Upgrader
  rename(name: string): void
  /** Restarts the device after the response has been sent. @returns false if it is already about to restart */
  reboot(): boolean
  readonly restarting: boolean
}

/** A request to the API of a device. */
export interface ApiRequest {
  method: string
  path: string
  query: URLSearchParams
  /** Parsed JSON body; an empty object if there is none. */
  body: Record<string, unknown>
}

/**
 * Whether a device name is valid: 1 to 64 characters of the set, no surrounding spaces (docs/wire.md, "Validation
 * rules").
 */
export function isDeviceName(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z0-9 ._+'[\]()-]{1,64}$/.test(name) && name.trim() === name
}

/** A number from 10 to 249 derived from the serial number. */
function deriveNumber(sn: string, salt: number): number {
  let sum = salt
  for (let index = 0; index < sn.length; index++) sum = (sum * 31 + sn.charCodeAt(index)) % 240
  return sum + 10
}

/** Network addresses of a device, derived from its serial number. */
export function createAddresses(sn: string) {
  const host = deriveNumber(sn, 7)
  const hex = [1, 2, 3].map((salt) => deriveNumber(sn, salt).toString(16).padStart(2, '0'))
  return {
    ip: `10.20.${deriveNumber(sn, 5) % 8}.${host}`,
    mask: '255.255.248.0',
    router: '10.20.0.1',
    // Locally administered, so it is not one of a vendor.
    mac: `02:d0:c8:${hex.join(':')}`
  }
}

/** Formats a time as devices do: YYYY-MM-DD hh:mm:ss in local time. */
export function formatTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
}
