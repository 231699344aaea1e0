// Access tokens, and what can be done to them.
import { atom } from 'nanostores'
import type { Envelope } from '../../../contract/call.ts'
import { type AccessToken, addToken, deleteTokens, listTokens, type NewToken } from '../../../contract/token.ts'
import { liveList } from '../../state/live-list.ts'
import { change, well } from '../../state/toasts.ts'

export const $tokens = liveList({
  call: listTokens,
  request: atom({}),
  pace: 'slowest',
  topic: 'user',
  keyOf: (token: AccessToken) => token.id
})

/** Makes a token. @returns the answer, the only one that holds the token itself */
export const createToken = (request: NewToken): Promise<Partial<{ token: string }> & Envelope> =>
  change(addToken, request)

/** @returns whether all went well */
export const removeTokens = (tokens: readonly AccessToken[]): Promise<boolean> =>
  well(change(deleteTokens, { id: tokens.map(({ id }) => id) }))
