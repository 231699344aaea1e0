// Who may see which device (reference 3.12, 5.3, 7).
import { INVALID_ARG, SUCCESS } from '../../contract/codes.ts'
import { getGlobalDevice, setDeviceSecurity, setGlobalDevice, type Visibility } from '../../contract/device.ts'
import { type Answer, answer, change, Refusal } from '../answer.ts'
import type { Hub } from '../parts.ts'
import { unknownBits } from '../store/visibility.ts'
import { eachDevice } from './each-device.ts'

export function visibilityAnswers(hub: Hub): Answer[] {
  const { store } = hub

  /** The masks of a request, all of whose bits are somebody's. */
  function checked({ 'group-mask': groups, 'usr-mask': users }: Visibility): Visibility {
    const masks = { 'group-mask': groups, 'usr-mask': users }
    const unknown = unknownBits(store, masks)
    if (unknown) throw new Refusal(INVALID_ARG, { field: `security.${unknown}`, fault: 'invalid' })
    return masks
  }

  const said = (masks: Visibility) => `group-mask ${masks['group-mask']}, usr-mask ${masks['usr-mask']}`

  return [
    change(setDeviceSecurity, (context, { sn, security }) => {
      const inherit = Boolean(security['is-inherit'])
      // Masks beside `is-inherit` are kept for when it no longer inherits; where there are none its own stay.
      const { 'group-mask': groups, 'usr-mask': users } = security
      const masks =
        groups === undefined || users === undefined ? undefined : checked({ 'group-mask': groups, 'usr-mask': users })
      const reply = eachDevice(hub, context, [sn].flat(), (row) => {
        store.devices.setSecurity(row.id, inherit, masks)
        return SUCCESS
      })
      context.detail += inherit || !masks ? ': is-inherit' : `: ${said(masks)}`
      context.after(hub.rightsChanged)
      return reply
    }),
    answer(getGlobalDevice, () => ({ security: store.settings.get('device-security') })),
    change(setGlobalDevice, (context, { security }) => {
      const masks = checked(security)
      context.detail = said(masks)
      store.settings.set('device-security', masks)
      context.after(hub.rightsChanged)
      return {}
    })
  ]
}
