// Calls on channels beside those that edit them: switching by an operator, and duplicating (docs/wire.md, "Channels").
import { CHANNEL_CONTROL, CHANNEL_EDIT } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

/**
 * Puts an input on air at once: the node id of the main input (0 for a publisher) or of a backup, or the slate. A backup or the slate is then
 * held: the failover rule chooses again with `auto`, when the channel stops, or when the input has lost its media for `after-s`. The main input
 * needs no hold, because the rule keeps it as well. 16 if it is no input of the channel; 38 with `switch-fault`.
 */
export const switchChannelInput = declareCall<{ id: number; input: number | 'slate' | 'auto' }>(
  'POST',
  '/channel/input/switch',
  CHANNEL_CONTROL
)

/** An input or output that a copy of a channel does not have. The name is empty if the caller may not see it. */
export interface LeftOut {
  name: string
  /** `port`: it listens at a port. `target`: only one output may send there. `device`: it plays one channel only. `hidden`: not visible to the caller. */
  why: 'port' | 'target' | 'device' | 'hidden'
}

/**
 * Adds a stopped copy of a channel with new keys and without its schedule. Outputs are copied with new keys, except those that cannot exist twice.
 * 16; 1006 licence limit.
 */
export const duplicateChannel = declareCall<{ id: number }, { id: number; name: string; 'left-out': LeftOut[] }>(
  'POST',
  '/channel/duplicate',
  CHANNEL_EDIT
)
