// The groups of devices that one caller may see, as they are sent to the caller.
import { GROUP_ADMIN, hasAnyBit } from '../contract/access/permissions.ts'
import {
  ALL_GROUPS,
  type InheritingGroup,
  inheritedVisibility,
  type Visibility
} from '../contract/access/visibility.ts'
import type { Catalog } from '../contract/catalog.ts'
import { compareText } from '../web-server/pages.ts'
import type { MaskRow } from './visibility.ts'

interface CatalogRow extends MaskRow {
  id: number
  /** 0 = top level. */
  parent_id: number
  name: string
  created: number
}

interface User {
  id: number
  name: string
  group_id: number
  type: number
}

interface VisibleCatalogsOptions<Device> {
  /** All groups. */
  catalogs: readonly CatalogRow[]
  /** The global default. */
  byDefault: Visibility
  /** Whether the caller may see a group. */
  isVisible: (id: number) => boolean
  /** Whether the caller may set masks, and therefore sees them. */
  maySetMasks: boolean
  /** The accepted devices that the caller may see. Called when they are needed. */
  devices: () => readonly Device[]
  isOnline: (device: Device) => boolean
  /** All users. Called when they are needed. */
  users: () => readonly User[]
}

const masksOf = (row: CatalogRow): Visibility => ({ 'group-mask': row.group_mask, 'usr-mask': row.usr_mask })

/** The entry, with id 0, for devices that are in no catalog. Its masks are the global defaults. */
function noCatalog({ 'group-mask': groups, 'usr-mask': users }: Visibility): CatalogRow {
  return { id: 0, parent_id: 0, name: '', created: 0, is_inherit: 0, group_mask: groups, usr_mask: users }
}

export class VisibleCatalogs<Device extends { catalog_id: number }> {
  /** Sorted by name. */
  readonly rows: readonly CatalogRow[]
  /** Devices without a group. */
  readonly none: CatalogRow
  readonly #options: VisibleCatalogsOptions<Device>
  readonly #byId: ReadonlyMap<number, CatalogRow>
  readonly #inheriting: ReadonlyMap<number, InheritingGroup>
  /** The visible groups by the id of their parent. */
  readonly #byParent: ReadonlyMap<number, readonly CatalogRow[]>
  /** Loaded when first needed: a response that lists no catalog does not need them. */
  #devices: Map<number, Device[]> | undefined
  #users: readonly User[] | undefined

  constructor(options: VisibleCatalogsOptions<Device>) {
    const { catalogs, byDefault, isVisible } = options
    this.#options = options
    this.none = noCatalog(byDefault)
    this.#byId = new Map(catalogs.map((row) => [row.id, row]))
    this.#inheriting = new Map(
      catalogs.map((row) => [row.id, { ...masksOf(row), 'parent-id': row.parent_id, 'is-inherit': row.is_inherit }])
    )
    this.rows = catalogs.filter((row) => isVisible(row.id)).sort((a, b) => compareText(a.name, b.name))
    this.#byParent = Map.groupBy(this.rows, (row) => this.#visibleParent(row))
  }

  /** The visible groups above which the caller sees no group, sorted by name. */
  get roots(): readonly CatalogRow[] {
    return this.#byParent.get(0) ?? []
  }

  /** The visible, accepted devices directly in a catalog. */
  devicesIn(id: number): Device[] {
    this.#devices ??= Map.groupBy(this.#options.devices(), (row) => row.catalog_id)
    return this.#devices.get(id) ?? []
  }

  serialize(row: CatalogRow): Catalog {
    const devices = this.devicesIn(row.id)
    const parent = row.id === 0 ? 0 : this.#visibleParent(row)
    const masks = this.#effectiveMasks(row)
    const isEveryone = masks['group-mask'] === ALL_GROUPS
    return {
      id: row.id,
      name: row.name,
      'parent-id': parent,
      'create-time': row.created,
      isRoot: parent === 0,
      isOpen: row.id !== 0 && this.#byParent.has(row.id),
      path: this.#pathOf(row),
      'is-inherit': row.is_inherit,
      'is-everyone': isEveryone ? 1 : 0,
      ...(this.#options.maySetMasks && { ...masksOf(row), users: isEveryone ? [] : this.#usersOf(masks) }),
      'num-all': devices.length,
      'num-online': devices.filter(this.#options.isOnline).length
    }
  }

  /** `serialize` with all groups below. */
  serializeTree(row: CatalogRow): Catalog {
    const childs = (this.#byParent.get(row.id) ?? []).map((child) => this.serializeTree(child))
    return { ...this.serialize(row), childs }
  }

  #effectiveMasks(row: CatalogRow): Visibility {
    if (row.is_inherit === 0) return masksOf(row)
    return inheritedVisibility(this.#inheriting, row.parent_id, masksOf(this.none)).masks
  }

  /** Users besides the Admin group whom masks name, by name. */
  #usersOf({ 'group-mask': groups, 'usr-mask': users }: Visibility): { id: number; name: string }[] {
    this.#users ??= this.#options
      .users()
      .filter(({ type }) => type !== GROUP_ADMIN)
      .sort((a, b) => compareText(a.name, b.name))
    return this.#users
      .filter(({ id, group_id: group }) => hasAnyBit(groups, group) || hasAnyBit(users, id))
      .map(({ id, name }) => ({ id, name }))
  }

  #pathOf(row: CatalogRow): string[] {
    if (row.id === 0) return []
    const parent = this.#byId.get(this.#visibleParent(row))
    return [...(parent ? this.#pathOf(parent) : []), row.name]
  }

  /** Id of the nearest visible ancestor; 0 if there is none. */
  #visibleParent({ parent_id: id }: CatalogRow): number {
    const parent = this.#byId.get(id)
    if (!parent) return 0
    return this.#options.isVisible(id) ? id : this.#visibleParent(parent)
  }
}
