// Handler for the caller's own account (contract/access/profile.ts).
import { setProfile } from '../../../contract/access/profile.ts'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { CallError, type Handler, handleChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'

export function profileHandler({ store }: { store: Store }): Handler {
  return handleChange(setProfile, (context, { nick }) => {
    const { user } = requireCaller(context)
    context.objects = [`user:${user.id}`]
    context.detail = user.name
    const row = store.users.byId(user.id)
    if (!row) throw new CallError(NOT_EXIST)
    store.users.rename(row.id, row.name, nick)
    context.afterCommit(() => {
      for (const topic of ['user', 'session'] as const) store.changes.markChanged(topic)
    })
    return {}
  })
}
