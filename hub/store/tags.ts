// Tags, and which channels, inputs, outputs and devices have them. The database removes both with the tag and with the
// object.
import type { TagColor, TaggedKind } from '../../contract/tag.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

export interface TagRow {
  id: number
  name: string
  color: TagColor
}

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
