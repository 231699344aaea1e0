// The second factor of users (contract/access/second-factor.ts).
import { generateSecret, secretUri, stepOfCode } from '../../accounts/second-factor.ts'
import { requireManageable } from '../../accounts/user-management.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor
} from '../../contract/access/second-factor.ts'
import { MISMATCH, NOT_EXIST, NOT_PERMITTED, WRONG_STATE } from '../../contract/codes.ts'
import { CallError } from '../../web-server/call-error.ts'
import { encodeQrCode } from '../../web-server/qr-code.ts'
import { readUser, type UserRow } from '../auth/accounts.ts'
import { clearSecondFactor, replaceRecoveryCodes } from '../auth/second-factor.ts'
import { endOtherSessions } from '../auth/sessions.ts'
import { type Context, type Handler, handle, handlePrepared, requireCaller } from '../http/handler.ts'
import type { Scope } from '../store/scope.ts'
import { lockName, requirePassword, type SignInParts } from './sign-in.ts'

/** The user of the caller, whose second factor must be on or off. @throws CallError 38 if it is not */
async function requireOwn(context: Context, scope: Scope, isOn: boolean): Promise<UserRow> {
  const row = await readUser(scope, 'id', requireCaller(context).user.id)
  if (!row || row.second_factor_since > 0 !== isOn) throw new CallError(WRONG_STATE)
  context.detail = row.name
  return row
}

/**
 * The code proves that the app has the secret. It is no guess, because the caller knows the secret, so failures are not
 * counted.
 */
const handleEnable = ({ secondFactors, now }: SignInParts) =>
  handle(enableSecondFactor, async (context, scope, { secret, code }) => {
    await scope.lock()
    const row = await requireOwn(context, scope, false)
    const step = stepOfCode(secret, code, now())
    if (step === undefined) throw new CallError(MISMATCH, { field: 'code' })
    const codes = await secondFactors.enable(scope, row, secret, step)
    // They have not proved it.
    await endOtherSessions(scope, row.id, requireCaller(context).session)
    return { codes }
  })

const handleDisable = (parts: SignInParts) =>
  handlePrepared(
    disableSecondFactor,
    async (context, { pass, code }) => {
      const { name } = requireCaller(context).user
      await parts.store.within(context.organisation, (scope) => requireOwn(context, scope, true))
      const row = await requirePassword(parts, context, name, pass)
      const sender = { address: context.address, lockName: lockName(context.organisation, name) }
      await parts.secondFactors.require(sender, row, code)
    },
    async (context, scope) => {
      await clearSecondFactor(scope, (await requireOwn(context, scope, true)).id)
      return {}
    }
  )

/** The own one is switched off with a code: otherwise an open console would be enough to get rid of it. */
const handleReset = handle(resetSecondFactor, async (context, scope, { id }) => {
  const row = await readUser(scope, 'id', id)
  if (!row) throw new CallError(NOT_EXIST)
  context.detail = row.name
  if (id === requireCaller(context).user.id) throw new CallError(NOT_PERMITTED)
  requireManageable(requireCaller(context), row)
  if (row.second_factor_since === 0) throw new CallError(WRONG_STATE)
  await clearSecondFactor(scope, id)
  await endOtherSessions(scope, id)
  return {}
})

export const secondFactorHandlers = (parts: SignInParts): Handler[] => [
  handle(startSecondFactor, async (context, scope) => {
    const { name, organisation } = await requireOwn(context, scope, false)
    const secret = generateSecret()
    const uri = secretUri(secret, `${name} (${organisation})`)
    return { secret, uri, qr: encodeQrCode(uri) }
  }),
  handleEnable(parts),
  handle(renewRecoveryCodes, async (context, scope) => {
    const row = await requireOwn(context, scope, true)
    return { codes: await replaceRecoveryCodes(scope, row.id) }
  }),
  handleDisable(parts),
  handleReset
]
