// Access tokens: what programs sign in with.
import { useState } from 'react'
import { type AccessToken, addToken, deleteTokens, UNLIMITED } from '../../../contract/token.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { setQuery, useQuery } from '../../state/location.ts'
import { ago, dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { hubNow } from '../../ui/clock.ts'
import { Empty } from '../../ui/condition.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TokenDialog } from './add-dialog.tsx'
import { $tokens, revokeTokens } from './store.ts'
import { TEXT } from './text.ts'

const nameOf = (token: AccessToken) => token.name || t(TEXT.unnamed)

const COLUMNS: readonly Column<AccessToken>[] = [
  { key: 'name', title: TEXT.name, text: nameOf },
  { key: 'token', title: TEXT.token, cell: (token) => <code>{`${token.begin}…`}</code>, hide: 'xs' },
  { key: 'owner', title: TEXT.owner, text: (token) => token.owner, hide: 'xs' },
  {
    key: 'expires',
    title: TEXT.expires,
    cell: (token) => <Expiry at={token['expired-time']} />,
    sort: (token) => (token['expired-time'] === UNLIMITED ? Number.MAX_SAFE_INTEGER : token['expired-time'])
  },
  {
    key: 'used',
    title: TEXT.used,
    cell: (token) => <LastUse token={token} />,
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

function Expiry({ at }: { at: number }) {
  if (at === UNLIMITED) return t(TEXT.unlimited)
  return at > hubNow() ? dateTime(at) : <State tone="bad" text={t(TEXT.expired)} tip={dateTime(at)} />
}

function LastUse({ token }: { token: AccessToken }) {
  const { 'used-time': at, 'used-ip': address } = token
  if (!at) return <span className="muted">{t(TEXT.never)}</span>
  return (
    <>
      <Since at={at} say={ago} /> <span className="muted">{address}</span>
    </>
  )
}

const REVOKE: Action<AccessToken> = {
  call: deleteTokens,
  icon: 'delete',
  one: TEXT.revoke,
  many: TEXT.revokeMany,
  kind: 'danger',
  ask: { title: TEXT.revokeTitle, text: TEXT.revokeText },
  run: (tokens) => revokeTokens(tokens.map(({ id }) => id))
}

export function AccessTokenScreen() {
  const { items } = useStore($tokens)
  const [adding, setAdding] = useState(false)
  const key = useQuery().get('key') ?? ''
  const found = (token: AccessToken) =>
    `${token.name}\n${token.owner}\n${token.begin}`.toLowerCase().includes(key.toLowerCase())
  const rows = items.filter(found)
  const add = <ActButton call={addToken} kind="main" icon="plus" label={t(TEXT.add)} onAct={() => setAdding(true)} />
  const nothing = key ? (
    <Empty icon="search" title={t(TEXT.noneFound)} />
  ) : (
    <Empty icon="key" title={t(TEXT.empty)} text={t(TEXT.emptyText)}>
      {add}
    </Empty>
  )
  return (
    <>
      <Table
        list="tokens"
        label={t(TEXT.title)}
        columns={COLUMNS}
        rows={rows}
        keyOf={(token) => token.id}
        nameOf={nameOf}
        sorting={{ key: 'created', order: 'descending' }}
        tools={
          <>
            {add}
            <SearchBox label={t(TEXT.search)} value={key} onSearch={(text) => setQuery({ key: text })} />
          </>
        }
        actions={(chosen, clear) => (
          <Actions actions={[REVOKE]} rows={chosen} nameOf={nameOf} these={TEXT.these} onDone={clear} />
        )}
        rowActions={(token) => <Actions actions={[REVOKE]} rows={[token]} nameOf={nameOf} />}
        instead={useInstead($tokens, rows.length === 0, nothing)}
      />
      {adding && <TokenDialog onClose={() => setAdding(false)} />}
    </>
  )
}
