// Whether what somebody opened towards a device, a forwarded port or its web page, may stay open: asked again and again, since it lasts
// longer than the call that opened it.

import type { Who } from '../../contract/call.ts'
import { REGISTRATION } from '../../contract/device/device.ts'
import { permits } from '../../contract/permissions.ts'
import type { Store } from '../store/store.ts'
import type { Gate } from './gate.ts'

/** A session or token by its key, the device, and who may do it. */
export type Reach = (session: string, sn: string, who: Who) => boolean

/** The session is good, its user holds the right and sees the device, and the device is accepted. */
export function createReach({ devices }: Pick<Store, 'devices'>, gate: Gate): Reach {
  return (session, sn, who) => {
    const caller = gate.session(session)
    if (!caller || caller.mustChangePassword || !permits(who, caller.user)) return false
    const row = devices.bySerial(sn)
    return row?.reg_state === REGISTRATION.accepted && gate.seesDevice(caller, row)
  }
}
