// Device groups: a tree of at most five levels, and who may see each.
import type { Visibility } from '../../contract/device/device.ts'
import type { Database } from './database.ts'

export interface CatalogRow {
  id: number
  /** 0 = it is in no other. */
  parent_id: number
  name: string
  created: number
  is_inherit: number
  group_mask: number
  usr_mask: number
}

export function catalogs(database: Database) {
  return {
    all: () => database.all<CatalogRow>('SELECT * FROM catalog'),
    byId: (id: number) => database.get<CatalogRow>('SELECT * FROM catalog WHERE id = ?', id),
    byName: (name: string) => database.get<CatalogRow>('SELECT * FROM catalog WHERE name = ?', name),
    add(parentId: number, name: string, now: number): number {
      return database.run('INSERT INTO catalog (parent_id, name, created) VALUES (?, ?, ?)', parentId, name, now).id
    },
    rename(id: number, name: string): void {
      database.run('UPDATE catalog SET name = ? WHERE id = ?', name, id)
    },
    /** Without masks those it has stay as they are. */
    setSecurity(id: number, inherit: boolean, masks?: Visibility): void {
      database.run('UPDATE catalog SET is_inherit = ? WHERE id = ?', inherit ? 1 : 0, id)
      if (!masks) return
      const { 'group-mask': groups, 'usr-mask': users } = masks
      database.run('UPDATE catalog SET group_mask = ?, usr_mask = ? WHERE id = ?', groups, users, id)
    },
    /** Puts a device into a group; 0 takes it out of all. */
    put(sn: string, id: number): void {
      database.run('UPDATE device SET catalog_id = ? WHERE sn = ?', id, sn)
    },
    /** Serials of the devices in it. */
    devicesIn: (id: number) =>
      database.all<{ sn: string }>('SELECT sn FROM device WHERE catalog_id = ?', id).map(({ sn }) => sn),
    /** Removes it; what was in it is then in the group that it was in. */
    remove({ id, parent_id: parent }: CatalogRow): void {
      database.run('UPDATE device SET catalog_id = ? WHERE catalog_id = ?', parent, id)
      database.run('UPDATE catalog SET parent_id = ? WHERE parent_id = ?', parent, id)
      database.run('DELETE FROM catalog WHERE id = ?', id)
    },
    /** Takes a user's bit out of every mask. */
    forgetUser(bit: number): void {
      database.run('UPDATE catalog SET usr_mask = usr_mask & ~?', bit)
    },
    /** The same for a user group. A mask of all groups, also of those to come, stays one. */
    forgetGroup(bit: number): void {
      database.run('UPDATE catalog SET group_mask = group_mask & ~? WHERE group_mask <> 4294967295', bit)
    }
  }
}

export type Catalogs = ReturnType<typeof catalogs>
