import type { SystemStatus } from '../../../contract/system.ts'
import { HttpsLabel } from '../../parts/settings/https-label.tsx'
import { t } from '../../text/language.ts'
import { degrees, megabytes, number, percent } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { Meter } from '../../ui/chart/meter.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { DETAILS_TEXT } from './details-text.ts'
import * as TEXT from './text.ts'

/** Usage of memory or disk. @param used megabytes */
const usageText = (used: number, total: number) => `${megabytes(used)} / ${megabytes(total)}`

/** Load, sensors and uptime of the hub's machine. A missing sensor is shown as 'Not available'. */
export function Machine({ status }: { status: SystemStatus }) {
  const { info, status: load, cloud } = status.system
  const { cpu, mem, 'mem-total': total, 'disk-info': disk, temperature, 'fan-rpm': fanSpeed } = load
  const https = info['https-state']
  const since = (seconds: number | undefined) =>
    seconds !== undefined && <ElapsedTime since={(info['date-time'] - seconds) * 1000} />
  return (
    <Card title={t(TEXT.system)} note={info['device-name'] ?? info['host-name']}>
      {cpu !== undefined && <Meter label={t(DETAILS_TEXT.cpu)} value={cpu / 100} text={percent(cpu)} />}
      {mem !== undefined && total !== undefined && (
        <Meter
          label={t(DETAILS_TEXT.memory)}
          value={mem}
          text={usageText(mem * total, total)}
          criticalFrom={0.97}
          warnFrom={0.9}
        />
      )}
      {disk && (
        <Meter
          label={t(DETAILS_TEXT.disk)}
          value={1 - disk.free / disk.total}
          text={usageText(disk.total - disk.free, disk.total)}
          criticalFrom={0.97}
          warnFrom={0.9}
        />
      )}
      <DescriptionList
        items={[
          [t(DETAILS_TEXT.temperature), temperature === undefined ? t(DETAILS_TEXT.unavailable) : degrees(temperature)],
          [
            t(DETAILS_TEXT.fan),
            fanSpeed === undefined ? t(DETAILS_TEXT.unavailable) : t(DETAILS_TEXT.rpm, number(fanSpeed))
          ],
          [t(DETAILS_TEXT.upTime), since(load['up-time'])],
          ['HTTPS', https && <HttpsLabel state={https} />],
          [
            t(DETAILS_TEXT.cloud),
            cloud ? (
              <StatusLabel
                tone={cloud.online ? 'good' : 'bad'}
                text={t(cloud.online ? DETAILS_TEXT.online : DETAILS_TEXT.offline)}
              />
            ) : (
              t(DETAILS_TEXT.unconnected)
            )
          ],
          [t(DETAILS_TEXT.version), info['cloud-version']],
          [t(DETAILS_TEXT.hardware), info['hardware-ver']]
        ]}
      />
    </Card>
  )
}
