// One device: what it is and says, what can be done to it, and what happened to it.
import { useLayoutEffect } from 'react'
import { CLIENT_NOT_EXIST, DEVICE_TYPE_ERROR, NOT_EXIST } from '../../../contract/codes.ts'
import { REGISTRATION } from '../../../contract/device/device.ts'
import { hasDetail } from '../../../contract/device/families.ts'
import { Presence, Warnings } from '../../parts/device/device-facts.tsx'
import { useInstead } from '../../parts/load-state.tsx'
import { useParams } from '../../state/location.ts'
import { useTitle } from '../../state/title.ts'
import { codeText, NO_RESPONSE } from '../../text/codes.ts'
import { t } from '../../text/language.ts'
import { Empty } from '../../ui/placeholder.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Cards } from './cards.tsx'
import { DeviceActions } from './device-actions.tsx'
import { $device, $sn } from './store.ts'
import { TEXT } from './text.ts'

export function DeviceDetailScreen() {
  const { sn = '' } = useParams()
  useLayoutEffect(() => $sn.set(sn))
  const { value, code } = useStore($device)
  const device = value?.dev.sn === sn ? value.dev : undefined
  const instead = useInstead($device, !device, null)
  useTitle(device?.name)
  if (code === NOT_EXIST || (device && !hasDetail(device)))
    return <Empty icon="devices" title={codeText(code === NOT_EXIST ? CLIENT_NOT_EXIST : DEVICE_TYPE_ERROR)} />
  if (!device) return <>{instead}</>
  const decided = device['reg-state']
  const accepted = decided === REGISTRATION.accepted
  // What it said is forgotten once its answers cannot be read.
  const mute = device['online-date'] > 0 && device.status && Object.keys(device.status).length === 0
  return (
    <div className="stack">
      <div className="tools">
        <Presence device={device} />
        {!accepted && <State tone="warn" text={t(decided === REGISTRATION.pending ? TEXT.pending : TEXT.rejected)} />}
        <Warnings device={device} />
        <span className="push" />
        <DeviceActions device={device} />
      </div>
      {accepted && mute && <p className="banner">{codeText(NO_RESPONSE)}</p>}
      <Cards device={device} />
    </div>
  )
}
