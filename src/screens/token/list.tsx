// Access tokens: what programs sign in with.
import type { ReactNode } from 'react'
import { type AccessToken, addToken, deleteTokens, UNLIMITED } from '../../../contract/token.ts'
import type { Action } from '../../parts/actions.tsx'
import { Rows } from '../../parts/resource-list.tsx'
import { ago, dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { hubNow } from '../../ui/clock.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { TokenDialog } from './add-dialog.tsx'
import { $tokens, removeTokens } from './store.ts'
import { TEXT } from './text.ts'

/** One without a name is known by its beginning. */
const nameOf = ({ name, begin }: AccessToken) => name || begin

function expiry({ 'expired-time': at }: AccessToken): ReactNode {
  if (at === UNLIMITED) return t(TEXT.unlimited)
  return at > hubNow() ? dateTime(at) : <State tone="bad" text={t(TEXT.expired)} tip={dateTime(at)} />
}

function lastUse({ 'used-time': at, 'used-ip': address }: AccessToken): ReactNode {
  return at ? (
    <>
      <Since at={at} say={ago} /> <span className="muted">{address}</span>
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
    key: 'expires',
    title: TEXT.expires,
    cell: expiry,
    sort: (token) => (token['expired-time'] === UNLIMITED ? Number.MAX_VALUE : token['expired-time'])
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
  ask: () => t(TEXT.removeText),
  run: removeTokens
}

export const AccessTokenScreen = () => (
  <Rows
    of={$tokens}
    list="tokens"
    title={TEXT.title}
    columns={COLUMNS}
    nameOf={nameOf}
    sorting={{ key: 'created', order: 'descending' }}
    says={({ name, owner, begin }) => [name, owner, begin]}
    adding={{
      call: addToken,
      verb: TEXT.add,
      onAct: () => openDialog(TokenDialog)
    }}
    none={{ icon: 'key', title: t(TEXT.empty), text: t(TEXT.lead) }}
    acts={[REMOVE]}
    bar={[REMOVE]}
  />
)
