// Access tokens, who can own one, and what can be done to them.
import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { type AccessToken, addToken, deleteTokens, listTokens, type NewToken } from '../../../contract/token.ts'
import { listUsers } from '../../../contract/user.ts'
import { send } from '../../link/send.ts'
import { liveList } from '../../state/live-list.ts'
import { act } from '../../state/toasts.ts'

export const $tokens = liveList({
  call: listTokens,
  request: atom({}),
  pace: 'slowest',
  topic: 'user',
  keyOf: (token: AccessToken) => token.id
})

/** Makes a token. @returns the answer, the only one that holds the token itself */
export async function createToken(request: NewToken): Promise<Partial<{ token: string }> & Envelope> {
  const reply = await act((force) => send(addToken, { ...request, ...force }))
  await $tokens.refresh()
  return reply
}

/** @returns whether all went well */
export async function revokeTokens(ids: number[]): Promise<boolean> {
  const { result } = await act((force) => send(deleteTokens, { id: ids, ...force }))
  await $tokens.refresh()
  return result === SUCCESS
}

/** Names of all users, as an owner is chosen by. */
export async function userNames(): Promise<string[]> {
  const { users = [] } = await send(listUsers, { type: 'usr' })
  return users.map(({ name }) => name)
}
