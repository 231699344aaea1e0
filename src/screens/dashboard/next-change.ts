import type { Channel } from '../../../contract/stream/channel.ts'
import { $channels } from '../../state/channels.ts'
import { useStore } from '../../ui/use-store.ts'

const edgeOf = (channel: Channel) => channel['next-edge']?.at ?? Number.POSITIVE_INFINITY

/** The channel that its schedule starts or stops next; undefined without schedules. */
export function useNextChange(): { channel: Channel; edge: NonNullable<Channel['next-edge']> } | undefined {
  const [channel] = useStore($channels).items.toSorted((a, b) => edgeOf(a) - edgeOf(b))
  const edge = channel?.['next-edge']
  return channel && edge ? { channel, edge } : undefined
}
