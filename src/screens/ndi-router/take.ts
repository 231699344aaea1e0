// Takes routes, and locks destinations. Asks before a lock of another user is overridden, and announces the result.
import { GROUP_ADMIN } from '../../../contract/access/permissions.ts'
import type { Matrix, MatrixDestination, Take } from '../../../contract/ndi/router.ts'
import { succeeded } from '../../state/mutations.ts'
import { $session } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { nameList } from '../../text/outcomes.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { $armed, $isDisarmed, $taking, announce } from './armed.ts'
import { destinationLabel, labelOf, sourceLabel } from './describe.ts'
import { sendLock, sendTakes } from './store.ts'
import { TEXT } from './take-text.ts'

/** Whether another user has locked the destination. */
export const isLockedByOther = (destination: MatrixDestination): boolean => {
  const owner = destination['locked-by']
  return owner !== undefined && owner !== $session.get()?.name
}

interface Question {
  title: string
  text: string
}

/** Asks an administrator twice before a lock of another user is overridden. @returns whether the user agreed */
async function confirmOverride(first: Question, second: Question): Promise<boolean> {
  const confirmLabel = t(TEXT.overrideConfirm)
  return (await confirm({ ...first, confirmLabel })) && (await confirm({ ...second, confirmLabel, danger: true }))
}

const isAdmin = () => $session.get()?.type === GROUP_ADMIN

/**
 * Asks an administrator twice whether takes may override locks of other users. Does not ask other users: the hub
 * refuses their takes and names the owner of each lock.
 * @returns whether to send `override`: false if no destination is locked; undefined if the user has cancelled
 */
export async function askForOverride(matrix: Matrix, takes: readonly Take[]): Promise<boolean | undefined> {
  const changed = new Set(takes.map(({ destination }) => destination))
  const locked = matrix.destinations.filter((item) => changed.has(item.index) && isLockedByOther(item))
  if (locked.length === 0 || !isAdmin()) return false
  const names = nameList(locked.map(labelOf))
  const owners = nameList([...new Set(locked.map((item) => item['locked-by'] ?? ''))])
  const isAgreed = await confirmOverride(
    { title: t(TEXT.overrideTitle, names), text: t(TEXT.overrideText, owners) },
    { title: t(TEXT.overrideAgain, names), text: t(TEXT.overrideAgainText) }
  )
  return isAgreed || undefined
}

/**
 * Takes routes, all or none. The hub refuses this if somebody has edited the matrix since `matrix`. @returns whether
 * the hub has taken them
 */
export async function takeNow(matrix: Matrix, takes: readonly Take[]): Promise<boolean> {
  const [first] = takes
  if (!first) return false
  // A double click, or a key that repeats.
  const taking = $taking.get()
  if (takes.every(({ destination, source }) => taking.get(destination) === source)) return false
  const override = await askForOverride(matrix, takes)
  if (override === undefined) return false
  $isDisarmed.set(false)
  $taking.set(new Map([...$taking.get(), ...takes.map(({ destination, source }) => [destination, source] as const)]))
  const isTaken = await succeeded(sendTakes(matrix, takes, override))
  const pending = new Map($taking.get())
  for (const { destination } of takes) pending.delete(destination)
  $taking.set(pending)
  if (!isTaken) return false
  const armed = new Map($armed.get())
  for (const { destination } of takes) armed.delete(destination)
  $armed.set(armed)
  announce(
    takes.length === 1
      ? t(TEXT.announceTaken, destinationLabel(matrix, first.destination), sourceLabel(matrix, first.source))
      : t(TEXT.announceTakenCount, takes.length)
  )
  return true
}

/** Locks a destination, or unlocks it; asks an administrator twice before the lock of another user is removed. */
export async function toggleLock(matrix: Matrix, destination: MatrixDestination): Promise<void> {
  const owner = destination['locked-by']
  const label = labelOf(destination)
  const overrides = isLockedByOther(destination) && isAdmin()
  if (overrides && owner) {
    const isAgreed = await confirmOverride(
      { title: t(TEXT.overrideTitle, label), text: t(TEXT.unlockText, owner) },
      { title: t(TEXT.unlockAgain, owner, label), text: t(TEXT.unlockAgainText) }
    )
    if (!isAgreed) return
  }
  await sendLock(matrix, destination, owner === undefined, overrides)
}
