// Users and groups after an import, and the translation of masks, in which each of them is one bit.
import { GROUP_ADMIN, GROUP_CUSTOM } from '../../contract/access/permissions.ts'
import { NEVER_EXPIRES } from '../../contract/access/token.ts'
import { ADMIN_USER_ID } from '../../contract/access/user.ts'
import { ALL_GROUPS } from '../../contract/access/visibility.ts'
import { ExportError } from './archive.ts'
import type { Merge } from './merge-state.ts'
import type { Row, TableName } from './tables.ts'

/** Bits of a mask, from and to. */
type Bits = readonly (readonly [from: number, to: number])[]

const mapBits = (mask: number, bits: Bits): number =>
  bits.reduce((mapped, [from, to]) => ((mask & from) !== 0 ? mapped | to : mapped), 0) >>> 0

const bitsByName = (from: readonly Row[], to: readonly Row[]): Bits =>
  from.flatMap(({ id, name }) => {
    const same = to.find((row) => row.name === name)
    return same ? [[Number(id), Number(same.id)] as const] : []
  })

/** Translates the masks of rows of this hub and of the export into those after the import. */
export class MaskMap {
  readonly #merge: Merge
  readonly #groups: Record<'local' | 'imported', Bits>
  readonly #users: Record<'local' | 'imported', Bits>

  constructor(merge: Merge) {
    const { local, imported, result } = merge
    this.#merge = merge
    this.#groups = {
      local: bitsByName(local.user_group, result.user_group),
      imported: bitsByName(imported.user_group, result.user_group)
    }
    this.#users = {
      local: bitsByName(local.user, result.user),
      imported: bitsByName(imported.user, result.user)
    }
  }

  /**
   * @param table table from which the values come: whether they are of the export or of this hub
   * @param groups column with a mask of groups
   * @param users columns with a mask of users
   */
  map<R extends Row>(table: TableName | 'setting', row: R, groups: string | undefined, ...users: string[]): R {
    const origin = this.#originOf(table, row)
    const mapped: Row = { ...row }
    if (groups !== undefined && mapped[groups] !== ALL_GROUPS)
      mapped[groups] = mapBits(Number(mapped[groups] ?? 0), this.#groups[origin])
    for (const column of users) mapped[column] = mapBits(Number(mapped[column] ?? 0), this.#users[origin])
    return mapped as R
  }

  #originOf(table: TableName, row: Row): 'local' | 'imported' {
    const { parts } = this.#merge
    if (table === 'setting')
      return parts.has(row.name === 'channel-security' ? 'streams' : 'devices') ? 'imported' : 'local'
    return parts.has(table.startsWith('channel') ? 'streams' : 'devices') ? 'imported' : 'local'
  }
}

/** @throws ExportError if no member of the Admin group would remain whose account has no end */
export function mergeUsers(merge: Merge): MaskMap {
  const { result, local } = merge
  result.user_group = merge.rows('user_group', 'users').map((group) => checkedGroup(group, local.user_group))
  requireBuiltInGroups(merge)
  result.user = merge.rows('user', 'users')
  result.recovery_code = merge.rows('recovery_code', 'users')
  result.token = merge.rows('token', 'users')
  result.saved_view = merge.rows('saved_view', 'users')
  if (merge.parts.has('users')) {
    for (const user of result.user) if (merge.isWithheld('user', user)) keepCredentials(merge, user)
    keepImporter(merge)
    for (const user of result.user) if (user.id === ADMIN_USER_ID) user.expires = NEVER_EXPIRES
    const isLasting = ({ group_id: group, expires }: Row) => group === GROUP_ADMIN && expires === NEVER_EXPIRES
    if (!result.user.some(isLasting)) throw new ExportError('no-admin')
    for (const user of result.user) noteNewRights(merge, user)
  }
  return new MaskMap(merge)
}

/**
 * Notes users who become administrators, or get further permissions: in a long list of changes they would be
 * overlooked.
 */
