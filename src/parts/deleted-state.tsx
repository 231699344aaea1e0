import { useRef } from 'react'
import { NOT_EXIST } from '../../contract/codes.ts'
import { navigate } from '../state/location.ts'
import { $isAllowed } from '../state/session.ts'
import { codeText } from '../text/codes.ts'
import { type Translation, t } from '../text/language.ts'
import type { IconName } from '../ui/icon.tsx'
import { EmptyState } from '../ui/placeholder.tsx'
import { useStore } from '../ui/use-store.ts'
import type { Action } from './actions.tsx'

const HIDDEN: Translation = ['Or you no longer have access to it.', '或者您已无权访问。']
const BACK: Translation = ['Back to the list', '返回列表']

/** Whether the signed-in user is deleting something. */
let isDeleting = false

/** Runs a deletion by the signed-in user, during which no page says that another user has deleted its object. */
export async function whileDeleting<Result>(run: () => Promise<Result>): Promise<Result> {
  isDeleting = true
  try {
    return await run()
  } finally {
    isDeleting = false
  }
}

/** The action on the page of its object: leads to the list once the object is deleted. */
export const leadingTo = <Row,>(list: string, action: Action<Row>): Action<Row> => ({
  ...action,
  run: (rows) =>
    whileDeleting(async () => {
      const isDone = await action.run(rows)
      if (isDone) navigate(list, { replace: true })
      return isDone
    })
})

/** Whether the object of a page was there before, so that another user has deleted it if it is not there now. */
export function useWasSeen(isThere: boolean): boolean {
  const wasSeen = useRef(false)
  wasSeen.current ||= isThere
  return wasSeen.current && !isDeleting
}

/**
 * The page of an object that another user has deleted or, for users who do not see every object, hidden; with a link to
 * its list.
 */
export function DeletedState({ icon, list }: { icon: IconName; list: string }) {
  const seesAll = useStore($isAllowed)({ access: 'admin' })
  return (
    <EmptyState icon={icon} title={codeText(NOT_EXIST)} text={seesAll ? undefined : t(HIDDEN)}>
      <a href={`#${list}`}>{t(BACK)}</a>
    </EmptyState>
  )
}
