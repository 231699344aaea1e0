// Store and mutations of access tokens.
import {
  type AccessToken,
  type AddTokenRequest,
  addToken,
  deleteTokens,
  listTokens
} from '../../../contract/access/token.ts'
import type { Envelope } from '../../../contract/call.ts'
import { createLiveList } from '../../state/live-list.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'

export const $tokens = createLiveList({
  call: listTokens,
  pace: 'slowest',
  topic: 'user'
})

/** Creates a token. @returns the only reply that contains the token itself */
export const createToken = (request: AddTokenRequest): Promise<Partial<{ token: string }> & Envelope> =>
  sendMutation(addToken, request, { success: { text: OUTCOME.added, names: [request.name ?? ''] } })

/** @returns whether all tokens were deleted */
export const removeTokens = (tokens: readonly AccessToken[]): Promise<boolean> =>
  succeeded(
    sendMutation(
      deleteTokens,
      { id: tokens.map(({ id }) => id) },
      { success: { text: OUTCOME.deleted, names: tokens.map(({ name }) => name) } }
    )
  )
