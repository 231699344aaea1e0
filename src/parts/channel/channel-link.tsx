import { channelLink } from '../../paths.ts'
import { $display } from '../../state/session.ts'
import { useStore } from '../../ui/use-store.ts'

interface ChannelLinkProps {
  id: number | undefined
  name: string | undefined
}

/** The name of a channel, with a link to its page; without it on a wall display, which cannot open other pages. */
export const ChannelLink = ({ id, name }: ChannelLinkProps) =>
  useStore($display) === undefined ? <a href={`#${channelLink(id)}`}>{name}</a> : name