function noteNewRights(merge: Merge, user: Row): void {
  const { local, result } = merge
  const own = local.user.find(({ name }) => name === user.name)
  const permissionOf = ({ group_id: group }: Row, groups: readonly Row[]) =>
    Number(groups.find(({ id }) => id === group)?.permission)
  if (own?.group_id === GROUP_ADMIN) return
  if (user.group_id === GROUP_ADMIN) merge.note('new-admin', String(user.name))
  else if (own && (permissionOf(user, result.user_group) & ~permissionOf(own, local.user_group)) !== 0)
    merge.note('permission', String(user.name))
}

/** The permissions of the built-in groups come from this hub: an import cannot widen them. */
function checkedGroup(group: Row, local: readonly Row[]): Row {
  const own = local.find(({ id }) => id === group.id)
  const isBuiltIn = (row: Row | undefined) => row !== undefined && row.type !== GROUP_CUSTOM
  if (!isBuiltIn(group) && !isBuiltIn(own)) return group
  // As a group of another type, the Admin group would have no administrators.
  if (own?.type !== group.type) throw new ExportError('inconsistent', `group ${group.name}`)
  return { ...group, permission: own?.permission as number }
}

/** @throws ExportError if a built-in group is missing */
function requireBuiltInGroups({ result, local }: Merge): void {
  for (const { id, name, type } of local.user_group)
    if (type !== GROUP_CUSTOM && !result.user_group.some((group) => group.id === id))
      throw new ExportError('inconsistent', `group ${name}`)
}

/**
 * A user of this hub with the same name keeps password, second factor and tokens. Another one cannot sign in until a
 * password is set.
 */
function keepCredentials(merge: Merge, user: Row): void {
  const own = merge.local.user.find(({ name }) => name === user.name)
  if (!own) {
    user.password = merge.unusablePassword
    merge.note('password', String(user.name))
    return
  }
  copyCredentials(merge, own, user)
}

const CREDENTIALS = [
  'password',
  'is_default_password',
  'second_factor',
  'second_factor_since',
  'second_factor_step'
] as const

function copyCredentials({ local, result }: Merge, own: Row, user: Row): void {
  for (const column of CREDENTIALS) user[column] = own[column] as string
  const ofUser = (row: Row) => row.user_id === own.id
  const moved = (row: Row) => ({ ...row, user_id: user.id as number })
  result.recovery_code = [
    ...result.recovery_code.filter(({ user_id: id }) => id !== user.id),
    ...local.recovery_code.filter(ofUser).map(moved)
  ]
  const kept = local.token.filter(ofUser).filter(({ hash }) => !result.token.some((token) => token.hash === hash))
  const used = new Set(result.token.map(({ id }) => id))
  for (const token of kept) {
    let id = Number(token.id)
    while (used.has(id)) id++
    used.add(id)
    result.token.push({ ...moved(token), id })
  }
}

/**
 * The user who imports keeps password and second factor, and stays in the Admin group, also if the export does not have
 * this user.
 */
function keepImporter(merge: Merge): void {
  const { result, local, importer } = merge
  const own = local.user.find(({ name }) => name === importer) as Row
  const same = result.user.find(({ name }) => name === importer)
  if (same) {
    if (!merge.isWithheld('user', same)) copyCredentials(merge, own, same)
    if (same.group_id !== GROUP_ADMIN) merge.note('admin', importer)
    same.group_id = GROUP_ADMIN
    same.expires = own.expires as number
    return
  }
  const used = new Set(result.user.map(({ id }) => id))
  const free = [own.id as number, ...Array.from({ length: 32 }, (_, bit) => 2 ** bit)].find((id) => !used.has(id))
  if (free === undefined) throw new ExportError('no-admin')
  const kept: Row = { ...own, id: free, group_id: GROUP_ADMIN }
  result.user.push(kept)
  copyCredentials(merge, own, kept)
  let next = Math.max(0, ...result.saved_view.map(({ id }) => Number(id))) + 1
  for (const view of local.saved_view)
    if (view.user_id === own.id) result.saved_view.push({ ...view, id: next++, user_id: free })
  merge.note('admin', importer)
}
