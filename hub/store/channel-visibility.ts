// Visibility of the channels that have one of their own. A channel without a row inherits from the global default. A
// row outlives its channel, because the log still names the channel; ids of channels are never reused.
import { ALL_GROUPS, type Visibility } from '../../contract/access/visibility.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

export interface ChannelVisibilityRow {
  channel_id: number
  is_inherit: number
  group_mask: number
  usr_mask: number
}

/** The channels that a user may see, in a form that SQL can use. */
export interface VisibleChannels {
  /** Whether the user sees the channels that follow the global default. */
  byDefault: boolean
  /** Ids of the channels for which the opposite applies, including deleted ones. */
  exceptions: readonly number[]
}

export function channelVisibility(database: Database) {
  const rows = createQueryCache(database, ['channel_visibility'], (_all: 'all') =>
    database.all<ChannelVisibilityRow>('SELECT * FROM channel_visibility')
  )
  return {
    /** The rows of channels that have or had a visibility of their own, including deleted channels. */
    all: (): readonly ChannelVisibilityRow[] => rows('all') ?? [],
    byId: (id: number) =>
      database.get<ChannelVisibilityRow>('SELECT * FROM channel_visibility WHERE channel_id = ?', id) ?? {
        channel_id: id,
        is_inherit: 1,
        group_mask: ALL_GROUPS,
        usr_mask: 0
      },
    /** @param masks keeps the stored masks if undefined */
    set(id: number, inherit: boolean, masks?: Visibility): void {
      database.run(
        'INSERT INTO channel_visibility (channel_id, is_inherit) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET is_inherit = ?2',
        id,
        inherit ? 1 : 0
      )
      if (!masks) return
      const { 'group-mask': groups, 'usr-mask': users } = masks
      database.run(
        'UPDATE channel_visibility SET group_mask = ?, usr_mask = ? WHERE channel_id = ?',
        ...[groups, users, id]
      )
    },
    /** Removes a user's bit from all masks. */
    removeUserFromMasks(bit: number): void {
      database.run('UPDATE channel_visibility SET usr_mask = usr_mask & ~?', bit)
    },
    /** Removes a user group's bit from all masks, except masks of all groups, which include future ones. */
    removeGroupFromMasks(bit: number): void {
      database.run(
        'UPDATE channel_visibility SET group_mask = group_mask & ~? WHERE group_mask <> ?',
        ...[bit, ALL_GROUPS]
      )
    }
  }
}

export type ChannelVisibility = ReturnType<typeof channelVisibility>
