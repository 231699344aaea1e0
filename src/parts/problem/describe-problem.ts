// Words of a problem, and the page on which it is mended.
import {
  CHANNEL_VIEW,
  DEVICE_VIEW,
  FIRMWARE_VIEW,
  INPUT_OUTPUT_EDIT,
  SYSTEM_CONFIG_VIEW
} from '../../../contract/access/permissions.ts'
import type { Problem } from '../../../contract/problem.ts'
import { channelLink, linkTo } from '../../paths.ts'
import { type HealthLabel, healthLabel } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import * as TEXT from './text.ts'

/** The name of what the problem belongs to. */
export function problemName({ kind, name = '', 'channel-name': channelName }: Problem): string {
  if (kind === 'disk') return t(TEXT.storage)
  if (kind === 'engine') return t(TEXT.engine)
  if (kind === 'port') return t(TEXT.port, name)
  if (kind === 'certificate') return t(TEXT.certificate)
  if (kind === 'backup') return t(TEXT.backup)
  if (kind === 'machine') return t(TEXT.machine)
  return channelName ? t(TEXT.ofChannel, channelName, name) : name
}

/** The label of the verdict on what the problem belongs to, in the colour of the problem. */
export function problemLabel({ kind, severity }: Problem): HealthLabel {
  if (kind === 'device') return healthLabel({ verdict: severity === 'bad' ? 'offline' : 'warning' })
  if (severity === 'bad') return healthLabel({ verdict: 'down' })
  // A failed output degrades its channel, but is itself down.
  if (kind === 'output') return { ...healthLabel({ verdict: 'down' }), tone: 'warn' }
  return healthLabel({ verdict: kind === 'channel' ? 'degraded' : 'warning' })
}

type Rights = (call: { access: number | 'admin' }) => boolean

/**
 * The link to the screen where a problem is fixed; undefined if there is none, or the user has no permission to open
 * it.
 */
export function mendLink(problem: Problem, isAllowed: Rights): { href: string; text: string } | undefined {
  const { kind, channel, output, sn, name = '' } = problem
  const isEditable = isAllowed({ access: INPUT_OUTPUT_EDIT })
  if (kind === 'output' && output !== undefined && isEditable && output !== channel && sn === undefined)
    return { href: linkTo('outputs', { key: name, edit: String(output) }), text: t(TEXT.editOutput) }
  if (channel !== undefined && isAllowed({ access: CHANNEL_VIEW }))
    return { href: channelLink(channel), text: t(TEXT.openChannel) }
  if (sn !== undefined && isAllowed({ access: DEVICE_VIEW }))
    return { href: linkTo('deviceDetail', { sn, catalog: '0' }), text: t(TEXT.openDevice) }
  if (kind === 'port' && isAllowed({ access: CHANNEL_VIEW }))
    return { href: linkTo('channels'), text: t(TEXT.openPorts) }
  if (kind === 'certificate' && isAllowed({ access: SYSTEM_CONFIG_VIEW }))
    return { href: linkTo('certificate'), text: t(TEXT.certificate) }
  if (kind === 'backup' && isAllowed({ access: 'admin' })) return { href: linkTo('backup'), text: t(TEXT.backup) }
  if (kind === 'disk' && isAllowed({ access: FIRMWARE_VIEW }))
    return { href: linkTo('firmware'), text: t(TEXT.freeSpace) }
  return undefined
}
