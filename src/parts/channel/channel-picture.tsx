// The picture of a channel: what its outputs receive, never the picture of an input that is not on air.
import type { Channel } from '../../../contract/stream/channel.ts'
import type { ChannelInput } from '../../../contract/stream/leg.schema.ts'
import { channelHealth } from '../../other-hubs.ts'
import { PreviewImage } from '../../preview/preview-image.tsx'
import { previews } from '../../state/previews.ts'
import { healthLabel } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { isOnAir } from './channel-state.ts'

const TEXT = {
  pictureOf: ['Picture on air of {0}', '{0} 的播出画面'],
  noPicture: ['No picture', '无画面'],
  hidden: ['No access to a device of this channel', '无权查看此频道的某个设备'],
  devicePreview: ['Device preview', '设备预览'],
  main: ['Main', '主用'],
  backup: ['Backup {0}', '备用 {0}'],
  slate: ['Slate', '垫片']
} as const satisfies Record<string, Translation>

/** The backup on air, from 1; 0 = the main input. */
const backupOnAir = ({ backups = [], 'on-air': onAir }: Channel) =>
  backups.findIndex(({ id }) => id === onAir?.input) + 1

/** The input on air, otherwise the main input. */
export const inputOnAir = (channel: Channel): ChannelInput | null =>
  channel.backups?.[backupOnAir(channel) - 1] ?? channel.input

/** The input on air, or the slate: 'Main', 'Backup 1', 'Slate'. */
export function onAirText(channel: Channel): string {
  if (channel['on-air']?.slate) return t(TEXT.slate)
  const backup = backupOnAir(channel)
  return backup ? t(TEXT.backup, backup) : t(TEXT.main)
}

/** The role of an input. @param backup number of the backup, from 1; 0 = the main input */
export const roleText = (backup: number): string => (backup ? t(TEXT.backup, backup) : t(TEXT.main))

/**
 * The picture of a channel, with a tag that says its age when it is stale. While the channel is down, viewers do not
 * see what moves here: the picture is dimmed, and the tag has the verdict.
 * @param tagged whether the tag always says which input is on air
 */
export function ChannelPicture({ channel, tagged }: { channel: Channel; tagged?: boolean }) {
  const { name, config, 'preview-id': id, 'on-air': onAir, input, backups = [] } = channel
  const health = channelHealth(channel)
  const isDown = health.verdict === 'down'
  const verdict = healthLabel(health).text
  if (!config.enable) return <div className="picture">{verdict}</div>
  const alt = t(TEXT.pictureOf, name)
  // The hub sends the picture of a channel only to users with access to all devices among its inputs.
  const emptyText = t([input, ...backups].some((leg) => leg?.hidden) ? TEXT.hidden : TEXT.noPicture)
  if (id) {
    const source = isDown ? verdict : tagged ? onAirText(channel) : undefined
    return <PreviewImage previews={previews} id={id} alt={alt} source={source} emptyText={emptyText} dimmed={isDown} />
  }
  // Some hubs have previews of devices only.
  const deviceId = inputOnAir(channel)?.['preview-id']
  if (!deviceId || !isOnAir(channel) || onAir?.slate) return <div className="picture">{emptyText}</div>
  return (
    <PreviewImage previews={previews} id={deviceId} alt={alt} source={t(TEXT.devicePreview)} emptyText={emptyText} />
  )
}
