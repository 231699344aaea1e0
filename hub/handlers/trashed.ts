// Shared by the deletions of all features: the deleted object moves to the trash.
import { type Context, requireCaller } from '../http/handler.ts'
import type { Store } from '../store/store.ts'

/** Who deletes an object, and when, for its entry in the trash. */
export const deletionBy = (context: Context): { by: string; time: number } => ({
  by: requireCaller(context).user.name,
  time: Date.now()
})

/** Marks the trash as changed once the change is committed. */
export const markTrashChanged = ({ store }: { store: Store }, context: Context): void =>
  context.afterCommit(() => store.changes.markChanged('trash'))
