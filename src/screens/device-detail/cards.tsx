// What a device is, where it is, how busy it is, and what it is used for. What it did not say is not shown.
import type { ReactNode } from 'react'
import type { Device } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import { FACTS, NETWORK } from '../../parts/device/device-columns.tsx'
import { LivePicture, signalOf } from '../../parts/device/device-facts.tsx'
import { diskLines } from '../../parts/device/device-lines.ts'
import { LogLines } from '../../parts/log-lines.tsx'
import { $may } from '../../state/session.ts'
import { type Pair, t } from '../../text/language.ts'
import { bitRate, degrees, megabits, number, percent } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { type FactLine, Facts } from '../../ui/facts.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table/columns.tsx'
import { useStore } from '../../ui/use-store.ts'
import { activityLines, signalLines } from './signals.tsx'
import { $log } from './store.ts'
import { TEXT } from './text.ts'

const rate = (bps: number) => bitRate(bps / 1000)

export function Cards({ device }: { device: Device }) {
  const may = useStore($may)
  const { status = {} } = device
  const {
    cpu = [],
    'eth-rx': rx = [],
    'eth-tx': tx = [],
    memory,
    temperature,
    'fan-rpm': fan,
    'link-speed': speed
  } = status
  const busiest = Math.max(...rx, ...tx)
  const facts = (title: Pair, lines: readonly FactLine[], before?: false | ReactNode) =>
    (before || lines.some(([, value]) => value)) && (
      <Card title={t(title)} more={title === TEXT.identity && <CopyButton text={device.sn} label={t(TEXT.copySn)} />}>
        {before}
        <Facts lines={lines} />
      </Card>
    )
  const linesOf = (columns: readonly Column<Device>[]) =>
    columns.map(({ title, text, cell = text }): FactLine => [t(title), cell?.(device)])
  return (
    <div className="cards">
      <Card title={t(TEXT.picture)} note={signalOf(device)}>
        <LivePicture device={device} />
      </Card>
      {facts(TEXT.identity, linesOf(FACTS))}
      {facts(TEXT.ports, signalLines(device))}
      {facts(TEXT.activity, activityLines(status))}
      {facts(TEXT.network, [
        ...linesOf(NETWORK),
        [t(TEXT.speed), speed !== undefined && (speed > 0 ? megabits(speed) : t(TEXT.noCable))],
        [t(TEXT.webPorts), [status['http-port'], status['https-port']].filter(Boolean).join(', ')]
      ])}
      {facts(
        TEXT.load,
        [
          [t(TEXT.memory), memory !== undefined && percent(memory)],
          [t(TEXT.temperature), temperature !== undefined && degrees(temperature)],
          [t(TEXT.fan), fan !== undefined && t(TEXT.rpm, number(fan))]
        ],
        // Its own samples: they have no times, so what is shown is where they go.
        cpu.length + rx.length > 0 && (
          <>
            <Sparkline label={t(TEXT.cpu)} values={cpu} top={100} format={percent} />
            <Sparkline label={t(TEXT.rx)} values={rx} top={busiest} format={rate} />
            <Sparkline label={t(TEXT.tx)} values={tx} top={busiest} format={rate} series={1} />
          </>
        )
      )}
      {facts(
        TEXT.storage,
        diskLines(status.disks).map(([name, text, tone]): FactLine => [name, <State tone={tone} text={text} />])
      )}
      {may(listLog) && (
        <Card title={t(TEXT.log)} span>
          <LogLines of={$log} />
        </Card>
      )}
    </div>
  )
}
