// Devices that are reached at an address: added, changed. Removed they are like all others.
import {
  BAD_ADDRESS,
  CLIENT_NOT_EXIST,
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  TOO_MANY,
  UNSUPPORTED
} from '../../../contract/codes.ts'
import { addDevice, setDeviceAddress } from '../../../contract/device/address.ts'
import { REGISTRATION } from '../../../contract/device/device.ts'
import { DIR_NONE } from '../../../contract/stream/protocols.ts'
import type { Hub } from '../../context.ts'
import { troubleOf } from '../../devices/address/addressed-devices.ts'
import type { Found, Hints } from '../../devices/address/identify.ts'
import { LinkError } from '../../devices/link/link-error.ts'
import { type Answer, type Context, changeAfter, Refusal, signedIn } from '../../http/handler.ts'
import type { Reached } from '../../store/device-addresses.ts'

/** Each is asked over connections of its own, every two seconds. */
const ADDRESSED_MAX = 256

const usualPort = (https: boolean) => (https ? 443 : 80)

export function deviceAddressAnswers({ store, gate, addressed }: Hub): Answer[] {
  const { devices, deviceAddresses, changes } = store

  async function find(reached: Reached, hints: Hints): Promise<Found> {
    try {
      return await addressed.find(reached, hints)
    } catch (error) {
      if (!(error instanceof LinkError)) throw error
      throw new Refusal(troubleOf(error), error.code === BAD_ADDRESS ? { field: 'address' } : {})
    }
  }

  /** Where, without the login. */
  const said = ({ address, port, https }: Reached) => `${https ? 'https' : 'http'}://${address}:${port}`

  /** A device at an address that the caller sees, and how it is reached. */
  function seen(context: Context, sn: string): { id: number; reached: Reached } {
    context.objects = [`device:${sn}`]
    context.detail = sn
    const row = devices.bySerial(sn)
    if (!row || !gate.seesDevice(signedIn(context), row)) throw new Refusal(NOT_EXIST)
    const reached = deviceAddresses.of(row.id)
    if (!reached) throw new Refusal(UNSUPPORTED)
    return { id: row.id, reached }
  }

  return [
    changeAfter(
      addDevice,
      async (context, { address, https = false, port = usualPort(https), user, password, module }) => {
        const reached: Reached = { address, port, https, user, password, cert: '' }
        context.detail = said(reached)
        if (addressed.count() >= ADDRESSED_MAX) throw new Refusal(TOO_MANY, { max: ADDRESSED_MAX })
        const found = await find(reached, module === undefined ? {} : { module })
        return { found, reached: { ...reached, cert: found.cert } }
      },
      (context, _, { found, reached }) => {
        const { identity, api, ip } = found
        const { sn, name } = identity
        context.objects = [`device:${sn}`]
        context.detail = `${sn}: ${said(reached)}`
        if (devices.bySerial(sn)) throw new Refusal(NAME_EXISTS)
        // Without a key: whoever dials in with its serial is another one.
        const hello = { ...identity, dir: DIR_NONE, api, preview: false, key: '' }
        const id = devices.add(hello, '', REGISTRATION.accepted, ip, Date.now())
        deviceAddresses.set(id, reached)
        store.note({ event: 'device-registered', detail: `${name} ${said(reached)}`, sn })
        store.note({ event: 'device-accepted', detail: `${name}: ${signedIn(context).user.name}`, sn })
        context.after(() => {
          changes.bump('device', id)
          changes.bump('status')
          addressed.take(sn, found)
        })
        return { id, sn }
      }
    ),
    changeAfter(
      setDeviceAddress,
      async (context, { sn, 'forget-cert': forget, ...wish }) => {
        const { reached: before } = seen(context, sn)
        const https = wish.https ?? before.https
        const port = wish.port ?? (https === before.https ? before.port : usualPort(https))
        const reached: Reached = { ...before, ...wish, https, port }
        const moved = (['address', 'port', 'https', 'user'] as const).some((field) => reached[field] !== before[field])
        // Else the stored one could be sent wherever somebody likes.
        if (moved && wish.password === undefined)
          throw new Refusal(INVALID_ARG, { field: 'password', fault: 'required' })
        if (forget || reached.address !== before.address || !https) reached.cert = ''
        context.detail = `${sn}: ${said(reached)}`
        const found = await find(reached, { sn, api: devices.bySerial(sn)?.api ?? '' })
        if (found.identity.sn !== sn) throw new Refusal(CLIENT_NOT_EXIST)
        return { found, reached: { ...reached, cert: found.cert } }
      },
      (context, { sn }, { found, reached }) => {
        const { detail } = context
        const { id } = seen(context, sn)
        context.detail = detail
        deviceAddresses.set(id, reached)
        context.after(() => addressed.take(sn, found))
        return {}
      }
    )
  ]
}
