// Devices that are reached at an address: keeps each signed in, says when it comes and goes, and tries again with patience.
import type { Duplex } from 'node:stream'
import {
  AUTH_FAILED,
  CLIENT_NOT_EXIST,
  NO_RESPONSE,
  TARGET_TIMEOUT,
  UNKNOWN_ERROR,
  VERIFY_FAILED
} from '../../../contract/codes.ts'
import type { DeviceAddress } from '../../../contract/device/address.ts'
import { DIR_NONE } from '../../../contract/stream/protocols.ts'
import type { Reached } from '../../store/device-addresses.ts'
import type { Store } from '../../store/store.ts'
import { LinkError, offline } from '../link/link-error.ts'
import type { DeviceAnswer, DeviceRequest } from '../link/request.ts'
import type { FileUpload, UploadOptions } from '../link/upload.ts'
import type { Registry } from '../registry.ts'
import type { Grounds } from './address-policy.ts'
import { type Found, findDevice, type Hints } from './identify.ts'
import type { Generation } from './logins.ts'
import { GENERATIONS } from './logins.ts'
import type { Session } from './session.ts'

/** Milliseconds. */
export interface AddressedTiming {
  /** From one try to the next: the first, and the longest. After a refused login or certificate always the longest. */
  retry: readonly [number, number]
  /** For each call while a device is looked for. */
  find: number
  /** That a device which failed a call has to show that it is there. */
  verify: number
}

const TIMING: AddressedTiming = { retry: [2000, 60_000], find: 4000, verify: 2500 }

/** Milliseconds for a connection to a device's web server. */
const CONNECT = 10_000

export interface AddressedOptions {
  store: Store
  registry: Pick<Registry, 'up' | 'down'>
  grounds: Grounds
  timing?: Partial<AddressedTiming> | undefined
}

interface One {
  id: number
  sn: string
  reached: Reached
  /** There while it is online. */
  session?: Session
  trouble?: number
  tries: number
  timer?: NodeJS.Timeout
  verifying?: Promise<void>
}

/** What a failure is called to who looks at the device. */
export function troubleOf(error: unknown): number {
  if (!(error instanceof LinkError)) return UNKNOWN_ERROR
  return error.code === TARGET_TIMEOUT ? NO_RESPONSE : error.code
}

