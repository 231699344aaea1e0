import type { Channel } from '../../../contract/stream/channel.ts'
import { linkTo } from '../../paths.ts'
import { type Translation, t } from '../../text/language.ts'
import { Icon } from '../../ui/icon.tsx'

const TEXT = {
  watch: ['Watch', '观看']
} as const satisfies Record<string, Translation>

/** The button that plays a channel, for users with access to its picture. @param iconOnly the label is the tooltip */
export function WatchLink({ channel, iconOnly }: { channel: Channel; iconOnly?: boolean }) {
  if (!channel['preview-id']) return null
  const label = t(TEXT.watch)
  return (
    <a
      href={`#${linkTo('watch', { channelId: String(channel.id) })}`}
      className={`button ${iconOnly ? 'bare' : ''}`}
      aria-label={`${label}: ${channel.name}`}
      data-tip={iconOnly && label}
    >
      <Icon name="eye" />
      {!iconOnly && <span>{label}</span>}
    </a>
  )
}
