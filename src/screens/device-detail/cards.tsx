// Cards of the device page: preview, identity, signals, activity, network, connection, port forwarding, load,
// storage, log. Values that the device did not report are left out.
import type { ReactNode } from 'react'
import { type Device, REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { hasConnectionConfig, isInteractive } from '../../../contract/device/families.ts'
import { addDeviceStream } from '../../../contract/device/stream.ts'
import { listLog } from '../../../contract/log.ts'
import { listPortForwards } from '../../../contract/port-forward.ts'
import { Actions, CallButton } from '../../parts/actions.tsx'
import { CONNECTION_TEXT, connectionLines } from '../../parts/device/connection-lines.ts'
import { CONNECTION, deviceName } from '../../parts/device/device-actions.tsx'
import { FACT_COLUMNS, NETWORK_COLUMNS } from '../../parts/device/device-columns.tsx'
import { LivePreview, signalOf } from '../../parts/device/device-facts.tsx'
import { diskLines } from '../../parts/device/device-lines.ts'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { LogLines } from '../../parts/log-lines.tsx'
import { linkTo } from '../../paths.ts'
import { sendMutation } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { $inputs } from '../../state/sources.ts'
import { type Translation, t } from '../../text/language.ts'
import { bitRate, degrees, megabits, number, percent } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Card } from '../../ui/card.tsx'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { type DescriptionItem, DescriptionList } from '../../ui/description-list.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/columns.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ForwardCard } from './forward-card.tsx'
import { activityLines, signalLines } from './signals.tsx'
import { $log, $streams } from './store.ts'
import { TEXT } from './text.ts'

const rate = (bps: number) => bitRate(bps / 1000)

/** How the device connects to the hub, with the command that changes it. */
const ConnectionCard = ({ device }: { device: Device }) => (
  <Card
    title={t(CONNECTION_TEXT.title)}
    action={<Actions actions={[CONNECTION]} rows={[device]} nameOf={deviceName} />}
  >
    <DescriptionList items={connectionLines(device)} />
  </Card>
)

/** The streams of a camera, server or device, of which inputs are made. */
function StreamCard({ device: { sn } }: { device: Device }) {
  const { value } = useStore($streams)
  const savedInputs = useStore($inputs).items
  const list = value?.list ?? []
  return (
    <Card title={t(TEXT.streams)}>
      {usePlaceholder($streams, list.length === 0, <p>{t(TEXT.noStreams)}</p>) ??
        list.map(({ id, name, detail, playable, inputs }) => (
          <p key={id} className="row">
            {name} <small className="muted">{detail}</small>
            <span className="push" />
            {inputs?.map((input) => {
              const saved = savedInputs.find((each) => each.id === input)?.name
              return (
                <a key={input} href={`#${linkTo('inputs', { key: saved })}`}>
                  {t(TEXT.input)} {saved}
                </a>
              )
            })}
            {playable && !inputs?.length && (
              <CallButton
                call={addDeviceStream}
                label={t(TEXT.addInput)}
                onClick={() =>
                  sendMutation(addDeviceStream, { sn, stream: id }, { success: { text: OUTCOME.added, names: [name] } })
                }
              />
            )}
          </p>
        ))}
    </Card>
  )
}

export function Cards({ device }: { device: Device }) {
  const isAllowed = useStore($isAllowed)
  const { status = {}, 'link-encrypted': isEncrypted } = device
  const {
    cpu = [],
    'eth-rx': rx = [],
    'eth-tx': tx = [],
    memory,
    temperature,
    'fan-rpm': fan,
    'link-speed': speed
  } = status
  const rateMax = Math.max(...rx, ...tx)
  const factsCard = (title: Translation, lines: readonly DescriptionItem[], header?: false | ReactNode) =>
    (header || lines.some(([, value]) => value)) && (
      <Card title={t(title)} action={title === TEXT.identity && <CopyButton text={device.sn} label={t(TEXT.copySn)} />}>
        {header}
        <DescriptionList items={lines} />
      </Card>
    )
  const isAccepted = device['reg-state'] === REGISTRATION_STATE.accepted
  const isOffline = device['online-date'] === 0
  const columnLines = (columns: readonly Column<Device>[]) =>
    columns.map(
      ({ key, title, text, cell = text }): DescriptionItem => [
        t(key === 'connect-ip' && isOffline ? TEXT.lastFrom : title),
        cell?.(device)
      ]
    )
  return (
    <div className="cards">
      <Card title={t(TEXT.picture)} note={signalOf(device)}>
        <LivePreview device={device} />
      </Card>
      {factsCard(TEXT.identity, columnLines(FACT_COLUMNS))}
      {factsCard(TEXT.ports, signalLines(device))}
      {factsCard(TEXT.activity, activityLines(status))}
      {factsCard(TEXT.network, [
        ...columnLines(NETWORK_COLUMNS),
        [t(TEXT.link), isEncrypted !== undefined && t(isEncrypted ? TEXT.encrypted : TEXT.plain)],
        [t(TEXT.speed), speed !== undefined && (speed > 0 ? megabits(speed) : t(TEXT.noCable))],
        [t(TEXT.webPorts), [status['http-port'], status['https-port']].filter(Boolean).join(', ')]
      ])}
      {device['serves-streams'] && !isOffline && <StreamCard device={device} />}
      {isAccepted && (device['sends-over'] || hasConnectionConfig(device)) && <ConnectionCard device={device} />}
      {isAccepted && isInteractive(device) && isAllowed(listPortForwards) && <ForwardCard device={device} />}
      {factsCard(
        TEXT.load,
        [
          [t(TEXT.memory), memory !== undefined && percent(memory)],
          [t(TEXT.temperature), temperature !== undefined && degrees(temperature)],
          [t(TEXT.fan), fan !== undefined && t(TEXT.rpm, number(fan))]
        ],
        // The device's own samples. They have no timestamps, so the sparklines have no time axis.
        cpu.length + rx.length > 0 && (
          <>
            <Sparkline label={t(TEXT.cpu)} values={cpu} max={100} format={percent} />
            <Sparkline label={t(TEXT.rx)} values={rx} max={rateMax} format={rate} />
            <Sparkline label={t(TEXT.tx)} values={tx} max={rateMax} format={rate} series={1} />
          </>
        )
      )}
      {factsCard(
        TEXT.storage,
        diskLines(status.disks).map(
          ([name, text, tone]): DescriptionItem => [name, <StatusLabel tone={tone} text={text} />]
        )
      )}
      {isAllowed(listLog) && (
        <Card
          title={t(TEXT.log)}
          fullWidth
          action={
            <>
              <a href={`#${linkTo('problems', { tab: 'all', sn: device.sn })}`}>{t(TEXT.events)}</a>
              <a href={`#${linkTo('logs', { tab: 'device', sn: device.sn })}`}>{t(TEXT.wholeLog)}</a>
            </>
          }
        >
          <LogLines store={$log} />
        </Card>
      )}
    </div>
  )
}
