// Lists the groups outside of the Admin group that manage users, once to each administrator's browser and again when a
// group gets the permission.
import { useState } from 'react'
import { GROUP_ADMIN, hasAnyBit, USER_CONTROL } from '../../../contract/access/permissions.ts'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { $session } from '../../state/session.ts'
import { $users } from '../../state/users.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  lead: [
    'Groups with the permission User control: {0}. Their members manage users and groups that have no more permissions than they have.',
    '拥有“用户控制”权限的用户组：{0}。其成员可以管理权限不超出自身的用户和用户组。'
  ],
  seen: ['OK', '知道了']
} as const satisfies Record<string, Translation>

/** In local storage: ids of the groups that were listed. */
const SEEN_KEY = `${CACHE_PREFIX}user-control`

export function UserControlNote() {
  const isAdmin = useStore($session)?.type === GROUP_ADMIN
  const [seen, setSeen] = useState(localStorage.getItem(SEEN_KEY)?.split(',') ?? [])
  const groups = (useStore($users).value?.groups ?? []).filter(
    ({ type, permission }) => type !== GROUP_ADMIN && hasAnyBit(permission, USER_CONTROL)
  )
  const ids = groups.map(({ id }) => String(id))
  if (!isAdmin || ids.every((id) => seen.includes(id))) return null
  function confirm(): void {
    localStorage.setItem(SEEN_KEY, ids.join())
    setSeen(ids)
  }
  return (
    <div className="banner row">
      <span>{t(TEXT.lead, groups.map(({ name }) => name).join(', '))}</span>
      <Button label={t(TEXT.seen)} onClick={confirm} />
    </div>
  )
}
