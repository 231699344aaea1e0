// The trash: deleted objects, as JSON documents with the rows of the database. A deletion adds its entry in the same
// transaction, before it removes the object. Restoring it is up to the handlers (hub/handlers/trash).
import type { SQLInputValue } from 'node:sqlite'
import type { OutputPreset } from '../../contract/stream/preset.ts'
import { TRASH_DAYS, TRASH_MAX, type TrashKind } from '../../contract/trash.ts'
import type { Database } from '../database/database.ts'
import type { CatalogRow } from './catalogs.ts'
import type { ChannelRow } from './channels.ts'
import type { LogAge } from './log-retention.ts'
import type { InputRow } from './sources.ts'
import { TAG_TABLES } from './tags.ts'

const DAY = 86_400_000

/** An input or output of a deleted channel. */
export interface TrashedNode {
  id: number
  /** Name at the time of the deletion, because the node may be deleted as well. */
  name: string
  /** Serial number if it is a device. */
  sn: string | null
  /** Of an output: whether it is switched on. */
  enable: number
}

export interface TrashedChannel {
  row: ChannelRow
  /** The main input; absent if it has none. */
  input?: TrashedNode
  /** In the order of failover. */
  backups: TrashedNode[]
  /** Those that users created. */
  outputs: TrashedNode[]
  devices: TrashedNode[]
}

export interface TrashedInput {
  row: InputRow
  /** Channels of which it was the main input. */
  channels: { id: number; name: string }[]
  /** Channels of which it was a backup. */
  backups: { id: number; name: string; place: number }[]
}

/** The row of an output as it is stored. */
export interface StoredOutput {
  id: number
  name: string
  protocol: number
  /** JSON. */
  config: string
}

export interface TrashedOutput {
  row: StoredOutput
  /** The channel that used it. */
  channel?: { id: number; name: string; enable: number }
}

export interface TrashedCatalog {
  row: CatalogRow
  /** Serial numbers of its devices. */
  devices: string[]
  /** Groups below it. */
  groups: number[]
}

/** What the trash keeps of an object, by its kind. */
export interface TrashData {
  channel: TrashedChannel
  input: TrashedInput
  output: TrashedOutput
  preset: OutputPreset
  catalog: TrashedCatalog
}

export interface TrashRow {
  id: number
  kind: TrashKind
  object_id: number
  name: string
  /** Milliseconds since the epoch. */
  time: number
  /** Name of the user. */
  by_user: string
  /** When it was deleted, on the clock of the logs. */
  age: number
  /** JSON of `TrashData`. */
  data: string
}

/** The tags of a deleted object, and who saw it because of them. */
export interface TrashedTags {
  tags?: number[]
  access?: { group_mask: number; usr_mask: number }
}

/** Who deletes an object, and when. */
interface Deletion {
  by: string
  /** Milliseconds since the epoch. */
  time: number
}

/** The tables with the tags of the objects that can have some. Their first column is that of the tag. */
const TABLES_WITH_TAGS = { channel: TAG_TABLES.channel, input: TAG_TABLES.source, output: TAG_TABLES.source } as const

export class Trash {
  readonly #database: Database
  readonly #age: Pick<LogAge, 'now'>

  /** @param age the clock of the logs: a system clock that jumps forward must not empty the trash */
  constructor(database: Database, age: Pick<LogAge, 'now'>) {
    this.#database = database
    this.#age = age
  }

  /** The newest first. */
  all(): TrashRow[] {
    return this.#database.all<TrashRow>('SELECT * FROM trash ORDER BY id DESC')
  }

  byId(id: number): TrashRow | undefined {
    return this.#database.get<TrashRow>('SELECT * FROM trash WHERE id = ?', id)
  }

  /** The entry of an object. */
  byObject(kind: TrashKind, id: number): TrashRow | undefined {
    return this.#database.get<TrashRow>('SELECT * FROM trash WHERE kind = ? AND object_id = ?', kind, id)
  }

  /** @returns whether there was an entry */
  remove(id: number): boolean {
    return this.#database.run('DELETE FROM trash WHERE id = ?', id).changes > 0
  }

  clear(): void {
    this.#database.run('DELETE FROM trash')
  }

  /** Removes the tags from all entries, because other tags can have their IDs now. */
  forgetTags(): void {
    this.#database.run("UPDATE trash SET data = json_remove(data, '$.tags', '$.access')")
  }

  /** Milliseconds until an entry expires. */
  timeLeft({ age }: TrashRow): number {
    return Math.max(0, age + TRASH_DAYS * DAY - this.#age.now())
  }

  /** Deletes the entries that are too old. @returns whether there were any */
  removeExpired(): boolean {
    return this.#database.run('DELETE FROM trash WHERE age <= ?', this.#age.now() - TRASH_DAYS * DAY).changes > 0
  }

  /** Adds a channel that is about to be deleted. @returns the ID of the entry */
  putChannel(row: ChannelRow, deletion: Deletion): number {
    const nodes = (sql: string) => this.#database.all<TrashedNode>(sql, row.id)
    const [input] = nodes(`SELECT node_names.*, 1 AS enable FROM channel JOIN (${NODE_NAMES}) AS node_names
      ON node_names.id = input_id WHERE channel.id = ?`)
    const data: TrashedChannel = {
      row,
      ...(input && { input }),
      backups: nodes(`SELECT node_names.*, 1 AS enable FROM channel_backup JOIN (${NODE_NAMES}) AS node_names
        ON node_names.id = node_id WHERE channel_id = ? ORDER BY place`),
      outputs:
        nodes(`SELECT output.id, output.name, NULL AS sn, enable FROM channel_output JOIN output ON output.id = output_id
        WHERE channel_id = ? ORDER BY channel_output.rowid`),
      devices: nodes(`SELECT device.id, device.name, sn, enable FROM channel_device JOIN device ON device.id = device_id
        WHERE channel_id = ? ORDER BY channel_device.rowid`)
    }
    return this.#add('channel', row, data, deletion)
  }

  /** Adds an input that is about to be deleted. @returns the ID of the entry */
  putInput(row: InputRow, deletion: Deletion): number {
    const data: TrashedInput = {
      row,
      channels: this.#database.all('SELECT id, name FROM channel WHERE input_id = ?', row.id),
      backups: this.#database.all(
        'SELECT id, name, place FROM channel_backup JOIN channel ON id = channel_id WHERE node_id = ?',
        row.id
      )
    }
    return this.#add('input', row, data, deletion)
  }

