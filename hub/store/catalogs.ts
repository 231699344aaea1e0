// Device groups (catalogs): a tree of at most five levels with the visibility of each group.
import type { Visibility } from '../../contract/access/visibility.ts'
import type { Database } from '../database/database.ts'

export interface CatalogRow {
  id: number
  /** 0 = top level. */
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
    /** @returns the new ID */
    add(parentId: number, name: string, now: number): number {
      return database.run('INSERT INTO catalog (parent_id, name, created) VALUES (?, ?, ?)', parentId, name, now).id
    },
    rename(id: number, name: string): void {
      database.run('UPDATE catalog SET name = ? WHERE id = ?', name, id)
    },
    /** Moves a group below another; 0 = top level. */
    setParent(id: number, parent: number): void {
      database.run('UPDATE catalog SET parent_id = ? WHERE id = ?', parent, id)
    },
    /** @param masks keeps the stored masks if undefined */
    setVisibility(id: number, inherit: boolean, masks?: Visibility): void {
      database.run('UPDATE catalog SET is_inherit = ? WHERE id = ?', inherit ? 1 : 0, id)
      if (!masks) return
      const { 'group-mask': groups, 'usr-mask': users } = masks
      database.run('UPDATE catalog SET group_mask = ?, usr_mask = ? WHERE id = ?', groups, users, id)
    },
    /** Moves a device to a group; 0 = no group. */
    setDeviceCatalog(sn: string, id: number): void {
      database.run('UPDATE device SET catalog_id = ? WHERE sn = ?', id, sn)
    },
    /** Serial numbers of the devices in a group. */
    serialsIn: (id: number) =>
      database.all<{ sn: string }>('SELECT sn FROM device WHERE catalog_id = ?', id).map(({ sn }) => sn),
    /** Removes a group and moves its devices and groups to its parent. */
    remove({ id, parent_id: parent }: CatalogRow): void {
      database.run('UPDATE device SET catalog_id = ? WHERE catalog_id = ?', parent, id)
      database.run('UPDATE catalog SET parent_id = ? WHERE parent_id = ?', parent, id)
      database.run('DELETE FROM catalog WHERE id = ?', id)
    },
    /** Removes a user's bit from all masks. */
    removeUserFromMasks(bit: number): void {
      database.run('UPDATE catalog SET usr_mask = usr_mask & ~?', bit)
    },
    /** Removes a user group's bit from all masks, except masks of all groups, which include future ones. */
    removeGroupFromMasks(bit: number): void {
      database.run('UPDATE catalog SET group_mask = group_mask & ~? WHERE group_mask <> 4294967295', bit)
    }
  }
}

export type Catalogs = ReturnType<typeof catalogs>
