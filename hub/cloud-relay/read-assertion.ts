// Reads and checks the assertion of a relayed request (contract/cloud/relay.ts).
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import * as z from 'zod'
import { TOKEN_SCOPES } from '../../contract/access/token.ts'
import { ORGANISATION_NAME } from '../../contract/cloud/link.ts'
import { ASSERTION_MAX, ASSERTION_PURPOSE, type Assertion, type Refusal } from '../../contract/cloud/relay.ts'
import { readSignedMessage } from '../../device-link/signed-message.ts'
import type { Challenges } from './challenges.ts'

const MASK_MAX = 2 ** 32 - 1

const shape: z.ZodType<Assertion> = z.object({
  sn: z.string(),
  challenge: z.string(),
  id: z.string().regex(/^[\w-]{22}$/),
  method: z.string(),
  target: z.string(),
  user: z.object({
    name: z
      .string()
      .min(1)
      .max(64)
      .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u),
    organisation: z.string().regex(ORGANISATION_NAME),
    permission: z.int().min(0).max(MASK_MAX),
    type: z.int().min(0).max(MASK_MAX),
    scopes: z.array(z.enum(TOKEN_SCOPES)).optional()
  }),
  session: z.string().regex(/^[\w-]{16,64}$/),
  'authenticated-s': z.number().min(0),
  'approved-s': z.number().min(0).optional(),
  address: z.string().refine((value) => isIP(value) !== 0)
})

interface Expected {
  /** Key of the cloud; undefined: the hub has pinned none. */
  publicKey: KeyObject | undefined
  challenges: Challenges
  /** Serial number of this hub, and the name of the organisation with which it is registered. */
  sn: string
  organisation: string
  method: string
  target: string
}

/** @returns the assertion, which cannot be used again; or why it is refused */
export function readAssertion(text: string | undefined, expected: Expected): Assertion | Refusal {
  const { publicKey, challenges, sn, organisation, method, target } = expected
  if (!publicKey || text === undefined || text.length > ASSERTION_MAX) return 'invalid'
  const { data } = shape.safeParse(readSignedMessage(ASSERTION_PURPOSE, text, publicKey))
  const isMeant =
    data?.sn === sn && data.user.organisation === organisation && data.method === method && data.target === target
  if (!isMeant) return 'invalid'
  return challenges.use(data.challenge, data.id) ?? data
}
