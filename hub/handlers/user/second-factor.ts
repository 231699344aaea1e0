// Handlers for the second factor (contract/access/second-factor.ts).

import type { LockOut } from '../../../accounts/lock-out.ts'
import type { PasswordCheck } from '../../../accounts/password-check.ts'
import {
  generateRecoveryCodes,
  generateSecret,
  hashRecoveryCode,
  secretUri,
  stepOfCode
} from '../../../accounts/second-factor.ts'
import { requireManageable } from '../../../accounts/user-management.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor
} from '../../../contract/access/second-factor.ts'
import { MISMATCH, NOT_EXIST, NOT_PERMITTED, WRONG_STATE } from '../../../contract/codes.ts'
import { encodeQrCode } from '../../../web-server/qr-code.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange,
  requireCaller
} from '../../http/handler.ts'
import { secretOwner } from '../../store/second-factors.ts'
import type { Store } from '../../store/store.ts'
import type { UserRow } from '../../store/users.ts'
import { requireCode } from './second-factor-check.ts'

interface SecondFactorParts {
  store: Store
  lockOut: LockOut
  passwordCheck: PasswordCheck
  now: () => number
  sessionsEnded: () => void
}

/**
 * The stored user of the caller, whose second factor must be on or off.
 * @throws CallError 38 if it is not
 */
function requireOwnRow({ store }: { store: Store }, context: Context, isOn: boolean): UserRow {
  const row = store.users.byId(requireCaller(context).user.id)
  if (!row || row.second_factor_since > 0 !== isOn) throw new CallError(WRONG_STATE)
  context.objects = [`user:${row.id}`]
  context.detail = row.name
  return row
}

/** Stores new recovery codes in place of the old ones. @returns the codes in clear text */
function replaceRecoveryCodes({ store }: { store: Store }, { id }: UserRow): string[] {
  const codes = generateRecoveryCodes()
  store.secondFactors.setRecoveryCodes(id, codes.map(hashRecoveryCode))
  return codes
}

/**
 * After the commit, closes the connections of sessions that have ended, and makes consoles read their session again.
 */
function announceChange({ sessionsEnded, store }: { store: Store; sessionsEnded: () => void }, context: Context): void {
  context.afterCommit(() => {
    sessionsEnded()
    for (const topic of ['user', 'session'] as const) store.changes.markChanged(topic)
  })
}

function handleStart(parts: { store: Store }): Handler {
  return handle(startSecondFactor, (context) => {
    const { name } = requireOwnRow(parts, context, false)
    const secret = generateSecret()
    const uri = secretUri(secret, name)
    return { secret, uri, qr: encodeQrCode(uri) }
  })
}

/**
 * The code proves that the app has the secret. It is no guess, because the caller knows the secret, so failures are not
 * counted.
 */
function handleEnable(parts: SecondFactorParts): Handler {
  const { users, secondFactors, encryption } = parts.store
  return handleChange(enableSecondFactor, (context, { secret, code }) => {
    const row = requireOwnRow(parts, context, false)
    const step = stepOfCode(secret, code, parts.now())
    if (step === undefined) throw new CallError(MISMATCH, { field: 'code' })
    secondFactors.enable(row.id, encryption.encrypt(secret, secretOwner(row)), step, parts.now())
    users.endOtherSessions(row.id, requireCaller(context).session)
    announceChange(parts, context)
    return { codes: replaceRecoveryCodes(parts, row) }
  })
}

function handleDisable(parts: SecondFactorParts): Handler {
  return handlePreparedChange(
    disableSecondFactor,
    async (context, { pass, code }) => {
      const row = requireOwnRow(parts, context, true)
      await parts.passwordCheck.require(context.address, row.name, pass, row)
      requireCode(parts, context.address, row, code)
    },
    (context) => {
      parts.store.secondFactors.clear(requireOwnRow(parts, context, true).id)
      announceChange(parts, context)
      return {}
    }
  )
}

/** The own one is switched off with a code: otherwise an open console would be enough to get rid of it. */
function handleReset(parts: { store: Store; sessionsEnded: () => void }): Handler {
  const { users, secondFactors } = parts.store
  return handleChange(resetSecondFactor, (context, { id }) => {
    context.objects = [`user:${id}`]
    const row = users.byId(id)
    if (!row) throw new CallError(NOT_EXIST)
    context.detail = row.name
    if (id === requireCaller(context).user.id) throw new CallError(NOT_PERMITTED)
    requireManageable(requireCaller(context), row)
    if (row.second_factor_since === 0) throw new CallError(WRONG_STATE)
    secondFactors.clear(id)
    users.endOtherSessions(id)
    announceChange(parts, context)
    return {}
  })
}

export function secondFactorHandlers(parts: SecondFactorParts): Handler[] {
  return [
    handleStart(parts),
    handleEnable(parts),
    handleChange(renewRecoveryCodes, (context) => {
      const row = requireOwnRow(parts, context, true)
      context.afterCommit(() => parts.store.changes.markChanged('session'))
      return { codes: replaceRecoveryCodes(parts, row) }
    }),
    handleDisable(parts),
    handleReset(parts)
  ]
}
