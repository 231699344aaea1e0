// What a device is, where it is, how busy it is, and what it is used for. What it did not say is not shown.

import type { Device } from '../../../contract/device.ts'
import { listLog } from '../../../contract/log.ts'
import { CHANNEL_VIEW } from '../../../contract/permissions.ts'
import { FAMILY_NAMES, shownSerial } from '../../../contract/products.ts'
import { directionOf, LivePicture, signalOf } from '../../parts/device-facts.tsx'
import { LogLines } from '../../parts/log-lines.tsx'
import { link } from '../../paths.ts'
import { $may } from '../../state/session.ts'
import { dateTime, duration } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bitRate, degrees, megabits, number, percent } from '../../text/numbers.ts'
import { registrationWord } from '../../text/states.ts'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Since } from '../../ui/since.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $log } from './store.ts'
import { TEXT } from './text.ts'

interface CardProps {
  device: Device
}

export function PictureCard({ device }: CardProps) {
  return (
    <Card title={t(TEXT.picture)} note={signalOf(device)}>
      <LivePicture device={device} />
    </Card>
  )
}

export function IdentityCard({ device }: CardProps) {
  const { status, module } = device
  const { text, tone } = registrationWord(device['reg-state'])
  const upTime = status?.['up-time']
  const online = device['online-date']
  return (
    <Card title={t(TEXT.identity)}>
      <Facts
        lines={[
          [
            t(TEXT.sn),
            <span className="row" key="sn">
              <code>{shownSerial(device.sn, module)}</code>
              <CopyButton text={device.sn} label={t(TEXT.copySn)} />
            </span>
          ],
          [t(TEXT.family), FAMILY_NAMES[module]],
          [t(TEXT.model), device['module-name']],
          [t(TEXT.hardware), device['hardware-ver']],
          [t(TEXT.firmware), device['firmware-ver']],
          [t(TEXT.direction), directionOf(device)],
          [t(TEXT.registration), <State key="registration" tone={tone} text={text} />],
          [t(TEXT.applied), device['apply-date'] > 0 && dateTime(device['apply-date'])],
          [t(TEXT.online), online > 0 && <Since key="online" at={online} />],
          [t(TEXT.upTime), upTime !== undefined && duration(upTime)]
        ]}
      />
    </Card>
  )
}

export function NetworkCard({ device }: CardProps) {
  const { eth, wifi, mobile, softap, rndis, mac, ...status } = device.status ?? {}
  const speed = status['link-speed']
  const ports = [status['http-port'], status['https-port']].filter((port) => port !== undefined)
  return (
    <Card title={t(TEXT.network)}>
      <Facts
        lines={[
          [t(TEXT.linkIp), device['connect-ip']],
          [t(TEXT.eth), eth],
          [t(TEXT.speed), speed !== undefined && (speed > 0 ? megabits(speed) : t(TEXT.noCable))],
          [t(TEXT.mac), mac],
          [t(TEXT.wifi), wifi],
          [t(TEXT.mobile), mobile],
          [t(TEXT.softap), softap],
          [t(TEXT.rndis), rndis],
          [t(TEXT.webPorts), ports.join(', ')]
        ]}
      />
    </Card>
  )
}

const rate = (bps: number) => bitRate(bps / 1000)

/** Its own samples: they have no times, so what is shown is where they go. */
export function LoadCard({ device: { status = {} } }: CardProps) {
  const { cpu = [], 'eth-rx': rx = [], 'eth-tx': tx = [], memory, temperature, 'fan-rpm': fan } = status
  const measured = cpu.length + rx.length + tx.length > 0
  if (!measured && memory === undefined && temperature === undefined && fan === undefined) return null
  const busiest = Math.max(0, ...rx, ...tx)
  return (
    <Card title={t(TEXT.load)}>
      <Sparkline label={t(TEXT.cpu)} values={cpu} top={100} format={percent} />
      <Sparkline label={t(TEXT.rx)} values={rx} top={busiest} format={rate} />
      <Sparkline label={t(TEXT.tx)} values={tx} top={busiest} format={rate} series={1} />
      {memory !== undefined && <Meter label={t(TEXT.memory)} value={memory / 100} text={percent(memory)} warn={0.9} />}
      <Facts
        lines={[
          [t(TEXT.temperature), temperature !== undefined && degrees(temperature)],
          [t(TEXT.fan), fan !== undefined && t(TEXT.rpm, number(fan))]
        ]}
      />
    </Card>
  )
}

/** The channels that have it as input, for who may view them. */
export function ChannelsCard({ device }: CardProps) {
  const may = useStore($may)
  const names = device['owner-i'] ?? []
  const ids = device['owner-i-d'] ?? []
  if (!may({ who: CHANNEL_VIEW })) return null
  return (
    <Card title={t(TEXT.channels)}>
      {names.length > 0 ? (
        <ul className="lines">
          {names.map((name, at) => (
            <li key={ids[at] ?? name}>
              <a className="cut" href={`#${link('channels', { key: name })}`}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">{t(TEXT.noChannels)}</p>
      )}
    </Card>
  )
}

/** What happened to it, newest first, for who may view logs. */
export function LogCard() {
  const may = useStore($may)
  if (!may(listLog)) return null
  return (
    <Card title={t(TEXT.log)} span>
      <LogLines of={$log} />
    </Card>
  )
}
