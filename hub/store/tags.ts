// Tags, and which channels, inputs, outputs and devices have them. The database removes both with the tag and with the
// object. A tag can give users and user groups access to the channels and devices that have it.
import { ALL_GROUPS, type Visibility } from '../../contract/access/visibility.ts'
import type { TagColor, TaggedKind } from '../../contract/tag.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

export interface TagRow {
  id: number
  name: string
  color: TagColor
  /** Who sees the channels and devices with the tag; 0: nobody sees them because of the tag. */
  group_mask: number
  usr_mask: number
}

/** Whether a tag gives somebody access to the channels and devices that have it. */
export const givesAccess = ({ group_mask: groups, usr_mask: users }: TagRow): boolean => groups !== 0 || users !== 0

export const masksOf = ({
  group_mask: groups,
  usr_mask: users
}: Pick<TagRow, 'group_mask' | 'usr_mask'>): Visibility => ({
  'group-mask': groups,
  'usr-mask': users
})

/** The table that has the tags of each kind of object, and its column with the object. */
export const TAG_TABLES = {
  channel: ['tag_channel', 'channel_id'],
  source: ['tag_source', 'source_id'],
  device: ['tag_device', 'device_id']
} as const satisfies Record<TaggedKind, readonly [string, string]>

const KINDS = Object.keys(TAG_TABLES) as TaggedKind[]

export function tags(database: Database) {
  const rows = createQueryCache(database, ['tag'], (_all: 'all') => database.all<TagRow>('SELECT * FROM tag'))
  const readers = KINDS.map((kind) => {
    const [table, column] = TAG_TABLES[kind]
    const read = createQueryCache(database, [table], (_all: 'all') =>
      Map.groupBy(
        database.all<{ tag: number; object: number }>(
          `SELECT tag_id AS tag, ${column} AS object FROM ${table} ORDER BY tag_id`
        ),
        ({ object }) => object
      )
    )
    return [kind, read] as const
  })
  const usesOf = Object.fromEntries(readers) as Record<TaggedKind, (typeof readers)[number][1]>
  return {
    all: (): readonly TagRow[] => rows('all') ?? [],
    byId: (id: number) => rows('all')?.find((row) => row.id === id),
    /** @returns the ID of the new tag */
    add: (name: string, color: TagColor): number =>
      database.run('INSERT INTO tag (name, color) VALUES (?, ?)', name, color).id,
    set(id: number, name: string, color: TagColor): void {
      database.run('UPDATE tag SET name = ?, color = ? WHERE id = ?', name, color, id)
    },
    remove(id: number): void {
      database.run('DELETE FROM tag WHERE id = ?', id)
    },
    setMasks(id: number, { 'group-mask': groups, 'usr-mask': users }: Visibility): void {
      database.run('UPDATE tag SET group_mask = ?, usr_mask = ? WHERE id = ?', groups, users, id)
    },
    /** Removes a user's bit from all masks. */
    removeUserFromMasks(bit: number): void {
      database.run('UPDATE tag SET usr_mask = usr_mask & ~?', bit)
    },
    /** Removes a user group's bit from all masks, except masks of all groups, which include future ones. */
    removeGroupFromMasks(bit: number): void {
      database.run('UPDATE tag SET group_mask = group_mask & ~? WHERE group_mask <> ?', bit, ALL_GROUPS)
    },
    /**
     * IDs of the objects of a kind to which tags give a user access.
     * @param matches whether the masks of a tag include the user
     */
    objectsOpenedTo(kind: TaggedKind, matches: (masks: Visibility) => boolean): ReadonlySet<number> {
      const opening = new Set(this.all().flatMap((tag) => (givesAccess(tag) && matches(masksOf(tag)) ? [tag.id] : [])))
      if (opening.size === 0) return opening
      const objects = [...(usesOf[kind]('all') ?? [])]
      return new Set(objects.flatMap(([id, uses]) => (uses.some(({ tag }) => opening.has(tag)) ? [id] : [])))
    },
    /** IDs of the tags of an object, in ascending order. */
    idsOf: (kind: TaggedKind, object: number): number[] =>
      (usesOf[kind]('all')?.get(object) ?? []).map(({ tag }) => tag),
    /** IDs of the objects of a kind that have a tag. */
    objectsWith: (kind: TaggedKind, id: number): number[] =>
      [...(usesOf[kind]('all') ?? [])]
        .filter(([, uses]) => uses.some(({ tag }) => tag === id))
        .map(([object]) => object),
    put(kind: TaggedKind, object: number, id: number): void {
      const [table, column] = TAG_TABLES[kind]
      database.run(`INSERT OR IGNORE INTO ${table} (tag_id, ${column}) VALUES (?, ?)`, id, object)
    },
    take(kind: TaggedKind, object: number, id: number): void {
      const [table, column] = TAG_TABLES[kind]
      database.run(`DELETE FROM ${table} WHERE tag_id = ? AND ${column} = ?`, id, object)
    }
  }
}

export type Tags = ReturnType<typeof tags>
