// Handler for the reset of all settings (contract/machine/power.ts). Until the plan of the replacement is written
// nothing has changed; then the hub starts again with the first data (docs/architecture/backup.md).

import type { LockOut } from '../../../accounts/lock-out.ts'
import type { PasswordCheck } from '../../../accounts/password-check.ts'
import { DEVICE_BUSY, INVALID_ARG, PORT_OCCUPIED, TRY_AGAIN, UNSUPPORTED } from '../../../contract/codes.ts'
import { type ResetRequest, resetSettings } from '../../../contract/machine/power.ts'
import type { HostAllowList } from '../../../web-server/host-allow-list.ts'
import type { Gate } from '../../auth/gate.ts'
import { DataReplacement } from '../../data-backup/replacement.ts'
import {
  CallError,
  type Context,
  type Handler,
  handleServiceChange,
  interrupting,
  requireCaller
} from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import { findProgram, isPortFree } from '../../machine/port-program.ts'
import { RESTART_DELAY, type SystemOperation } from '../../machine/system-operation.ts'
import type { Store } from '../../store/store.ts'
import { type BusyReasonParts, type InterruptedParts, requireConsent, requireNotBusy } from '../machine/busy.ts'
import { hubName } from '../machine/name.ts'
import type { PortsInUse } from '../stream/ports-in-use.ts'
import { requireSecondFactor } from '../user/second-factor-check.ts'
import { entriesToDelete, type Kept, writeFirstData } from './first-data.ts'

interface ProofParts {
  store: Store
  lockOut: LockOut
  passwordCheck: PasswordCheck
  hosts: HostAllowList
  now: () => number
}

interface DefaultPortsParts {
  webPorts: WebPorts
  host: string
  portsInUse: PortsInUse
}

interface ResetParts {
  store: Store
  gate: Gate
  operation: SystemOperation
  dataFolder: string | undefined
  restart: (() => void) | undefined
}

/** Requires the hub's name, then password and second factor of the caller, with the lock-out of the login page. */
async function requireProof(parts: ProofParts, context: Context, { name, pass, code }: ResetRequest): Promise<void> {
  const { user } = requireCaller(context)
  if (name !== hubName(parts)) throw new CallError(INVALID_ARG, { field: 'name', fault: 'invalid' })
  const row = parts.store.users.byId(user.id)
  await parts.passwordCheck.require(context.address, user.name, pass, row)
  if (row) requireSecondFactor(parts, context.address, row, code)
}

/** Checks the ports that the hub needs after the reset: if another program has one, the hub could not start. */
async function requireDefaultPorts({ webPorts, host, portsInUse }: DefaultPortsParts): Promise<void> {
  for (const name of ['http', 'link'] as const) {
    const port = webPorts.defaultOf(name)
    if (webPorts.openPorts().includes(port) || (await isPortFree('tcp', port, host))) continue
    const holder = portsInUse.holderOf(port, { kind: name }) ?? findProgram('tcp', port)
    throw new CallError(PORT_OCCUPIED, { port, holder })
  }
}

/** Prepares the first data and commits it. Nothing has changed if it fails. */
function replaceData({ store }: { store: Store }, data: string, kept: Kept, by: string): void {
  const replacement = new DataReplacement(data)
  try {
    writeFirstData(replacement, store, kept, by)
    replacement.commit({ old: entriesToDelete(data, kept), isDiscarded: true })
  } catch (error) {
    replacement.discard()
    throw error
  }
}

export function resetHandler(
  parts: ResetParts & ProofParts & DefaultPortsParts & BusyReasonParts & InterruptedParts
): Handler {
  const handler = handleServiceChange(resetSettings, async (context, request) => {
    const { dataFolder, restart, operation, gate } = parts
    if (!dataFolder || !restart) throw new CallError(UNSUPPORTED)
    await requireProof(parts, context, request)
    requireNotBusy(parts, context)
    if (!request['keep-network']) await requireDefaultPorts(parts)
    // Meanwhile the session may have ended, and another operation begun.
    const caller = gate.callerOfSession(requireCaller(context).session)
    if (!caller || !gate.isAdmin(caller)) throw new CallError(TRY_AGAIN)
    requireNotBusy(parts, context)
    requireConsent(parts, context, request.force)
    if (!operation.begin('resetting')) throw new CallError(DEVICE_BUSY)
    const kept = { network: request['keep-network'] === true, license: request['keep-license'] === true }
    try {
      replaceData(parts, dataFolder, kept, `${caller.user.name} ${context.address}`)
    } catch (error) {
      operation.end()
      throw error
    }
    setTimeout(restart, RESTART_DELAY)
    const { webPorts } = parts
    return { 'http-port': kept.network ? webPorts.settingOf('http') : webPorts.defaultOf('http') }
  })
  return interrupting(resetSettings, handler, {
    find: () => ({ kind: 'all', effect: 'stops' }),
    isAlone: () => true
  })
}
