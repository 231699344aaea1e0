// Restores deleted objects from the trash.
import { restoreTrash, type TrashKind } from '../../contract/trash.ts'
import { channelLink, linkTo } from '../paths.ts'
import * as OUTCOME from '../text/outcomes.ts'
import { sendMutation, succeeded } from './mutations.ts'
import { isMissing } from './other-hub.ts'
import type { SuccessMessage } from './toasts.ts'

/** Link to a restored object, or to the list that contains it. */
const pathOf = (kind: TrashKind, id: number): string => {
  if (kind === 'channel') return channelLink(id)
  if (kind === 'catalog') return linkTo('groupDevices', { catalog: String(id) })
  return linkTo(kind === 'preset' ? 'destinations' : `${kind}s`)
}

/**
 * Restores entries of the trash. The message names parts that were not restored.
 * @param start whether channels that were on are started again
 * @returns whether all were restored
 */
export const restoreEntries = (entries: readonly number[], start?: true): Promise<boolean> =>
  succeeded(
    sendMutation(
      restoreTrash,
      { id: [...entries], ...(start && { start }) },
      {
        success: ({ restored: [first, ...others] }) => ({
          text: OUTCOME.restored,
          names: [first, ...others].map((object) => object?.name ?? ''),
          lines: [first, ...others].flatMap((object) => object?.notes ?? []),
          ...(first && others.length === 0 && { path: pathOf(first.kind, first.object) })
        })
      }
    )
  )

/** Whether the hub has a trash, so that a deletion can be undone and needs no confirmation. */
export const hasTrash = (): boolean => !isMissing(restoreTrash.path)

/**
 * The options of a call that deletes objects: its message has an undo action if the hub has a trash.
 * @param objects the objects to delete
 */
export const deletionOf = (objects: readonly { name: string }[]) => ({
  success: ({ trash }: { trash?: readonly number[] }): SuccessMessage => ({
    text: OUTCOME.deleted,
    names: objects.map(({ name }) => name),
    ...(trash && { undo: () => restoreEntries(trash, true) })
  })
})