export function createAddressed({ store, registry, grounds, timing }: AddressedOptions) {
  const { retry, find, verify } = { ...TIMING, ...timing }
  const { devices, deviceAddresses, changes } = store
  const known = new Map<string, One>()
  const isKnown = (one: One) => known.get(one.sn) === one

  function later(one: One): void {
    const [first, longest] = retry
    const hopeless = one.trouble === AUTH_FAILED || one.trouble === VERIFY_FAILED
    const wait = hopeless ? longest : Math.min(longest, first * 2 ** one.tries)
    one.tries++
    // Spread, so that a network that comes back is not asked for all of them at once.
    one.timer = setTimeout(reach, wait * (0.8 + Math.random() * 0.4), one)
  }

  function setTrouble(one: One, trouble: number | undefined): void {
    if (one.trouble === trouble) return
    one.trouble = trouble
    changes.bump('device', one.id)
  }

  async function reach(one: One): Promise<void> {
    let found: Found
    try {
      found = await findDevice(one.reached, { api: devices.bySerial(one.sn)?.api ?? '', sn: one.sn }, grounds, find)
      if (found.identity.sn !== one.sn) throw new LinkError(CLIENT_NOT_EXIST, 'another device is at its address')
    } catch (error) {
      if (!isKnown(one)) return
      if (!(error instanceof LinkError)) console.error(`reaching ${one.sn}:`, error)
      setTrouble(one, troubleOf(error))
      later(one)
      return
    }
    if (isKnown(one)) enter(one, found)
  }

  /** It is online. */
  function enter(one: One, { identity, api, session, ip, cert }: Found): void {
    one.session = session
    one.tries = 0
    store.database.transaction(() => {
      // Its name is not in every answer that says who it is: what the polls find stays.
      const name = devices.bySerial(one.sn)?.name ?? identity.name
      devices.refresh({ ...identity, name, api, dir: DIR_NONE, preview: false, key: '' }, ip)
      if (cert === one.reached.cert) return
      one.reached = { ...one.reached, cert }
      deviceAddresses.set(one.id, one.reached)
    })
    setTrouble(one, undefined)
    changes.bump('device', one.id)
    registry.up(one.sn)
  }

  function leave(one: One, error: LinkError): void {
    if (!isKnown(one) || !one.session) return
    delete one.session
    setTrouble(one, troubleOf(error))
    registry.down(one.sn, error.message)
    later(one)
  }

  /** A call has failed: is it the call, or the device? */
  function look(one: One, error: LinkError): void {
    if (error.code === AUTH_FAILED || error.code === VERIFY_FAILED) {
      leave(one, error)
      return
    }
    const { session } = one
    const api = devices.bySerial(one.sn)?.api
    const generation: Generation | undefined = GENERATIONS.find((each) => each.api === api)
    if (!session || !generation) return
    one.verifying ??= session
      .request({ ...generation.identify, maxBody: 256 << 10 }, verify)
      .then(
        () => {},
        (again) => {
          if (again instanceof LinkError && one.session === session) leave(one, again)
        }
      )
      .finally(() => {
        one.verifying = undefined
      })
  }

  async function ask<Result>(sn: string, work: (session: Session) => Promise<Result>): Promise<Result> {
    const one = known.get(sn)
    if (!one?.session) throw offline(sn)
    try {
      return await work(one.session)
    } catch (error) {
      if (error instanceof LinkError) look(one, error)
      throw error
    }
  }

  function forget(sn: string): One | undefined {
    const one = known.get(sn)
    if (!one) return undefined
    clearTimeout(one.timer)
    known.delete(sn)
    return one
  }

  /** Reaches a device from now on, as the store has it; with `found`, which was reached a moment ago. */
  function take(sn: string, found?: Found): void {
    const row = devices.bySerial(sn)
    const reached = row && deviceAddresses.of(row.id)
    const before = forget(sn)
    if (before?.session) registry.down(sn, 'its address was changed')
    if (!row || !reached) return
    const one: One = { id: row.id, sn, reached, tries: 0 }
    known.set(sn, one)
    if (found) enter(one, found)
    else void reach(one)
  }

  return {
    /** Reaches all that the store has. */
    start(): void {
      for (const id of deviceAddresses.ids()) {
        const row = devices.byId(id)
        if (row) take(row.sn)
      }
    },
    take,
    /** Looks what is at an address, for a device that is not kept yet. @throws LinkError as `findDevice` */
    find: (reached: Reached, hints: Hints): Promise<Found> => findDevice(reached, hints, grounds, find),
    has: (sn: string) => known.has(sn),
    count: () => known.size,
    /** What may be told of where it is. */
    told(sn: string): DeviceAddress | undefined {
      const one = known.get(sn)
      if (!one) return undefined
      const { address, port, https, cert } = one.reached
      return {
        ...{ address, port, https },
        ...(cert && { 'cert-sha256': cert }),
        ...(one.trouble !== undefined && { trouble: one.trouble })
      }
    },
    /** As `DeviceLinks.request`. @throws LinkError */
    request: (sn: string, call: DeviceRequest, timeout: number): Promise<DeviceAnswer> =>
      ask(sn, (session) => session.request(call, timeout)),
    /** As `DeviceLinks.page`. @throws LinkError */
    page: (sn: string): Promise<Duplex> => ask(sn, (session) => session.connect(CONNECT)),
    /** As `DeviceLinks.upload`. @throws LinkError, or what reading the file throws */
    upload: (sn: string, call: FileUpload, options: UploadOptions): Promise<DeviceAnswer> =>
      ask(sn, (session) => session.upload(call, options)),
    /** Reaches it no more. */
    drop(sn: string, reason: string): void {
      if (forget(sn)?.session) registry.down(sn, reason)
    },
    close(): void {
      for (const sn of [...known.keys()]) forget(sn)
    }
  }
}

export type Addressed = ReturnType<typeof createAddressed>
