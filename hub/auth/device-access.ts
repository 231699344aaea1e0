// Decides whether a port forward or device page that a session opened may stay open. It is checked repeatedly, because
// both outlive the call that opened them.

import { isPermitted } from '../../contract/access/permissions.ts'
import type { Access } from '../../contract/call.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import type { Store } from '../store/store.ts'
import type { Gate } from './gate.ts'

/** @param access required by the call that opened it */
export type DeviceAccessCheck = (session: string, sn: string, access: Access) => boolean

/** The session must be valid, its user must have the permission and see the device, and the device must be accepted. */
export function createDeviceAccess({ devices }: Pick<Store, 'devices'>, gate: Gate): DeviceAccessCheck {
  return (session, sn, access) => {
    const caller = gate.callerOfSession(session)
    if (!caller || caller.isRestricted || !isPermitted(access, caller.user)) return false
    const row = devices.bySerial(sn)
    return row?.reg_state === REGISTRATION_STATE.accepted && gate.canSeeDevice(caller, row)
  }
}
