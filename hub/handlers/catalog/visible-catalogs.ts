// The device groups and devices that one caller may see, as they are sent to the caller.
import { GROUP_ADMIN, hasAnyBit, isPermitted } from '../../../contract/access/permissions.ts'
import {
  ALL_GROUPS,
  type InheritingGroup,
  inheritedVisibility,
  type Visibility
} from '../../../contract/access/visibility.ts'
import { type Catalog, setCatalog } from '../../../contract/catalog.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import type { Gate } from '../../auth/gate.ts'
import type { Registry } from '../../devices/registry.ts'
import { type Context, requireCaller } from '../../http/handler.ts'
import type { CatalogRow } from '../../store/catalogs.ts'
import type { DeviceRow } from '../../store/devices.ts'
import type { Store } from '../../store/store.ts'
import { compareText } from '../list.ts'

interface VisibleCatalogsParts {
  store: Store
  gate: Gate
  registry: Registry
}

const masksOf = (row: CatalogRow): Visibility => ({ 'group-mask': row.group_mask, 'usr-mask': row.usr_mask })

/** The entry, with id 0, for devices that are in no catalog. Its masks are the global defaults. */
function noCatalog({ store }: { store: Store }): CatalogRow {
  const { 'group-mask': groups, 'usr-mask': users } = store.settings.get('device-security')
  return { id: 0, parent_id: 0, name: '', created: 0, is_inherit: 0, group_mask: groups, usr_mask: users }
}

export class VisibleCatalogs {
  /** Sorted by name. */
  readonly rows: readonly CatalogRow[]
  /** Devices without a group. */
  readonly none: CatalogRow
  readonly #parts: VisibleCatalogsParts
  readonly #context: Context
  readonly #byId: ReadonlyMap<number, CatalogRow>
  readonly #inheriting: ReadonlyMap<number, InheritingGroup>
  readonly #isVisible: (id: number) => boolean
  readonly #maySetMasks: boolean
  /** The visible groups by the id of their parent. */
  readonly #byParent: ReadonlyMap<number, readonly CatalogRow[]>
  /** Loaded when first needed: a response that lists no catalog does not need them. */
  #devices: Map<number, DeviceRow[]> | undefined
  #users: readonly { id: number; name: string; group_id: number }[] | undefined

  constructor(parts: VisibleCatalogsParts, context: Context) {
    const caller = requireCaller(context)
    const all = parts.store.catalogs.all()
    this.#parts = parts
    this.#context = context
    this.none = noCatalog(parts)
    this.#byId = new Map(all.map((row) => [row.id, row]))
    this.#inheriting = new Map(
      all.map((row) => [row.id, { ...masksOf(row), 'parent-id': row.parent_id, 'is-inherit': row.is_inherit }])
    )
    this.#isVisible = parts.gate.catalogsVisibleTo(caller)
    this.#maySetMasks = isPermitted(setCatalog.access, caller.user)
    this.rows = all.filter((row) => this.#isVisible(row.id)).sort((a, b) => compareText(a.name, b.name))
    this.#byParent = Map.groupBy(this.rows, (row) => this.#visibleParent(row))
  }

  /** The visible groups above which the caller sees no group, sorted by name. */
  get roots(): readonly CatalogRow[] {
    return this.#byParent.get(0) ?? []
  }

  /** The visible, accepted devices directly in a catalog. */
  devicesIn(id: number): DeviceRow[] {
    this.#devices ??= this.#loadDevices()
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
      ...(this.#maySetMasks && { ...masksOf(row), users: isEveryone ? [] : this.#usersOf(masks) }),
      'num-all': devices.length,
      'num-online': devices.filter(({ sn }) => this.#parts.registry.isOnline(sn)).length
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
    this.#users ??= this.#parts.store.users
      .all()
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

  #loadDevices(): Map<number, DeviceRow[]> {
    const { gate, store } = this.#parts
    const isVisible = gate.devicesVisibleTo(requireCaller(this.#context))
    const rows = store.devices.all().filter((row) => row.reg_state === REGISTRATION_STATE.accepted && isVisible(row))
    return Map.groupBy(rows, (row) => row.catalog_id)
  }

  /** Id of the nearest visible ancestor; 0 if there is none. */
  #visibleParent({ parent_id: id }: CatalogRow): number {
    const parent = this.#byId.get(id)
    if (!parent) return 0
    return this.#isVisible(id) ? id : this.#visibleParent(parent)
  }
}
