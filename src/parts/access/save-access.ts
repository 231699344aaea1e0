import type { ObjectSecurity, Visibility } from '../../../contract/access/visibility.ts'
import { setDeviceSecurity, setGlobalDevice } from '../../../contract/device/device.ts'
import { setChannelSecurity, setGlobalChannel } from '../../../contract/stream/channel-security.ts'
import { send } from '../../link/send.ts'
import { setCatalogSecurity } from '../../state/catalogs.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { runBulk } from '../bulk-action.ts'
import type { AccessSubject } from './subject.ts'

/**
 * Saves who sees the objects of a dialog.
 * @param title of the dialog: names a default in the message, and the progress of many devices
 * @param masks absent if the objects inherit; a default cannot inherit
 * @returns whether it was saved for all objects
 */
export function saveAccess({ of, objects }: AccessSubject, title: string, masks?: Visibility): Promise<boolean> {
  if (!objects) {
    const success = { text: OUTCOME.saved, names: [title] }
    const setDefault = of === 'channel' ? setGlobalChannel : setGlobalDevice
    return succeeded(sendMutation(setDefault, { security: masks as Visibility }, { success }))
  }
  const security: ObjectSecurity = { 'is-inherit': masks ? 0 : 1, ...masks }
  if (of === 'device') {
    const devices = objects.map(({ sn = '', name }) => ({ sn, name }))
    const sendBatch = (sn: string[]) => send(setDeviceSecurity, { sn, security })
    return runBulk({ title, devices, outcome: OUTCOME.saved, sendBatch })
  }
  const success = { text: OUTCOME.saved, names: objects.map(({ name }) => name) }
  const ids = objects.map(({ id = 0 }) => id)
  return succeeded(
    of === 'channel'
      ? sendMutation(setChannelSecurity, { id: ids, security }, { success })
      : setCatalogSecurity(ids[0] ?? 0, security, success)
  )
}
