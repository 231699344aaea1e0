import type { ReactNode } from 'react'
import type { SystemStatus } from '../../../contract/system.ts'
import { t } from '../../text/language.ts'
import { degrees, megabits, megabytes, number, percent } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { TEXT } from './text.ts'

/** The hub's machine: what is measured, and what it has no sensor for. */
export function Machine({ status }: { status: SystemStatus }) {
  const { info, status: now, cloud } = status.system
  const disk = now['disk-info']
  const used = disk && 1 - disk.free / disk.total
  const at = info['date-time'] * 1000
  const absent = <span className="muted">{t(TEXT.none)}</span>
  return (
    <Card title={t(TEXT.system)} note={info['host-name']}>
      {now.cpu !== undefined && <Meter label={t(TEXT.cpu)} value={now.cpu / 100} text={percent(now.cpu)} />}
      {now.mem !== undefined && (
        <Meter label={t(TEXT.memory)} value={now.mem} text={shareOf(now.mem, now['mem-total'])} bad={0.97} warn={0.9} />
      )}
      {disk && used !== undefined && (
        <Meter label={t(TEXT.disk)} value={used} text={t(TEXT.free, megabytes(disk.free))} bad={0.97} warn={0.9} />
      )}
      <dl className="facts">
        <Fact name={t(TEXT.temperature)}>{now.temperature === undefined ? absent : degrees(now.temperature)}</Fact>
        <Fact name={t(TEXT.fan)}>{now['fan-rpm'] === undefined ? absent : t(TEXT.rpm, number(now['fan-rpm']))}</Fact>
        <Fact name={t(TEXT.network)}>
          {now['net-rx'] === undefined ? absent : `↓ ${megabits(now['net-rx'])}  ↑ ${megabits(now['net-tx'] ?? 0)}`}
        </Fact>
        <Fact name={t(TEXT.upTime)}>{now['up-time'] !== undefined && <Since at={at - now['up-time'] * 1000} />}</Fact>
        <Fact name={t(TEXT.hubTime)}>
          {now['hub-up-time'] !== undefined && <Since at={at - now['hub-up-time'] * 1000} />}
        </Fact>
        <Fact name={t(TEXT.cloud)}>
          {cloud ? (
            <State tone={cloud.online ? 'good' : 'bad'} text={t(cloud.online ? TEXT.cloudOnline : TEXT.cloudOffline)} />
          ) : (
            <span className="muted">{t(TEXT.cloudNone)}</span>
          )}
        </Fact>
        <Fact name={t(TEXT.version)}>{info['cloud-version']}</Fact>
      </dl>
    </Card>
  )
}

function shareOf(share: number, total: number | undefined): string {
  return total === undefined ? percent(share * 100) : `${megabytes(share * total)} / ${megabytes(total)}`
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
