// Saved views of lists. The database removes them with their user.
import type { SavedView, ViewList } from '../../contract/access/saved-view.ts'
import type { Database } from '../database/database.ts'

export interface SavedViewRow extends SavedView {
  user_id: number
}

export function savedViews(database: Database) {
  return {
    ofUser: (user: number) => database.all<SavedViewRow>('SELECT * FROM saved_view WHERE user_id = ?', user),
    /** @returns the ID of the new view */
    add: (user: number, list: ViewList, name: string, query: string): number =>
      database.run('INSERT INTO saved_view (user_id, list, name, query) VALUES (?, ?, ?, ?)', user, list, name, query)
        .id,
    set(id: number, name: string, query: string): void {
      database.run('UPDATE saved_view SET name = ?, query = ? WHERE id = ?', name, query, id)
    },
    remove(id: number): void {
      database.run('DELETE FROM saved_view WHERE id = ?', id)
    }
  }
}

export type SavedViews = ReturnType<typeof savedViews>
