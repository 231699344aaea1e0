// One device: what it is and says, what can be done to it, and what happened to it.
import { useLayoutEffect } from 'react'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { type Device, REGISTRATION } from '../../../contract/device.ts'
import { hasDetail } from '../../../contract/families.ts'
import { Presence, Warnings } from '../../parts/device-facts.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { link } from '../../paths.ts'
import { useParams } from '../../state/location.ts'
import { useTitle } from '../../state/title.ts'
import { t } from '../../text/language.ts'
import { Empty } from '../../ui/condition.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ChannelsCard, IdentityCard, LoadCard, LogCard, NetworkCard, PictureCard } from './cards.tsx'
import { DeviceActions } from './device-actions.tsx'
import { ActivityCard, PortsCard, StorageCard } from './signals.tsx'
import { $device, ask } from './store.ts'
import { TEXT } from './text.ts'

export function DeviceDetailScreen() {
  const { sn = '' } = useParams()
  useLayoutEffect(() => ask(sn))
  const { value, code } = useStore($device)
  const device = value?.dev.sn === sn ? value.dev : undefined
  const instead = useInstead($device, !device, null)
  if (code === NOT_EXIST) return <Instead title={t(TEXT.gone)} text={t(TEXT.goneText)} />
  if (!device) return <>{instead}</>
  return hasDetail(device) ? (
    <Detail device={device} />
  ) : (
    <Instead title={t(TEXT.noDetail)} text={t(TEXT.noDetailText)} />
  )
}

function Instead({ title, text }: { title: string; text: string }) {
  return (
    <Empty icon="devices" title={title} text={text}>
      <a className="button" href={`#${link('allDevices')}`}>
        {t(TEXT.toDevices)}
      </a>
    </Empty>
  )
}

function Detail({ device }: { device: Device }) {
  useTitle(device.name)
  const past = device['online-date'] === 0 && device['reg-state'] === REGISTRATION.accepted
  return (
    <div className="stack">
      <div className="tools">
        <Presence device={device} />
        <Warnings device={device} />
        <span className="push" />
        <DeviceActions device={device} />
      </div>
      {past && <p className="banner">{t(TEXT.past)}</p>}
      <div className="cards">
        <PictureCard device={device} />
        <IdentityCard device={device} />
        <PortsCard device={device} />
        <ActivityCard device={device} />
        <NetworkCard device={device} />
        <LoadCard device={device} />
        <StorageCard device={device} />
        <ChannelsCard device={device} />
        <LogCard />
      </div>
    </div>
  )
}
