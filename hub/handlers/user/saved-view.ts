// Handlers for the saved views of the caller. Those of other users do not exist for him.
import { addView, deleteView, listViews, SAVED_VIEWS_MAX, setView } from '../../../contract/access/saved-view.ts'
import { NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { SavedViewRow } from '../../store/saved-views.ts'
import type { Store } from '../../store/store.ts'
import { requireFreeName } from '../free-name.ts'
import { compareText } from '../list.ts'

export function savedViewHandlers({ store }: { store: Store }): Handler[] {
  const { savedViews } = store
  const viewsOf = (context: Context) => savedViews.ofUser(requireCaller(context).user.id)
  const announce = (context: Context) => context.afterCommit(() => store.changes.markChanged('view'))

  /** @throws CallError 16 */
  function requireView(context: Context, id: number): SavedViewRow {
    context.objects.push(`view:${id}`)
    const view = viewsOf(context).find((each) => each.id === id)
    if (!view) throw new CallError(NOT_EXIST)
    return view
  }

  return [
    handle(listViews, (context) => {
      const list = viewsOf(context)
        .map(({ id, list, name, query }) => ({ id, list, name, query }))
        .sort((a, b) => compareText(a.name, b.name))
      return { start: 0, total: list.length, list }
    }),
    handleChange(addView, (context, { list, name, query }) => {
      context.detail = name
      requireFreeName(viewsOf(context), name)
      if (viewsOf(context).length >= SAVED_VIEWS_MAX) throw new CallError(TOO_MANY, { max: SAVED_VIEWS_MAX })
      const id = savedViews.add(requireCaller(context).user.id, list, name, query)
      context.objects.push(`view:${id}`)
      announce(context)
      return { id }
    }),
    handleChange(setView, (context, { id, name, query }) => {
      const view = requireView(context, id)
      context.detail = view.name === name ? name : `${view.name} → ${name}`
      requireFreeName(viewsOf(context), name, id)
      savedViews.set(id, name, query)
      announce(context)
      return {}
    }),
    handleChange(deleteView, (context, { id }) => {
      context.detail = requireView(context, id).name
      savedViews.remove(id)
      announce(context)
      return {}
    })
  ]
}