  /** Adds an output that is about to be deleted. @returns the ID of the entry */
  putOutput(id: number, deletion: Deletion): number {
    const row = this.#database.get<StoredOutput>('SELECT * FROM output WHERE id = ?', id)
    if (!row) throw new Error(`There is no output ${id}`)
    const channel = this.#database.get<NonNullable<TrashedOutput['channel']>>(
      `SELECT channel.id, channel.name, channel_output.enable FROM channel_output
        JOIN channel ON channel.id = channel_id WHERE output_id = ?`,
      id
    )
    return this.#add('output', row, { row, ...(channel && { channel }) }, deletion)
  }

  /** Adds a device group that is about to be deleted. @returns the ID of the entry */
  putCatalog(row: CatalogRow, deletion: Deletion): number {
    const devices = this.#database.all<{ sn: string }>('SELECT sn FROM device WHERE catalog_id = ?', row.id)
    const groups = this.#database.all<{ id: number }>('SELECT id FROM catalog WHERE parent_id = ?', row.id)
    const data: TrashedCatalog = { row, devices: devices.map(({ sn }) => sn), groups: groups.map(({ id }) => id) }
    return this.#add('catalog', row, data, deletion)
  }

  /** Adds a preset that is about to be deleted. @returns the ID of the entry */
  putPreset(preset: OutputPreset, deletion: Deletion): number {
    return this.#add('preset', preset, preset, deletion)
  }

  /**
   * Inserts a row again. Columns that it lacks, because they were added to the table since, get their defaults; those
   * that the table no longer has are left out.
   */
  insertRow(table: 'channel' | 'input' | 'output' | 'catalog', row: object): void {
    const known = this.#database.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
    const columns = Object.entries(row).filter(([column]) => known.some(({ name }) => name === column))
    if (table === 'input' || table === 'output')
      this.#database.run('INSERT INTO node (id) VALUES (?)', (row as { id: number }).id)
    this.#database.run(
      `INSERT INTO ${table} (${columns.map(([column]) => column)}) VALUES (${columns.map(() => '?')})`,
      ...columns.map(([, value]) => value as SQLInputValue)
    )
  }

  #tagsOf(kind: TrashKind, id: number): TrashedTags {
    if (kind === 'preset' || kind === 'catalog') return {}
    const [table, column] = TABLES_WITH_TAGS[kind]
    const rows = this.#database.all<{ id: number; group_mask: number; usr_mask: number }>(
      `SELECT id, group_mask, usr_mask FROM ${table} JOIN tag ON id = tag_id WHERE ${column} = ?`,
      id
    )
    const union = (mask: 'group_mask' | 'usr_mask') => rows.reduce((all, row) => (all | row[mask]) >>> 0, 0)
    const access = { group_mask: union('group_mask'), usr_mask: union('usr_mask') }
    return rows.length > 0 ? { tags: rows.map((row) => row.id), access } : {}
  }

  /** Removes a user's bit from the masks of device groups, and from those of tags. */
  removeUserFromMasks(bit: number): void {
    this.#removeFromMasks('usr_mask', bit, 0)
  }

  /** Removes a user group's bit from the masks of device groups and tags, except masks of all groups. */
  removeGroupFromMasks(bit: number): void {
    this.#removeFromMasks('group_mask', bit, 4_294_967_295)
  }

  #removeFromMasks(column: 'usr_mask' | 'group_mask', bit: number, except: number): void {
    for (const path of [`$.row.${column}`, `$.access.${column}`])
      this.#database.run(
        'UPDATE trash SET data = json_set(data, ?1, json_extract(data, ?1) & ~?2) WHERE json_extract(data, ?1) <> ?3',
        path,
        bit,
        except
      )
  }

  #add<Kind extends TrashKind>(
    kind: Kind,
    { id, name }: { id: number; name: string },
    data: TrashData[Kind],
    { by, time }: Deletion
  ): number {
    const added = this.#database.run(
      'INSERT INTO trash (kind, object_id, name, time, by_user, age, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[kind, id, name, time, by, this.#age.now(), JSON.stringify({ ...data, ...this.#tagsOf(kind, id) })]
    )
    this.#database.run(
      'DELETE FROM trash WHERE id <= (SELECT id FROM trash ORDER BY id DESC LIMIT 1 OFFSET ?)',
      TRASH_MAX
    )
    return added.id
  }
}

/** Nodes that can be inputs, with their names. */
const NODE_NAMES = 'SELECT id, name, NULL AS sn FROM input UNION ALL SELECT id, name, sn FROM device'
