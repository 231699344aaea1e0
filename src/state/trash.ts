// Restores what the user has deleted.
import { restoreTrash, type TrashKind } from '../../contract/trash.ts'
import { linkTo } from '../paths.ts'
import * as OUTCOME from '../text/outcomes.ts'
import { sendMutation, succeeded } from './mutations.ts'
import { isMissing } from './other-hub.ts'
import type { SuccessMessage } from './toasts.ts'

/** The page of a restored object, or the list that it is in. */
const pathOf = (kind: TrashKind, id: number): string => {
  if (kind === 'channel') return linkTo('channelDetail', { channelId: String(id) })
  if (kind === 'catalog') return linkTo('groupDevices', { catalog: String(id) })
  return linkTo(kind === 'input' ? 'inputs' : 'outputs')
}

/**
 * Restores entries of the trash. The message says what an object could not be given back.
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

/** Whether a deletion can be undone, so that it needs no question. Other hubs have no trash. */
export const hasTrash = (): boolean => !isMissing(restoreTrash.path)

/**
 * The message of a deletion, with which the user can undo it.
 * @param response of the deletion. Other hubs have no trash.
 */
export const deletedMessage = (names: readonly string[], { trash }: { trash?: readonly number[] }): SuccessMessage => ({
  text: OUTCOME.deleted,
  names,
  ...(trash && { undo: () => restoreEntries(trash, true) })
})
