// Machine, network, devices and the next scheduled change in one line, which opens to everything about them.
import type { ReactNode } from 'react'
import { CHANNEL_VIEW, DEVICE_ADV_CONTROL, DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import type { SystemStatus } from '../../../contract/system.ts'
import { channelLink, linkTo } from '../../paths.ts'
import { useRememberedChoice } from '../../state/remembered-choice.ts'
import { $isAllowed } from '../../state/session.ts'
import { shortTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { degrees, megabits, number, percent } from '../../text/numbers.ts'
import type { Tone } from '../../text/states.ts'
import { Button } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy/lazy.tsx'
import { useStore } from '../../ui/use-store.ts'
import { useNextChange } from './next-change.ts'
import * as TEXT from './text.ts'

const Details = lazy(() => import('./details.tsx').then((module) => module.Details))

export function Summary({ status }: { status: SystemStatus }) {
  const [details, setDetails] = useRememberedChoice('details', ['closed', 'open'], 'closed')
  const isAllowed = useStore($isAllowed)
  const isOpen = details === 'open'
  const { cpu, mem, temperature, 'net-rx': received, 'net-tx': sent } = status.system.status
  return (
    <>
      <section className="summary" aria-label={t(TEXT.summary)}>
        <Button
          iconOnly
          icon={isOpen ? 'down' : 'right'}
          label={t(TEXT.summary)}
          expanded={isOpen}
          onClick={() => setDetails(isOpen ? 'closed' : 'open')}
        />
        <Facts title={t(TEXT.system)}>
          {cpu !== undefined && <span>{t(TEXT.cpuLoad, percent(cpu))}</span>}
          {mem !== undefined && <span>{t(TEXT.memoryLoad, percent(mem * 100))}</span>}
          {temperature !== undefined && <span>{degrees(temperature)}</span>}
        </Facts>
        {received !== undefined && sent !== undefined && (
          <Facts title={t(TEXT.network)}>
            <span>{t(TEXT.rateIn, megabits(received))}</span>
            <span>{t(TEXT.rateOut, megabits(sent))}</span>
          </Facts>
        )}
        {isAllowed({ access: DEVICE_VIEW }) && <Devices device={status.system.device} />}
        {isAllowed({ access: CHANNEL_VIEW }) && <NextChange />}
      </section>
      {isOpen && <Details status={status} />}
    </>
  )
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span className="row num">
      <strong>{title}</strong>
      {children}
    </span>
  )
}

/** The number of devices online, and those of the other states that a device has. */
function Devices({ device }: Pick<SystemStatus['system'], 'device'>) {
  const isAllowed = useStore($isAllowed)
  const { 'num-online': online, 'num-all': all, 'num-warn': warnings, 'num-pending': pending } = device
  const counts: readonly [count: number, text: Translation, link: string, tone: Tone][] = [
    [all - online, TEXT.numOffline, linkTo('allDevices', { state: 'offline' }), 'bad'],
    [warnings, TEXT.numWarnings, linkTo('warningDevices'), 'warn'],
    [isAllowed({ access: DEVICE_ADV_CONTROL }) ? pending : 0, TEXT.numPending, linkTo('pendingDevices'), 'busy']
  ]
  return (
    <Facts title={t(TEXT.devices)}>
      <a href={`#${linkTo('allDevices')}`}>{t(TEXT.numOnline, number(online))}</a>
      {counts.map(
        ([count, text, link, tone]) =>
          count > 0 && (
            <a key={link} href={`#${link}`} data-tone={tone}>
              {t(text, number(count))}
            </a>
          )
      )}
    </Facts>
  )
}

function NextChange() {
  const next = useNextChange()
  if (!next) return null
  const { channel, edge } = next
  return (
    <a className="cut" href={`#${channelLink(channel.id)}`} data-tip="">
      {shortTime(edge.at * 1000)} {t(edge.enable ? TEXT.starts : TEXT.stops, channel.name)}
    </a>
  )
}
