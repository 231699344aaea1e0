// List of access tokens, with which programs authenticate.
import type { ReactNode } from 'react'
import { type AccessToken, addToken, deleteTokens, NEVER_EXPIRES } from '../../../contract/access/token.ts'
import type { Action } from '../../parts/actions.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { ago, dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { hubNow } from '../../ui/clock.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { AddTokenDialog } from './add-dialog.tsx'
import { $tokens, removeTokens } from './store.ts'
import { SCOPES, TEXT } from './text.ts'

/** A token without a name is shown by its first characters. */
const nameOf = ({ name, begin }: AccessToken) => name || begin

function expiry({ 'expired-time': time }: AccessToken): ReactNode {
  if (time === NEVER_EXPIRES) return t(TEXT.unlimited)
  return time > hubNow() ? dateTime(time) : <StatusLabel tone="bad" text={t(TEXT.expired)} tooltip={dateTime(time)} />
}

function lastUse({ 'used-time': time, 'used-ip': address }: AccessToken): ReactNode {
  return time ? (
    <>
      <ElapsedTime since={time} format={ago} /> <span className="muted">{address}</span>
    </>
  ) : (
    t(TEXT.never)
  )
}

const COLUMNS: readonly Column<AccessToken>[] = [
  { key: 'name', title: TEXT.name, text: nameOf },
  { key: 'token', title: TEXT.token, cell: (token) => <code>{`${token.begin}…`}</code>, hide: 'xs' },
  { key: 'owner', title: TEXT.owner, text: (token) => token.owner, hide: 'xs' },
  {
    key: 'scopes',
    title: TEXT.scopes,
    text: ({ scopes }) => scopes.map((scope) => t(SCOPES[scope])).join(' · '),
    hide: 'sm'
  },
  {
    key: 'expires',
    title: TEXT.expires,
    cell: expiry,
    sort: (token) => (token['expired-time'] === NEVER_EXPIRES ? Number.MAX_VALUE : token['expired-time'])
  },
  {
    key: 'used',
    title: TEXT.used,
    cell: lastUse,
    sort: (token) => token['used-time'] ?? 0
  },
  {
    key: 'created',
    title: TEXT.created,
    cell: (token) => dateTime(token['create-time']),
    sort: (token) => token['create-time'],
    hide: 'sm'
  }
]

const REMOVE: Action<AccessToken> = {
  call: deleteTokens,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  confirmText: () => t(TEXT.removeText),
  run: removeTokens
}

export const AccessTokenScreen = () => (
  <ResourceList
    store={$tokens}
    settingsKey="tokens"
    title={TEXT.title}
    columns={COLUMNS}
    nameOf={nameOf}
    sorting={{ key: 'created', order: 'descending' }}
    searchTexts={({ name, owner, begin }) => [name, owner, begin]}
    addAction={{
      call: addToken,
      verb: TEXT.add,
      onClick: () => openDialog(AddTokenDialog)
    }}
    emptyState={{ icon: 'key', title: t(TEXT.empty), text: t(TEXT.lead) }}
    actions={[REMOVE]}
    bulkActions={[REMOVE]}
  />
)
