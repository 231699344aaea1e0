import { listTrash, TRASH_ACCESS, type TrashKind } from '../../contract/trash.ts'
import { linkTo } from '../paths.ts'
import { $isAllowed } from '../state/session.ts'
import { type Translation, t } from '../text/language.ts'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'

const TRASH: Translation = ['Trash', '回收站']

/** Leads to the deleted objects of a kind, for users who may restore them. */
export function TrashLink({ kind }: { kind: TrashKind }) {
  const isAllowed = useStore($isAllowed)
  return (
    isAllowed({ access: TRASH_ACCESS[kind], path: listTrash.path }) && (
      <a className="button bare" href={`#${linkTo('trash', { kind })}`}>
        <Icon name="delete" />
        {t(TRASH)}
      </a>
    )
  )
}
