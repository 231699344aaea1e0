// Creates the notifications about the problems of the hub.
import { Notifications } from '../../alerts/notifications.ts'
import { createSenders } from '../../alerts/senders.ts'
import type { ChannelControl } from '../../channels/channel-control.ts'
import type { Lifetime } from '../../lifetime.ts'
import { type ActionParts, createActions } from './actions.ts'
import { type DescriberParts, ProblemDescriber } from './describer.ts'

interface NotificationParts extends DescriberParts, Omit<ActionParts, 'applyChannel'> {
  channelControl: Pick<ChannelControl, 'apply'>
  lifetime: Lifetime
  /** Milliseconds since the epoch. */
  clock: (() => number) | undefined
}

export function createNotifications(parts: NotificationParts): Notifications {
  const { store, problems, lifetime, channelControl, clock: now } = parts
  const runAction = createActions({ ...parts, applyChannel: channelControl.apply })
  const describer = lifetime.add(new ProblemDescriber(parts))
  return lifetime.add(new Notifications({ store, problems, senders: createSenders(store), describer, runAction, now }))
}
