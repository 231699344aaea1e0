import { linkTo } from '../../paths.ts'

interface ChannelLinkProps {
  id: number | undefined
  name: string | undefined
}

/** The name of a channel, which leads to its page. */
export const ChannelLink = ({ id, name }: ChannelLinkProps) => (
  <a href={`#${linkTo('channelDetail', { channelId: String(id) })}`}>{name}</a>
)
