import { CHANNEL_VIEW, DEVICE_ADV_CONTROL, DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import type { SystemStatus } from '../../../contract/system.ts'
import { channelLink, linkTo } from '../../paths.ts'
import { $isAllowed } from '../../state/session.ts'
import { shortTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import type { Tone } from '../../text/states.ts'
import { useStore } from '../../ui/use-store.ts'
import { DETAILS_TEXT } from './details-text.ts'
import { useNextChange } from './next-change.ts'
import * as TEXT from './text.ts'

/** Devices by state, and the next start or stop by a schedule. */
export function DeviceStrip({ device }: Pick<SystemStatus['system'], 'device'>) {
  const isAllowed = useStore($isAllowed)
  const maySeeDevices = isAllowed({ access: DEVICE_VIEW })
  const offline = device['num-all'] - device['num-online']
  return (
    <div className="figures">
      {maySeeDevices && (
        <>
          <Total
            title={t(DETAILS_TEXT.devicesOnline)}
            count={device['num-online']}
            note={t(DETAILS_TEXT.ofAll, device['num-all'])}
            href={linkTo('allDevices')}
          />
          <Total
            title={t(DETAILS_TEXT.warnings)}
            count={device['num-warn']}
            tone={device['num-warn'] > 0 ? 'warn' : undefined}
            href={linkTo('warningDevices')}
          />
          <Total
            title={t(DETAILS_TEXT.offline)}
            count={offline}
            tone={offline > 0 ? 'bad' : undefined}
            href={linkTo('allDevices', { state: 'offline' })}
          />
        </>
      )}
      {isAllowed({ access: DEVICE_ADV_CONTROL }) && (
        <Total title={t(DETAILS_TEXT.pending)} count={device['num-pending']} href={linkTo('pendingDevices')} />
      )}
      {isAllowed({ access: CHANNEL_VIEW }) && <NextChange />}
    </div>
  )
}

/** The next start or stop of a channel by its schedule. */
function NextChange() {
  const next = useNextChange()
  return (
    <Total
      title={t(DETAILS_TEXT.nextChange)}
      count={next ? shortTime(next.edge.at * 1000) : '–'}
      note={next ? t(next.edge.enable ? TEXT.starts : TEXT.stops, next.channel.name) : t(DETAILS_TEXT.noSchedule)}
      href={next && channelLink(next.channel.id)}
    />
  )
}

interface TotalProps {
  title: string
  /** A number, or a text in its place. */
  count: number | string
  /** The whole of which the count is a part. */
  note?: string
  tone?: Tone
  /** Link to the list; undefined for users without the permission to view it. */
  href?: string
}

/** A count, with a link to the list of the counted objects. */
function Total({ title, count, note, tone, href }: TotalProps) {
  const content = (
    <>
      <span>{title}</span>
      <strong data-tone={tone}>{typeof count === 'number' ? number(count) : count}</strong>
      <small>{note}</small>
    </>
  )
  return href ? (
    <a className="figure" href={`#${href}`}>
      {content}
    </a>
  ) : (
    <div className="figure">{content}</div>
  )
}
