// What an import changes: objects by part, and channels that it starts, stops or restarts.
import { createHash } from 'node:crypto'
import {
  type ChannelEffect,
  DIFFERENCE_ITEMS_MAX,
  type DifferenceItem,
  EXPORT_PARTS,
  type ExportPart,
  type ItemKind,
  type PartDifference
} from '../../contract/backup/export.ts'
import { interruptingSettings } from '../../contract/setting.schema.ts'
import { CHANNEL_SETTINGS } from '../../contract/stream/channel-settings.schema.ts'
import { INPUT_SETTINGS } from '../../contract/stream/input-settings.schema.ts'
import { wantedChannel } from '../channels/wanted.ts'
import type { Store } from '../store/store.ts'
import { partOf, type Row, specOf, TABLE_NAMES, type TableName, type Tables } from './tables.ts'

const KINDS: Partial<Record<TableName, ItemKind>> = {
  user: 'user',
  user_group: 'group',
  token: 'token',
  catalog: 'catalog',
  device: 'device',
  input: 'input',
  output: 'output',
  channel: 'channel',
  tag: 'tag',
  ndi_matrix: 'matrix',
  setting: 'setting'
}

/** Columns that are not configuration: measured values, and manual switches. */
const MEASURED: Partial<Record<TableName, readonly string[]>> = {
  user: ['last_login', 'second_factor_step'],
  token: ['used', 'used_address'],
  channel: ['hold'],
  device: ['offline_date', 'connect_ip', 'firmware_ver']
}

interface Item {
  part: ExportPart
  kind: ItemKind
  name: string
  id: Row[string] | undefined
  /** Its values and those of its children. */
  text: string
}

function configurationOf(table: TableName, row: Row): unknown {
  const measured = MEASURED[table] ?? []
  return Object.entries(row).filter(([column]) => !measured.includes(column))
}

/** The presets of a setting. A value that is not a list is refused when the values are checked. */
function parsePresets(text: Row[string] | undefined): { id?: number; name?: string }[] {
  try {
    const presets: unknown = JSON.parse(String(text))
    return Array.isArray(presets) ? presets.map((preset) => preset ?? {}) : []
  } catch {
    return []
  }
}

function presetItems(row: Row): Item[] {
  return parsePresets(row.value).map((preset) => ({
    part: 'streams',
    kind: 'preset',
    name: String(preset.name),
    id: preset.id,
    text: JSON.stringify(preset)
  }))
}

/** The objects of a configuration. */
export function listItems(tables: Tables): Item[] {
  const children = new Map<string, unknown[]>()
  for (const table of TABLE_NAMES) {
    const { parent } = specOf(table)
    if (!parent) continue
    for (const row of tables[table]) {
      const owner = `${parent[0]} ${row[parent[1]]}`
      const values = [table, configurationOf(table, row)]
      children.set(owner, [...(children.get(owner) ?? []), values])
    }
  }
  return TABLE_NAMES.flatMap((table) =>
    tables[table].flatMap((row): Item[] => {
      const kind = KINDS[table]
      const part = partOf(table, row)
      if (!kind || !part) return []
      if (row.name === 'output-presets' && table === 'setting') return presetItems(row)
      const text = JSON.stringify([configurationOf(table, row), children.get(`${table} ${row.id}`)])
      return [{ part, kind, name: String(row.name), id: row.id, text }]
    })
  )
}

/** Finds items by name or ID, each once. */
class ItemIndex {
  readonly #rest: Set<Item>
  readonly #items = new Map<string, Item>()

  constructor(items: readonly Item[]) {
    this.#rest = new Set(items)
    for (const item of items) {
      this.#items.set(`${item.kind} name ${item.name}`, item)
      this.#items.set(`${item.kind} id ${item.id}`, item)
    }
  }

  take(item: Item, by: 'name' | 'id'): Item | undefined {
    const found = this.#items.get(`${item.kind} ${by} ${item[by]}`)
    return found && this.#rest.delete(found) ? found : undefined
  }

  rest = (): Item[] => [...this.#rest]
}

/**
 * @param isSameHub objects with the same ID and another name were renamed; from another hub they are different objects
 */
function compareItems(before: readonly Item[], after: readonly Item[], isSameHub: boolean): DifferenceItem[] {
  const index = new ItemIndex(before)
  const named = after.map((item) => ({ item, other: index.take(item, 'name') }))
  const pairs = named.map(({ item, other }) => ({
    item,
    other: other ?? (isSameHub ? index.take(item, 'id') : undefined)
  }))
  const changed = pairs.flatMap(({ item: { kind, name, text }, other }): DifferenceItem[] => {
    if (!other) return [{ kind, name, change: 'added' }]
    return text === other.text ? [] : [{ kind, name, change: 'changed' }]
  })
  return [...changed, ...index.rest().map(({ kind, name }): DifferenceItem => ({ kind, name, change: 'removed' }))]
}

export function compareParts(before: Tables, after: Tables, isSameHub: boolean): PartDifference[] {
  const [old, next] = [listItems(before), listItems(after)]
  return EXPORT_PARTS.flatMap((part) => {
    const ofPart = (items: readonly Item[]) => items.filter((item) => item.part === part)
    const items = compareItems(ofPart(old), ofPart(next), isSameHub)
    if (items.length === 0) return []
    const count = (change: DifferenceItem['change']) => items.filter((item) => item.change === change).length
    return [
      {
        part,
        added: count('added'),
        changed: count('changed'),
        removed: count('removed'),
        items: items.slice(0, DIFFERENCE_ITEMS_MAX)
      }
    ]
  })
}

/** What the engine gets for a channel, without the settings that interrupt nothing. */
function wantedText(store: Store, id: number): string {
  const { hold: _, access = {}, input, backups = [], ...wanted } = wantedChannel(store, id) ?? {}
  return JSON.stringify([
    interruptingSettings(CHANNEL_SETTINGS, wanted),
    interruptingSettings(CHANNEL_SETTINGS, access),
    [input, ...backups].map((each) => each && interruptingSettings(INPUT_SETTINGS, each))
  ])
}

/** @param isOnAir whether a channel carries a picture now */
export function compareChannels(before: Store, after: Store, isOnAir: (id: number) => boolean): ChannelEffect[] {
  const next = new Map(after.channels.all().map((row) => [row.id, row]))
  const effects: ChannelEffect[] = []
  for (const row of before.channels.all()) {
    const other = next.get(row.id)
    next.delete(row.id)
    const [runs, willRun] = [row.enable === 1, other?.enable === 1]
    const name = row.name
    if (runs && !willRun) effects.push({ name, effect: 'stops', 'on-air': isOnAir(row.id) })
    else if (!runs && willRun) effects.push({ name: other?.name ?? name, effect: 'starts', 'on-air': false })
    else if (runs && wantedText(before, row.id) !== wantedText(after, row.id))
      effects.push({ name, effect: 'restarts', 'on-air': isOnAir(row.id) })
  }
  for (const row of next.values())
    if (row.enable === 1) effects.push({ name: row.name, effect: 'starts', 'on-air': false })
  return effects
}

/** Hash that identifies configurations. */
export function digestOf(...tables: readonly Tables[]): string {
  const hash = createHash('sha256')
  for (const each of tables) {
    const stable = TABLE_NAMES.map((table) => each[table].map((row) => configurationOf(table, row)))
    hash.update(JSON.stringify(stable))
  }
  return hash.digest('hex')
}
