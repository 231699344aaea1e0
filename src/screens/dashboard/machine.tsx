import type { SystemStatus } from '../../../contract/system.ts'
import { t } from '../../text/language.ts'
import { degrees, megabytes, number, percent } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Meter } from '../../ui/chart/meter.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { TEXT } from './text.ts'

/** Megabytes of memory or disk. */
const ofAll = (used: number, total: number) => `${megabytes(used)} / ${megabytes(total)}`

/** The hub's machine: what is measured, and what it has no sensor for. */
export function Machine({ status }: { status: SystemStatus }) {
  const { info, status: now, cloud } = status.system
  const { cpu, mem, 'mem-total': total, 'disk-info': disk, temperature, 'fan-rpm': fan } = now
  const since = (seconds: number | undefined) =>
    seconds !== undefined && <Since at={(info['date-time'] - seconds) * 1000} />
  return (
    <Card title={t(TEXT.system)} note={info['host-name']}>
      {cpu !== undefined && <Meter label={t(TEXT.cpu)} value={cpu / 100} text={percent(cpu)} />}
      {mem !== undefined && total !== undefined && (
        <Meter label={t(TEXT.memory)} value={mem} text={ofAll(mem * total, total)} bad={0.97} warn={0.9} />
      )}
      {disk && (
        <Meter
          label={t(TEXT.disk)}
          value={1 - disk.free / disk.total}
          text={ofAll(disk.total - disk.free, disk.total)}
          bad={0.97}
          warn={0.9}
        />
      )}
      <Facts
        lines={[
          [t(TEXT.temperature), temperature === undefined ? t(TEXT.none) : degrees(temperature)],
          [t(TEXT.fan), fan === undefined ? t(TEXT.none) : t(TEXT.rpm, number(fan))],
          [t(TEXT.upTime), since(now['up-time'])],
          [
            t(TEXT.cloud),
            cloud ? (
              <State tone={cloud.online ? 'good' : 'bad'} text={t(cloud.online ? TEXT.online : TEXT.offline)} />
            ) : (
              t(TEXT.none)
            )
          ],
          [t(TEXT.version), info['cloud-version']]
        ]}
      />
    </Card>
  )
}
